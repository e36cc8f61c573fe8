import CSystemCalls
import Glibc
import Synchronization

/// One locked region of memory that holds every small secret of this process (of this image, if
/// several plugins share a process).
///
/// An ordinary user may lock 8 MiB (`RLIMIT_MEMLOCK`), so the region has 1 MiB, and more in the one
/// process that serves all users (``reserve(_:)``). It is mapped with the first secret, excluded
/// from core dumps and wiped in forked children; unused parts take no memory. If it cannot be
/// locked it is used unlocked, and ``isLocked`` says so, which `authcore status` shows.
package enum SecretArena {
  static let usualSize = 1 << 20
  /// Larger secrets have pages of their own, which are not locked: messages with a secret are
  /// shorter.
  package static let largestBlock = 128 << 10
  private static let granule = 32

  @safe private struct State: @unchecked Sendable {
    // Sendable by the Mutex around it; the pointer is never handed out before the block is taken.
    var base: UnsafeMutableRawPointer?
    var size = usualSize
    var isLocked = false
    /// Free ranges in granules, sorted, never adjacent.
    var free: [Range<Int>] = []
  }

  private static let state = Mutex(State())

  /// Whether the region is locked into memory (`mlock2(2)` succeeded). Maps the region if that has
  /// not been done.
  package static var isLocked: Bool {
    state.withLock { state in
      map(&state)
      return state.isLocked
    }
  }

  /// Sets the size of the region in bytes, a multiple of 4096, unless the first secret has been
  /// made. If so much cannot be locked, the region has its usual size.
  package static func reserve(_ size: Int) {
    state.withLock { state in
      guard unsafe state.base == nil else { return }
      state.size = size
      map(&state)
    }
  }

  private static let spill = Atomic<Bool>(false)

  /// Whether a secret was ever in unlocked memory because this region was full.
  package static var hasSpilled: Bool { spill.load(ordering: .relaxed) }

  /// Locks the pages of a secret that did not fit into this region; unmapping them unlocks them
  /// (mlock(2)).
  @unsafe static func lockOutside(_ pages: UnsafeMutableRawPointer, count: Int) {
    if unsafe ac_lock_pages(pages, count) != 0 { spill.store(true, ordering: .relaxed) }
  }

  private static func map(_ state: inout State) {
    guard unsafe state.base == nil, let pages = unsafe ac_map_secret_pages(state.size) else {
      return
    }
    let isLocked = unsafe ac_lock_pages(pages, state.size) == 0
    guard isLocked || state.size == usualSize else {
      unsafe munmap(pages, state.size)
      state.size = usualSize
      return map(&state)
    }
    unsafe state.base = pages
    state.isLocked = isLocked
    state.free = [0..<state.size / granule]
  }

  /// A zeroed block of at least `count` bytes, or nil if the region is full or could not be mapped.
  @unsafe static func take(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count <= largestBlock else { return nil }
    let wanted = max(1, (count + granule - 1) / granule)
    return unsafe state.withLock { state -> UncheckedPointer? in
      map(&state)
      guard let base = unsafe state.base,
        let index = state.free.firstIndex(where: { $0.count >= wanted })
      else { return nil }
      let range = state.free[index]
      if range.count == wanted {
        state.free.remove(at: index)
      } else {
        state.free[index] = range.lowerBound + wanted..<range.upperBound
      }
      return unsafe UncheckedPointer(base + range.lowerBound * granule)
    }?.pointer
  }

  /// Returns a wiped block, which was taken with the same `count`.
  @unsafe static func give(back block: UnsafeMutableRawPointer, count: Int) {
    let block = unsafe UncheckedPointer(block)
    state.withLock { state in
      guard let base = unsafe state.base else { return }
      let start = unsafe (block.pointer - base) / granule
      var range = start..<start + max(1, (count + granule - 1) / granule)
      var index = state.free.firstIndex { $0.lowerBound >= range.upperBound } ?? state.free.count
      if index < state.free.count, state.free[index].lowerBound == range.upperBound {
        range = range.lowerBound..<state.free[index].upperBound
        state.free.remove(at: index)
      }
      if index > 0, state.free[index - 1].upperBound == range.lowerBound {
        index -= 1
        range = state.free[index].lowerBound..<range.upperBound
        state.free.remove(at: index)
      }
      state.free.insert(range, at: index)
    }
  }
}

/// Carries a pointer through the arena's lock; the arena itself decides who owns the block.
@safe private struct UncheckedPointer: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  @unsafe init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }
}
