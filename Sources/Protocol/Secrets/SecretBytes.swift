import CSystemCalls
import Glibc
import Synchronization

/// Secret bytes: a key, a passcode, an item's secret, or a message that may contain one.
///
/// Up to 128 KiB they are in a locked arena that is never dumped, or if that is full in locked
/// pages of their own. Beyond that length their pages are only never dumped. They cannot be copied
/// by accident, have no textual form, and are wiped when the value dies. Their count is not secret.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
  // Sendable: only the sole owner of the memory changes it.
  private var memory: SecretMemory
  /// The offset of the bytes in the memory.
  private var start = 0
  public private(set) var count: Int

  /// `count` zero bytes. Ends the process if the kernel has no memory, as every Swift allocation
  /// does.
  public init(count: Int) {
    precondition(count >= 0 && count <= 1 << 30, "a secret of \(count) bytes")
    self.count = count
    memory = SecretMemory(count)
  }

  /// Part of another secret, in its memory.
  private init(_ memory: SecretMemory, _ start: Int, _ count: Int) {
    (self.memory, self.start, self.count) = (memory, start, count)
  }

  /// A copy of `bytes`; wiping those is the caller's task.
  public init(copying bytes: Span<UInt8>) {
    self.init(count: bytes.count)
    copy(bytes)
  }

  /// Copies bytes into this value without leaving any in registers. There must be room for all of
  /// them at `offset`.
  package mutating func copy(_ bytes: Span<UInt8>, at offset: Int = 0) {
    precondition(
      offset >= 0 && offset <= count - bytes.count, "\(bytes.count) bytes at \(offset) of \(count)")
    leaveSharing()
    unsafe bytes.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe ac_copy_secret(memory.base + start + offset, first, source.count)
      }
    }
  }

  /// The bytes; valid while the secret is.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let first = unsafe UnsafePointer((memory.base + start).assumingMemoryBound(to: UInt8.self))
      return unsafe _overrideLifetime(
        Span(_unsafeStart: first, count: count), borrowing: self)
    }
  }

  /// A copy of the bytes, if they are not secret: a signature, a ciphertext, a public key.
  package var copied: [UInt8] { bytes.indices.map { bytes[$0] } }

  /// The bytes for C functions; the pointer must not leave `body`.
  @unsafe public borrowing func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: memory.base + start, count: count))
  }

  /// The bytes for C functions that write them; the pointer must not leave `body`.
  @unsafe public mutating func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    leaveSharing()
    return try unsafe body(UnsafeMutableRawBufferPointer(start: memory.base + start, count: count))
  }

  /// Takes a copy before a change, if other values share the memory.
  private mutating func leaveSharing() {
    if !isKnownUniquelyReferenced(&memory) { self = SecretBytes(copying: bytes) }
  }

  /// A second copy of the bytes. The call is explicit because every copy has to be wiped.
  public borrowing func duplicate() -> SecretBytes { SecretBytes(copying: bytes) }

  /// Part of the bytes in the same memory, which is wiped with the last value that uses it. It is a
  /// copy if sharing would keep much more memory than the part needs.
  package borrowing func sharing(_ part: Range<Int>) -> SecretBytes {
    precondition(
      part.lowerBound >= 0 && part.upperBound <= count,
      "bytes \(part) of a secret of \(count) bytes")
    guard memory.capacity <= 1024 || memory.capacity / 2 <= part.count else {
      return SecretBytes(copying: bytes.extracting(part))
    }
    return SecretBytes(memory, start + part.lowerBound, part.count)
  }

  /// All of the bytes in the same memory, for another owner.
  package borrowing func shared() -> SecretBytes { SecretBytes(memory, start, count) }

  /// Part of the bytes. They are not copied unless that would keep much more memory than they need;
  /// the rest is wiped with them.
  package consuming func extracting(_ part: Range<Int>) -> SecretBytes {
    precondition(part.upperBound <= count, "bytes \(part) of a secret of \(count) bytes")
    guard memory.capacity <= 1024 || memory.capacity / 2 <= part.count else {
      return SecretBytes(copying: bytes.extracting(part))
    }
    var extracted = self
    extracted.start += part.lowerBound
    extracted.count = part.count
    return extracted
  }

  /// Compares in a time that does not depend on where two secrets of one length differ.
  public borrowing func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count { difference |= bytes[index] ^ other[index] }
    return difference == 0
  }
}

/// The memory of one ``SecretBytes``, wiped and returned when the object dies. `Descriptor` in
/// LinuxSystem explains why it is a class.
@safe
final class SecretMemory {
  let base: UnsafeMutableRawPointer
  /// How many bytes were taken.
  let capacity: Int
  private let hasOwnPages: Bool

  #if DEBUG
    /// Sees every block before it is wiped, so that tests can count the blocks that a secret was
    /// in.
    static let witness = unsafe Mutex<(@Sendable (UnsafeRawBufferPointer) -> Void)?>(nil)
  #endif

  /// `count` zero bytes, at least 0.
  init(_ count: Int) {
    capacity = count
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

  deinit {
    #if DEBUG
      if let witness = unsafe Self.witness.withLock({ unsafe $0 }) {
        unsafe witness(UnsafeRawBufferPointer(start: base, count: capacity))
      }
    #endif
    unsafe ac_wipe(base, capacity)
    if hasOwnPages {
      unsafe munmap(base, max(capacity, 1))
    } else {
      unsafe SecretArena.give(back: base, count: capacity)
    }
  }
}
