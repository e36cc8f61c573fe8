import CSystemCalls
import Glibc
import Synchronization

/// Bytes that nobody else may see: a key, a passcode, an item's secret, a message that may hold
/// one.
///
/// They live in an arena (locked, never dumped) up to 128 KiB, where that is full in pages
/// of their own that are locked too, and beyond that length in pages that are only never dumped.
/// They cannot be copied by accident, have no textual form, and are wiped when the value dies.
/// Their count is not secret.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
  // Sendable: the memory behind it is changed by its only owner alone.
  private var memory: SecretMemory
  /// Where in it they begin.
  private var start = 0
  /// How many bytes there are.
  public private(set) var count: Int

  /// `count` zero bytes. Ends the process where the kernel has no memory, as every Swift allocation
  /// does.
  public init(count: Int) {
    precondition(count >= 0 && count <= 1 << 30, "a secret of \(count) bytes")
    self.count = count
    memory = SecretMemory(count)
  }

  /// A part of the bytes of another secret, in its memory.
  private init(_ memory: SecretMemory, _ start: Int, _ count: Int) {
    (self.memory, self.start, self.count) = (memory, start, count)
  }

  /// A copy of `bytes`, which the caller wipes or owns otherwise.
  public init(copying bytes: Span<UInt8>) {
    self.init(count: bytes.count)
    copy(bytes)
  }

  /// Copies bytes into this value, and leaves nothing of them in registers.
  /// - Parameters:
  ///   - bytes: what is copied.
  ///   - offset: where it begins here; there is room for all of it.
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

  /// The bytes where they are no secret: a signature, a ciphertext, a public key.
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

  /// What several share nobody changes: whoever is about to takes a copy.
  private mutating func leaveSharing() {
    if !isKnownUniquelyReferenced(&memory) { self = SecretBytes(copying: bytes) }
  }

  /// Another secret with the same bytes; said out loud because every copy is one more to wipe.
  public borrowing func duplicate() -> SecretBytes { SecretBytes(copying: bytes) }

  /// A part of the bytes where they lie, which are wiped when both values are gone. A copy where that
  /// would keep much more memory than the part needs.
  package borrowing func sharing(_ part: Range<Int>) -> SecretBytes {
    precondition(
      part.lowerBound >= 0 && part.upperBound <= count,
      "bytes \(part) of a secret of \(count) bytes")
    guard memory.capacity <= 1024 || memory.capacity / 2 <= part.count else {
      return SecretBytes(copying: bytes.extracting(part))
    }
    return SecretBytes(memory, start + part.lowerBound, part.count)
  }

  /// All of the bytes where they lie, for another owner.
  package borrowing func shared() -> SecretBytes { SecretBytes(memory, start, count) }

  /// A part of the bytes. They stay where they lie, unless that would keep much more memory than
  /// they need; the rest is wiped with them.
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

  /// Compares without telling by its duration where two secrets of one length differ.
  public borrowing func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count { difference |= bytes[index] ^ other[index] }
    return difference == 0
  }
}

/// The memory of one ``SecretBytes``; wiped and given back when the object dies. Why it is a class is
/// said at `Descriptor` of LinuxSystem.
@safe
final class SecretMemory {
  let base: UnsafeMutableRawPointer
  /// How many bytes were taken.
  let capacity: Int
  private let hasOwnPages: Bool

  #if DEBUG
    /// Sees every block before it is wiped: tests count the blocks that a secret lay in.
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
