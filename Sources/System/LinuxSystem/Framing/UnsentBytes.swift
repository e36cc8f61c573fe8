import Glibc
package import Protocol
import Synchronization

/// Messages for a client that does not read as fast as they come. Nobody waits for it: what its
/// socket does not take lies here, in memory as safe as the messages' own, until there is room.
package struct UnsentBytes: ~Copyable, Sendable {
  private final class Remainder: Sendable {
    private let header: [UInt8]
    private let message: Mutex<SecretBytes>
    let count: Int
    /// What lives as long as the message has to lie here.
    let owner: (any Sendable)?

    init(_ message: consuming sending SecretBytes, _ owner: (any Sendable)?) {
      header = MessageFraming.header(count: message.count)
      count = header.count + message.count
      self.message = Mutex(message)
      self.owner = owner
    }

    func write(to socket: Int32, from sent: Int) -> Int {
      let header = header
      return message.withLock { MessageFraming.write(socket, header.span, $0.bytes, from: sent) }
    }
  }

  private var messages: [Remainder] = []
  /// Bytes of the first one that have been taken.
  private var sent = 0
  /// Bytes that lie here.
  package private(set) var count = 0

  /// Nothing.
  package init() {}

  /// Whether everything has been taken.
  package var isEmpty: Bool { messages.isEmpty }

  /// Sends a message as far as there is room, after what lies here; the rest is kept.
  /// - Parameters:
  ///   - message: the message.
  ///   - socket: a connected stream socket that does not block.
  ///   - owner: what is held as long as a part of the message is kept.
  /// - Throws: ``StreamError``: `closed` when nobody reads any more, `system`.
  package mutating func send(
    _ message: borrowing SecretBytes, on socket: Int32, holding owner: (any Sendable)?
  ) throws(StreamError) {
    var taken = 0
    if messages.isEmpty {
      let header = MessageFraming.header(count: message.count)
      let total = header.count + message.count
      while taken < total {
        let count = MessageFraming.write(socket, header.span, message.bytes, from: taken)
        guard let count = try Self.taken(count) else { break }
        taken += count
      }
      if taken == total { return }
      sent = taken
    }
    let rest = Remainder(message.duplicate(), owner)
    messages.append(rest)
    count += rest.count - taken
  }

  /// Sends as much of what lies here as there is room for.
  /// - Returns: whether any of it was taken.
  /// - Throws: as ``send(_:on:holding:)``.
  package mutating func sendRest(on socket: Int32) throws(StreamError) -> Bool {
    var isAnyTaken = false
    while let first = messages.first {
      guard let taken = try Self.taken(first.write(to: socket, from: sent)) else { break }
      isAnyTaken = true
      sent += taken
      count -= taken
      if sent == first.count {
        messages.removeFirst()
        sent = 0
      }
    }
    return isAnyTaken
  }

  /// Gives up what lies here.
  package mutating func drop() {
    messages = []
    sent = 0
    count = 0
  }

  /// How many bytes a call took; nil: there is no room.
  private static func taken(_ count: Int) throws(StreamError) -> Int? {
    if count >= 0 { return count }
    switch errno {
    case EINTR: return 0
    case EAGAIN: return nil
    case EPIPE, ECONNRESET: throw .closed
    default: throw .system(call: "sendmsg", errno: errno)
    }
  }
}
