import CSystemCalls
import Glibc
package import Protocol

/// A pipe (`pipe2(2)`), closed on exec.
package struct Pipe: ~Copyable, Sendable {
  private let readingEnd: Descriptor
  private var writingEnd: Descriptor?
  package var reader: Int32 { readingEnd.number }
  /// Valid while it is open.
  package let writer: Int32

  package enum NonBlocking: Sendable { case reader, writer, both }

  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init(nonBlocking: NonBlocking) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe ac_make_pipe(&ends) == 0 else {
      throw Failure(
        .coreFailed, "Cannot make a pipe: \(SystemCallError("pipe2").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    if nonBlocking != .writer { _ = fcntl(ends[0], F_SETFL, O_NONBLOCK) }
    if nonBlocking != .reader { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
    readingEnd = Descriptor(owning: ends[0])
    writingEnd = Descriptor(owning: ends[1])
    writer = ends[1]
  }

  /// Closes the end to write to, once another process has it.
  package mutating func closeWriter() { writingEnd = nil }

  /// Gives up the end to read from, and closes the other.
  package consuming func takeReader() -> Descriptor { readingEnd }
}

/// Wakes the one thread that waits for it, by a byte in a pipe.
///
/// For hand-overs during a request. The kernel takes a write to a pipe as a sign that the writer is
/// about to sleep, and runs the reader where the writer ran (a synchronous wake-up, `pipe_write` in
/// fs/pipe.c). A condition variable wakes the other thread on another processor, which in a virtual
/// machine takes many times as long if that one sleeps.
package final class WakePipe: Sendable {
  // A full pipe wakes the reader too, so nothing is lost if a byte does not fit.
  private let pipe: Pipe

  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init() throws(Failure) { pipe = try Pipe(nonBlocking: .writer) }

  /// Readable after ``wake()``, for a thread that also waits for other things.
  package var descriptor: Int32 { pipe.reader }

  /// Wakes the present or next wait. Any thread; never blocks.
  package func wake() {
    var byte: UInt8 = 1
    while unsafe write(pipe.writer, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits until `body` returns a value. Calls it at once and after every ``wake()``, alone with
  /// the state. One thread at a time.
  package func wait<State: ~Copyable, R: ~Copyable>(
    on guarded: borrowing Guarded<State>, for body: (inout State) -> sending R?
  ) -> sending R {
    while true {
      if let result = guarded.update(body) { return result }
      var byte: UInt8 = 0
      _ = unsafe read(pipe.reader, &byte, 1)
    }
  }

  /// The same until `deadline`.
  /// - Returns: nil after the deadline.
  package func wait<State: ~Copyable, R: ~Copyable>(
    until deadline: Deadline, on guarded: borrowing Guarded<State>,
    for body: (inout State) -> sending R?
  ) -> sending R? {
    while true {
      if let result = guarded.update(body) { return result }
      var polled = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&polled, 1, deadline.remainingMilliseconds)
      if ready == 0 { return guarded.update(body) }
      var byte: UInt8 = 0
      if ready > 0 { _ = unsafe read(pipe.reader, &byte, 1) }
    }
  }
}
