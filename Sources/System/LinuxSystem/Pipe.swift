import CSystemCalls
import Glibc
package import Protocol

/// A pipe (`pipe2(2)`), closed on exec.
package struct Pipe: ~Copyable, Sendable {
  private let readingEnd: Descriptor
  private var writingEnd: Descriptor?
  /// The number of the end to read from.
  package var reader: Int32 { readingEnd.number }
  /// The number of the end to write to, as long as it is open.
  package let writer: Int32

  /// Which ends neither wait for room nor for bytes.
  package enum NonBlocking: Sendable { case reader, writer, both }

  /// Makes a pipe.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
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

  /// Closes this process's end to write to, where another one has it.
  package mutating func closeWriter() { writingEnd = nil }

  /// Gives up the end to read from and closes the other one.
  package consuming func takeReader() -> Descriptor { readingEnd }
}

/// Wakes the one thread that waits for it, by a byte in a pipe.
///
/// For hand-overs on the way of a request: the kernel takes a write to a pipe as the writer's word
/// that it is about to sleep, and lets the reader run where the writer ran (a synchronous wake-up,
/// `pipe_write` in fs/pipe.c). A condition variable wakes the other thread on another processor,
/// which in a virtual machine takes many times as long when that one sleeps.
package final class WakePipe: Sendable {
  // A full pipe wakes whoever waits: nothing is lost when no further byte fits.
  private let pipe: Pipe

  /// Nobody has been woken.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package init() throws(Failure) { pipe = try Pipe(nonBlocking: .writer) }

  /// Readable when somebody was woken who has not come yet, for a thread that waits for other
  /// things as well.
  package var descriptor: Int32 { pipe.reader }

  /// Wakes whoever waits, or who waits next. Any thread; never blocks.
  package func wake() {
    var byte: UInt8 = 1
    while unsafe write(pipe.writer, &byte, 1) < 0, errno == EINTR {}
  }

  /// Waits until `body` gives something; it is asked at once and after every ``wake()``, alone with
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
  /// - Returns: nil when nothing came before that.
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
