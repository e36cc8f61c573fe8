import CSystemCalls
import Glibc

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
