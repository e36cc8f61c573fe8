import Glibc
import Protocol

/// Takes messages from a socket as they arrive, with their descriptors and writers, and never waits
/// for the rest of one.
///
/// ``MessageStream`` is for a thread that may wait; this is for one that serves many clients.
package struct MessageIntake: ~Copyable, Sendable {
  /// Most bytes of a message.
  private let limit: Int
  /// Most descriptors of a message.
  private let mostDescriptors: Int
  private var header: [UInt8] = []
  /// The length in the header.
  private var count = 0
  private var body: SecretBytes?
  private var filled = 0
  /// Bytes that were skipped for lack of room.
  private var skipped = 0
  private var isWhole = true
  private let line: ClosingLine
  private var descriptors: ReceivedDescriptors
  private var writers = MessageWriters()

  /// - Parameters:
  ///   - limit: most bytes of a message.
  ///   - mostDescriptors: of a message.
  ///   - line: closes all that come, once they are not used any more.
  package init(
    limit: Int, mostDescriptors: Int = MessageStream.maximumDescriptors, closedBy line: ClosingLine
  ) {
    (self.limit, self.mostDescriptors, self.line) = (limit, mostDescriptors, line)
    descriptors = ReceivedDescriptors(closedBy: line)
  }

  package var isInsideMessage: Bool { !header.isEmpty }

  /// Takes what has arrived. Reserves memory as bytes come, not by the length that a client names.
  /// - Parameters:
  ///   - socket: a connected stream socket.
  ///   - hasRoom: asked before memory is reserved for the first `part` bytes of a message of
  ///     `whole` bytes. A message without room is skipped, and comes with its first bytes only.
  /// - Returns: the next message, once it is complete.
  /// - Throws: ``StreamError``: `closed`, `truncated` inside a message, `tooLong`,
  ///   `tooManyDescriptors`, `system`. The stream is lost then.
  package mutating func next(
    from socket: Int32, hasRoom: (_ part: Int, _ whole: Int) -> Bool
  ) throws(StreamError) -> ReceivedMessage? {
    while header.count < MessageFraming.headerSize {
      guard try takeHeader(from: socket) else { return nil }
      guard header.count == MessageFraming.headerSize else { continue }
      count = try MessageFraming.count(in: header.span, limit: limit)
      let first = min(count, max(Self.beginning, Self.unread(socket)))
      isWhole = hasRoom(first, count)
      body = SecretBytes(count: isWhole ? first : min(count, Self.beginning))
    }
    while true {
      guard try fill(from: socket) else { return nil }
      guard isWhole, filled < count else { break }
      grow(to: min(count, max(2 * filled, filled + Self.unread(socket))), hasRoom)
    }
    guard try skip(from: socket) else { return nil }
    return take()
  }

  /// At least doubles the room, so that a client that sends single bytes does not cause a copy with
  /// each.
  private mutating func grow(to size: Int, _ hasRoom: (Int, Int) -> Bool) {
    isWhole = hasRoom(size, count)
    guard isWhole, let part = body.take() else { return }
    var larger = SecretBytes(count: size)
    larger.copy(part.bytes)
    body = consume larger
  }

  /// Bytes that have arrived and were not read (`FIONREAD`).
  private static func unread(_ socket: Int32) -> Int {
    var count: Int32 = 0
    return unsafe ioctl(socket, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Drops an incomplete message.
  package mutating func drop() {
    descriptors = ReceivedDescriptors(closedBy: line)
    header = []
    body = nil
    (filled, skipped) = (0, 0)
  }

  /// Bytes that are kept of a message without room: its number and id.
  private static var beginning: Int { 16 }

  private mutating func takeHeader(from socket: Int32) throws(StreamError) -> Bool {
    var bytes: [UInt8] = [0, 0, 0, 0]
    let wanted = MessageFraming.headerSize - header.count
    let count = unsafe bytes.withUnsafeMutableBytes { space in
      unsafe MessageFraming.read(
        socket, into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]), &descriptors,
        &writers)
    }
    guard let count = try arrived(count) else { return false }
    header += bytes[..<count]
    return true
  }

  /// - Returns: whether all bytes to keep are there.
  private mutating func fill(from socket: Int32) throws(StreamError) -> Bool {
    guard var message = body.take() else { return true }
    while filled < message.count {
      let start = filled
      let count = unsafe message.withUnsafeMutableBytes { space in
        unsafe MessageFraming.read(
          socket, into: UnsafeMutableRawBufferPointer(rebasing: space[start...]), &descriptors,
          &writers)
      }
      guard let count = try arrived(count) else {
        body = consume message
        return false
      }
      filled += count
    }
    body = consume message
    return true
  }

  /// - Returns: whether all bytes to skip have passed.
  private mutating func skip(from socket: Int32) throws(StreamError) -> Bool {
    while filled + skipped < count {
      var piece = SecretBytes(count: min(count - filled - skipped, 4096))
      let arriving = unsafe piece.withUnsafeMutableBytes { space in
        unsafe MessageFraming.read(socket, into: space, &descriptors, &writers)
      }
      guard let passed = try arrived(arriving) else { return false }
      skipped += passed
    }
    return true
  }

  /// The number of bytes that a call brought; nil: none yet.
  private func arrived(_ count: Int) throws(StreamError) -> Int? {
    try descriptors.check(atMost: mostDescriptors)
    if count > 0 { return count }
    if count == 0 { throw isInsideMessage ? .truncated : .closed }
    switch errno {
    // Comes again at once.
    case EINTR, EAGAIN: return nil
    case ECONNRESET: throw isInsideMessage ? .truncated : .closed
    default: throw .system(call: "recvmsg", errno: errno)
    }
  }

  private mutating func take() -> ReceivedMessage {
    var arrived = ReceivedDescriptors(closedBy: line)
    swap(&arrived, &descriptors)
    let message = ReceivedMessage(
      bytes: body.take() ?? SecretBytes(count: 0), isWhole: isWhole, writer: writers.only,
      descriptors: arrived)
    header = []
    (filled, skipped) = (0, 0)
    writers = MessageWriters()
    return message
  }
}
