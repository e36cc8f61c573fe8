import CSystemCalls
import Glibc

/// Bytes that nobody else may see: a key, a passcode, an item's secret, a message that may hold one.
///
/// They live in ``SecretArena`` (locked, never dumped) up to 128 KiB, where that is full in pages
/// of their own that are locked too, and beyond that length in pages that are only never dumped.
/// They cannot be copied by accident, have no textual form, and are wiped when the value dies.
/// Their count is not secret.
@safe
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  // Sendable: the value is the only owner of the memory behind it.
  private let base: UnsafeMutableRawPointer
  private let hasOwnPages: Bool
  /// How many bytes there are.
  package let count: Int

  /// `count` zero bytes. Ends the process where the kernel has no memory, as every Swift allocation does.
  package init(count: Int) {
    precondition(count >= 0 && count <= 1 << 30, "a secret of \(count) bytes")
    self.count = count
    if let block = unsafe SecretArena.take(count) {
      unsafe base = block
      hasOwnPages = false
    } else {
      guard let pages = unsafe ac_map_secret_pages(max(count, 1)) else {
        fatalError("no memory for a secret")
      }
      if count <= SecretArena.largestBlock { unsafe SecretArena.lockOutside(pages, count: count) }
      unsafe base = pages
      hasOwnPages = true
    }
  }

  /// A copy of `bytes`, which the caller wipes or owns otherwise.
  package init(copying bytes: Span<UInt8>) {
    self.init(count: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe base.copyMemory(from: start, byteCount: count) }
    }
  }

  /// The bytes; valid while the secret is.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let start = unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
      return unsafe _overrideLifetime(
        Span(_unsafeStart: start, count: count), borrowing: self)
    }
  }

  /// The bytes for C functions; the pointer must not leave `body`.
  @unsafe package borrowing func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// The bytes for C functions that write them; the pointer must not leave `body`.
  @unsafe package mutating func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
  }

  /// Another secret with the same bytes; said out loud because every copy is one more to wipe.
  package borrowing func duplicate() -> SecretBytes { SecretBytes(copying: bytes) }

  /// Compares without telling by its duration where two secrets of one length differ.
  package borrowing func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count { difference |= bytes[index] ^ other[index] }
    return difference == 0
  }

  deinit {
    unsafe ac_wipe(base, count)
    if hasOwnPages {
      unsafe munmap(base, max(count, 1))
    } else {
      unsafe SecretArena.give(back: base, count: count)
    }
  }
}
