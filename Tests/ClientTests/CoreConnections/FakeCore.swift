import Glibc
import LinuxSystem
import Protocol

@testable import CoreClient

/// A core that follows a test's script, on a thread of its own behind a socketpair.
final class FakeCore: Sendable {
  /// The steps of a script.
  struct Line: ~Copyable, Sendable {
    let stream: MessageStream

    /// Waits for a message of this kind.
    /// - Returns: the message and the id it came under.
    func hear<Message: WireMessage & ~Copyable>(
      _ type: Message.Type = Message.self
    ) throws -> Heard<Message> {
      let received = try stream.receive()
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

  /// A message from a client.
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

/// A socket with a path, which remains after the value, like that of a killed core.
final class Listening: Sendable {
  private let descriptor: Descriptor

  struct CannotListen: Error {}

  init(_ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = Descriptor(owning: number)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, listen(number, 4) == 0 else { throw CannotListen() }
  }

  /// Follows `script` with the first client.
  func serve(_ script: (borrowing FakeCore.Line) throws -> Void) throws {
    let number = accept(descriptor.number, nil, nil)
    guard number >= 0 else { throw CannotListen() }
    try script(
      FakeCore.Line(
        stream: MessageStream(Descriptor(owning: number), limit: ClientEnvelope.longestRequest)))
  }
}

/// An agent that gives prepared answers and remembers what it saw.
final class RecordingAgent: PromptAgent {
  var answers: [PromptAnswer.Kind]
  var prompts: [Prompt] = []
  var events: [Progress.Event] = []
  var ends = 0
  /// Readable when the request is to be cancelled.
  var cancelDescriptor: Int32?

  init(_ answers: PromptAnswer.Kind...) { self.answers = answers }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    prompts.append(prompt)
    guard !answers.isEmpty else { return }
    try conversation.answer(PromptAnswer(prompt: prompt.prompt, kind: answers.removeFirst()))
  }

  func tell(_ progress: Progress.Event) { events.append(progress) }

  var watchedDescriptors: [Int32] { cancelDescriptor.map { [$0] } ?? [] }

  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    cancelDescriptor = nil
    try conversation.cancelRequest()
  }

  func requestEnded() { ends += 1 }
}
