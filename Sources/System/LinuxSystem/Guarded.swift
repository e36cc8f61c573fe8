import CSystemCalls
import Glibc

/// State behind a lock, with a way to wait until it changes (a monitor over `pthread_cond_t`).
///
/// `Mutex` has no such way.
@safe
package final class Guarded<State: ~Copyable>: @unchecked Sendable {
  // Sendable: `state` is touched only under `mutex`. The pthread objects are allocated because they
  // must not move.
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

  /// Runs `body` alone, and wakes all that wait for a change.
  package func update<R: ~Copyable>(_ body: (inout State) -> sending R) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits until `body` returns a value. Calls it alone, at once and after every ``update(_:)``.
  package func wait<R: ~Copyable>(for body: (inout State) -> sending R?) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// The same for at most `nanoseconds` of CLOCK_MONOTONIC; nil after that.
  package func wait<R: ~Copyable>(
    nanoseconds: UInt64, for body: (inout State) -> sending R?
  ) -> sending R? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    let total = UInt64(deadline.tv_nsec) + nanoseconds % 1_000_000_000
    // A hundred years are as good as forever, and the sum cannot overflow.
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
  /// Runs `body` alone, and wakes none.
  package func read<R>(_ body: (State) -> sending R) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(state)
  }
}

/// Starts threads that may block in system calls, unlike tasks of the cooperative pool.
package enum SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Sleeps by CLOCK_MONOTONIC, despite signals.
  package static func sleep(nanoseconds: UInt64) {
    let end = Deadline.now + nanoseconds
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Runs `body` on a detached thread. Ends the process if the kernel gives no thread.
  /// - Parameters:
  ///   - name: at most 15 bytes, shown by `ps -L`.
  ///   - body: the thread's work.
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

/// A deadline by CLOCK_MONOTONIC, for `poll(2)`.
package struct Deadline: Sendable {
  private let nanoseconds: UInt64?

  /// - Parameter milliseconds: from now; negative: never.
  package init(milliseconds: Int32) {
    nanoseconds = milliseconds < 0 ? nil : Self.now + UInt64(milliseconds) * 1_000_000
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Rounded up; 0 after the deadline, -1 for never.
  package var remainingMilliseconds: Int32 {
    guard let nanoseconds else { return -1 }
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }
}
