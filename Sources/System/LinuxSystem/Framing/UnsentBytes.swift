import Glibc
package import Protocol
import Synchronization

/// Messages for a client that reads slowly. Nobody waits for it: what its socket does not take
/// stays here, in `SecretBytes`, until there is room.
package struct UnsentBytes: ~Copyable, Sendable {
  private final class Remainder: Sendable {
    private let header: [UInt8]
    private let message: Mutex<SecretBytes>
    let count: Int
    /// Held as long as the message.
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
  /// Bytes of the first message that were taken.
  private var sent = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { messages.isEmpty }

  /// Sends a message as far as there is room, after the kept ones, and keeps the rest.
  /// - Parameters:
  ///   - message: the message.
  ///   - socket: a connected stream socket that does not block.
  ///   - owner: held as long as a part of the message is kept.
  /// - Throws: ``StreamError``: `closed` if the reader is gone, `system`.
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

  /// Sends as much of the kept messages as there is room for.
  /// - Returns: whether any byte was taken.
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

  package mutating func drop() {
    messages = []
    sent = 0
    count = 0
  }

  /// The number of bytes that a call took; nil: no room.
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
