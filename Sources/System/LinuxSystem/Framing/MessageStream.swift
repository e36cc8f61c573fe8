import CSystemCalls
import Glibc
package import Protocol

/// Messages over one end of a Unix stream socket, with descriptors.
///
/// One thread may send while another receives; callers lock if several send.
package struct MessageStream: ~Copyable, Sendable {
  package let descriptor: Descriptor
  /// Most bytes of a received message. A longer one is an error before memory is reserved.
  package let limit: Int
  /// Milliseconds that ``send(_:descriptors:)`` waits for a reader that takes nothing; negative:
  /// forever. For sockets that do not block.
  package let stallMilliseconds: Int32

  package static let maximumDescriptors = Int(AC_MOST_DESCRIPTORS)
  /// Most descriptors that can arrive at once.
  package static let mostArriving = Int(AC_MOST_ARRIVING)

  package init(
    _ descriptor: consuming Descriptor, limit: Int, stallMilliseconds: Int32 = -1
  ) {
    self.descriptor = descriptor
    self.limit = limit
    self.stallMilliseconds = stallMilliseconds
  }

  /// Sends one message with duplicates of `descriptors`. Blocks while the other side does not read,
  /// for ``stallMilliseconds`` at most.
  /// - Throws: ``StreamError/closed`` if the reader is gone; never raises SIGPIPE.
  package borrowing func send(
    _ message: borrowing SecretBytes, descriptors: [Int32] = []
  ) throws(StreamError) {
    try send([], message.bytes, descriptors: descriptors)
  }

  /// The same for a message in two parts, with a short `head`.
  package borrowing func send(
    _ head: [UInt8], _ rest: Span<UInt8>, descriptors: [Int32] = []
  ) throws(StreamError) {
    precondition(descriptors.count <= Self.maximumDescriptors)
    let header = MessageFraming.header(count: head.count + rest.count) + head
    var sent = 0
    while sent < header.count + rest.count {
      let count = MessageFraming.write(
        descriptor.number, header.span, rest, from: sent, descriptors)
      guard count >= 0 else {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          try wait(for: Int16(POLLOUT), milliseconds: stallMilliseconds)
          continue
        }
        if errno == EPIPE || errno == ECONNRESET { throw .closed }
        throw .system(call: "sendmsg", errno: errno)
      }
      sent += count
    }
  }

  /// Waits for the next message.
  /// - Parameter milliseconds: for its first byte; negative: forever. The rest has ten seconds.
  /// - Returns: the message, with descriptors that the caller owns.
  /// - Throws: ``StreamError``.
  package borrowing func receive(
    milliseconds: Int32 = -1
  ) throws(StreamError) -> ReceivedMessage {
    var header = SecretBytes(count: MessageFraming.headerSize)
    var descriptors = ReceivedDescriptors(closedBy: descriptor.line)
    var writers = MessageWriters()
    try fill(&header, &descriptors, &writers, firstByte: milliseconds)
    let count = try MessageFraming.count(in: header.bytes, limit: limit)
    var body = SecretBytes(count: count)
    do {
      try fill(&body, &descriptors, &writers, firstByte: Self.bodyDeadline)
    } catch StreamError.closed {
      throw .truncated
    }
    return ReceivedMessage(
      bytes: body, isWhole: true, writer: writers.only, descriptors: descriptors)
  }

  private static var bodyDeadline: Int32 { 10_000 }

  private borrowing func fill(
    _ target: inout SecretBytes, _ descriptors: inout ReceivedDescriptors,
    _ writers: inout MessageWriters, firstByte: Int32
  ) throws(StreamError) {
    var filled = 0
    while filled < target.count {
      let count = unsafe target.withUnsafeMutableBytes { buffer in
        unsafe MessageFraming.read(
          descriptor.number, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]),
          &descriptors, &writers)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          try wait(for: Int16(POLLIN), milliseconds: filled == 0 ? firstByte : Self.bodyDeadline)
          continue
        }
        if errno == ECONNRESET { throw .closed }
        throw .system(call: "recvmsg", errno: errno)
      }
      if count == 0 { throw filled == 0 ? .closed : .truncated }
      try descriptors.check(atMost: Self.maximumDescriptors)
      filled += count
    }
  }

  private borrowing func wait(for events: Int16, milliseconds: Int32) throws(StreamError) {
    var poll = pollfd(fd: descriptor.number, events: events, revents: 0)
    while true {
      let ready = unsafe Glibc.poll(&poll, 1, milliseconds)
      if ready > 0 { return }
      if ready == 0 { throw .timedOut }
      if errno != EINTR { throw .system(call: "poll", errno: errno) }
    }
  }
}

package struct ReceivedMessage: ~Copyable, Sendable {
  /// Number and fields.
  package let bytes: SecretBytes
  /// If not, `bytes` are only the first ones, because there was no room.
  package let isWhole: Bool
  /// Nil if the kernel does not say, or several wrote it.
  package let writer: MessageWriter?
  /// In the order they were sent.
  package var descriptors: ReceivedDescriptors
}

/// Descriptors that arrived with a message. Those left are closed with the value, and each as its
/// sender's are.
package struct ReceivedDescriptors: ~Copyable, Sendable {
  private var numbers: [Int32] = []
  let line: ClosingLine?

  /// - Parameter line: closes them; nil if the thread that drops them may.
  package init(closedBy line: ClosingLine?) { self.line = line }

  package var count: Int { numbers.count }

  mutating func append(_ number: Int32) { numbers.append(number) }

  /// - Throws: ``StreamError/tooManyDescriptors(limit:)``.
  borrowing func check(atMost limit: Int) throws(StreamError) {
    guard numbers.count <= limit else { throw .tooManyDescriptors(limit: limit) }
  }

  /// Gives up all; the caller has to close them by ``line``.
  mutating func release() -> [Int32] {
    defer { numbers = [] }
    return numbers
  }

  package mutating func takeFirst() -> Descriptor? {
    guard !numbers.isEmpty else { return nil }
    return Descriptor(owning: numbers.removeFirst(), closedBy: line)
  }

  package mutating func takeLast() -> Descriptor? {
    guard let number = numbers.popLast() else { return nil }
    return Descriptor(owning: number, closedBy: line)
  }

  deinit { Descriptor.close(numbers, line) }
}
