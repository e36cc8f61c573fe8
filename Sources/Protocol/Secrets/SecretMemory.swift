import CSystemCalls
import Glibc

#if DEBUG
  import Synchronization
#endif

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
