import Glibc
import Wire

/// Takes messages from a socket as they arrive, with the descriptors and the writers that come with
/// them, and never waits for the rest of one.
///
/// ``MessageStream`` is for a thread that may wait; this is for one that serves many clients.
package struct MessageIntake: ~Copyable, Sendable {
  /// The longest message that is taken, in bytes.
  private let limit: Int
  private var header: [UInt8] = []
  private var body: SecretBytes?
  private var filled = 0
  /// Bytes of a message without room that are still to come.
  private var left = 0
  private var isWhole = true
  private var descriptors = ReceivedDescriptors()
  private var writers = MessageWriters()

  /// Waits for a first message.
  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun and is not complete.
  package var isInsideMessage: Bool { !header.isEmpty }

  /// Takes what has arrived.
  /// - Parameters:
  ///   - socket: a connected stream socket.
  ///   - hasRoom: asked with the message's length before memory is taken for it. One that finds no
  ///     room is read past, and comes with its first bytes only.
  /// - Returns: the next message; nil while it is not complete.
  /// - Throws: ``StreamError``: `closed`, `truncated` when the other side ended inside a message,
  ///   `tooLong`, `system`. The stream is lost then.
  package mutating func next(
    from socket: Int32, hasRoom: (Int) -> Bool
  ) throws(StreamError) -> ReceivedMessage? {
    while header.count < MessageFraming.headerSize {
      guard try takeHeader(from: socket) else { return nil }
      guard header.count == MessageFraming.headerSize else { continue }
      let count = try MessageFraming.count(in: header.span, limit: limit)
      isWhole = hasRoom(count)
      let kept = isWhole ? count : min(count, Self.beginning)
      body = SecretBytes(count: kept)
      left = count - kept
    }
    guard try fill(from: socket), try skip(from: socket) else { return nil }
    return take()
  }

  /// Bytes that are kept of a message that found no room: enough for its number and id.
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

  /// - Returns: whether everything that is kept is there.
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

  /// - Returns: whether everything that is not kept has passed.
  private mutating func skip(from socket: Int32) throws(StreamError) -> Bool {
    while left > 0 {
      var piece = SecretBytes(count: min(left, 4096))
      let count = unsafe piece.withUnsafeMutableBytes { space in
        unsafe MessageFraming.read(socket, into: space, &descriptors, &writers)
      }
      guard let count = try arrived(count) else { return false }
      left -= count
    }
    return true
  }

  /// How many bytes a call brought; nil: nothing is there yet.
  private func arrived(_ count: Int) throws(StreamError) -> Int? {
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
    var arrived = ReceivedDescriptors()
    swap(&arrived, &descriptors)
    let message = ReceivedMessage(
      bytes: body.take() ?? SecretBytes(count: 0), isWhole: isWhole, writer: writers.only,
      descriptors: arrived)
    header = []
    filled = 0
    writers = MessageWriters()
    return message
  }
}
