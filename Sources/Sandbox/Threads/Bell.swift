import CSystemCalls
import Glibc
package import Wire

/// Wakes the one thread that waits for it, by a byte in a pipe.
///
/// For hand-overs on the way of a request: the kernel takes a write to a pipe as the writer's word that it is about to sleep, and lets
/// the reader run where the writer ran (a synchronous wake-up, `pipe_write` in fs/pipe.c). A condition variable wakes the other thread on
/// another processor, which in a virtual machine takes many times as long when that one sleeps.
package final class Bell: Sendable {
  private let readingEnd: Descriptor
  private let writingEnd: Descriptor

  /// A bell that has not been rung.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe ac_make_pipe(&ends) == 0 else {
      throw Failure(
        .coreFailed, "Cannot make a pipe: \(SystemCallError("pipe2").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    readingEnd = Descriptor(owning: ends[0])
    writingEnd = Descriptor(owning: ends[1])
    // A full pipe is a bell that rings: nothing is lost when no further byte fits.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
  }

  /// Wakes whoever waits, or who waits next. Any thread; never blocks.
  package func ring() {
    var byte: UInt8 = 1
    while unsafe write(writingEnd.number, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits until `body` gives something; it is asked at once and after every ring, alone with the state. One thread at a time.
  package func wait<State: ~Copyable, R: ~Copyable>(
    on monitor: borrowing Monitor<State>, for body: (inout State) -> sending R?
  ) -> sending R {
    while true {
      if let result = monitor.withLock(body) { return result }
      var byte: UInt8 = 0
      _ = unsafe read(readingEnd.number, &byte, 1)
    }
  }

  /// The same until `deadline`.
  /// - Returns: nil when nothing came before that.
  package func wait<State: ~Copyable, R: ~Copyable>(
    until deadline: Deadline, on monitor: borrowing Monitor<State>,
    for body: (inout State) -> sending R?
  ) -> sending R? {
    while true {
      if let result = monitor.withLock(body) { return result }
      var polled = pollfd(fd: readingEnd.number, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&polled, 1, deadline.remainingMilliseconds)
      if ready == 0 { return monitor.withLock(body) }
      var byte: UInt8 = 0
      if ready > 0 { _ = unsafe read(readingEnd.number, &byte, 1) }
    }
  }
}
