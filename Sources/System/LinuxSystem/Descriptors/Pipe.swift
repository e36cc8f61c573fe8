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
