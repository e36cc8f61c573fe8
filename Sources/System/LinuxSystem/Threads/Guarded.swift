import Glibc

/// State behind a lock, with a way to wait until it changes (Hoare's monitor, over
/// `pthread_cond_t`).
///
/// `Mutex` has no such way, and a thread here must be able to sleep until another one has something
/// for it.
@safe
package final class Guarded<State: ~Copyable>: @unchecked Sendable {
  // Sendable: `state` is touched only under `mutex`. The pthread objects have addresses of their
  // own because they must not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: consuming sending State) {
    self.state = state
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  /// Runs `body` alone and wakes everybody who waits for a change.
  package func update<R: ~Copyable>(_ body: (inout State) -> sending R) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until `body` gives something; it is asked at once and after every ``update(_:)``, alone.
  package func wait<R: ~Copyable>(for body: (inout State) -> sending R?) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// The same for at most `nanoseconds`, counted by CLOCK_MONOTONIC; nil when nothing came.
  package func wait<R: ~Copyable>(
    nanoseconds: UInt64, for body: (inout State) -> sending R?
  ) -> sending R? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    let total = UInt64(deadline.tv_nsec) + nanoseconds % 1_000_000_000
    // A hundred years are as good as for ever, and the sum cannot overflow.
    deadline.tv_sec += Int(min(nanoseconds / 1_000_000_000 + total / 1_000_000_000, 3_153_600_000))
    deadline.tv_nsec = Int(total % 1_000_000_000)
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
        return body(&state)
      }
    }
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }
}

extension Guarded {
  /// Runs `body` alone. Wakes nobody.
  package func read<R>(_ body: (State) -> sending R) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(state)
  }
}
