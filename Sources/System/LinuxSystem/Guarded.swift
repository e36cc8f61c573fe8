import CSystemCalls
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

/// Starts threads that block in system calls, which tasks of the cooperative pool must not.
package enum SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Lets the calling thread sleep, by CLOCK_MONOTONIC and whatever signals come.
  package static func sleep(nanoseconds: UInt64) {
    let end = Deadline.now + nanoseconds
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Runs `body` on a thread of its own that nobody joins. Ends the process where the kernel gives
  /// no thread.
  /// - Parameters:
  ///   - name: at most 15 bytes, shown by `ps -L`.
  ///   - body: what the thread does.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(
      Work {
        unsafe ac_name_thread(name)
        body()
      }
    ).toOpaque()
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        // The reference that passRetained left for this thread.
        unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, work)
    precondition(failure == 0, "no thread: \(SystemCallError.text(of: failure))")
    pthread_detach(thread)
  }
}

/// A moment by CLOCK_MONOTONIC until which something may take, as `poll(2)` wants it.
package struct Deadline: Sendable {
  private let nanoseconds: UInt64?

  /// - Parameter milliseconds: from this moment on; negative: never.
  package init(milliseconds: Int32) {
    nanoseconds = milliseconds < 0 ? nil : Self.now + UInt64(milliseconds) * 1_000_000
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What is left, rounded up; 0 when it has passed, -1 when it never does.
  package var remainingMilliseconds: Int32 {
    guard let nanoseconds else { return -1 }
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }
}
