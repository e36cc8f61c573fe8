import Glibc
import LinuxSystem
import Protocol

@testable import CoreClient

/// A core that says what a test tells it to, on a thread of its own behind a socketpair.
final class FakeCore: Sendable {
  /// What a script can do; each call is one step of the conversation.
  struct Line: ~Copyable, Sendable {
    let stream: MessageStream

    /// Waits for a message of this kind.
    /// - Returns: the message and the id it came under.
    func hear<Message: WireMessage & ~Copyable>(
      _ type: Message.Type = Message.self
    ) throws -> Heard<Message> {
      let received = try stream.receive(milliseconds: 5000)
      let header = try ClientEnvelope.header(received.bytes.bytes)
      return Heard(
        request: header.request, message: try ClientEnvelope.decode(received.bytes.bytes))
    }

    func say<Message: WireMessage & ~Copyable>(
      _ message: borrowing Message, to request: UInt32
    ) throws {
      try stream.send(ClientEnvelope.encode(message, request: request))
    }

    func greet(version: UInt32 = ClientEnvelope.version, isService: Bool = false) throws {
      let hello: Heard<Hello> = try hear()
      try say(
        Welcome(
          protocolVersion: version, softwareVersion: ClientEnvelope.softwareVersion,
          isService: isService, process: 7), to: hello.request)
    }
  }

  /// What a client said.
  struct Heard<Message: WireMessage & ~Copyable>: ~Copyable {
    let request: UInt32
    let message: Message
  }

  /// Connects a client to a core that follows `script`, then closes the connection.
  static func connect(
    _ script: @escaping @Sendable (borrowing Line) throws -> Void
  ) throws -> CoreConnection {
    var ends: [Int32] = [-1, -1]
    _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    let far = ends[1]
    SystemThread.start(name: "fake core") {
      let line = Line(
        stream: MessageStream(Descriptor(owning: far), limit: ClientEnvelope.longestRequest))
      // A script that fails closes the connection, which the test sees.
      try? script(line)
    }
    return try CoreConnection(greeting: Descriptor(owning: ends[0]))
  }
}
