import Glibc
import LinuxSystem
import Protocol
import Testing

/// The other end of a connection.
final class FakeClient {
  let stream: MessageStream
  private var last: UInt32 = 0
  /// How long a core under test may be silent, in milliseconds; many tests share a few processors.
  private static let timeout: Int32 = 120_000

  init(_ socket: consuming Descriptor) {
    stream = MessageStream(socket, limit: ClientEnvelope.longestReply)
  }

  /// Sends a request under a new id, which it returns.
  @discardableResult
  func send(_ message: borrowing some WireMessage & ~Copyable) throws -> UInt32 {
    last += 1
    try stream.send(ClientEnvelope.encode(message, request: last))
    return last
  }

  /// Sends a message for an engine under a new id, which it returns.
  @discardableResult
  func ask<Message: EngineMessage & ~Copyable>(
    _ message: borrowing Message, _ options: PromptOptions = .none,
    _ interaction: OwnerInteraction = .allowed, in context: UInt64 = noContext,
    unlocks: Bool = false
  ) throws -> UInt32 {
    try send(
      EngineRequest(
        engine: Message.engine, context: context, options: options, interaction: interaction,
        unlocks: unlocks, message: message.encoded()))
  }

  /// Sends something under an id that is in use.
  func send(_ message: borrowing some WireMessage & ~Copyable, request: UInt32) throws {
    try stream.send(ClientEnvelope.encode(message, request: request))
  }

  func send(raw bytes: [UInt8]) throws { try stream.send(SecretBytes(copying: bytes.span)) }

  /// The next message, which must be of this kind.
  func receive<Message: WireMessage & ~Copyable>(
    _ type: Message.Type = Message.self, request: UInt32? = nil
  ) throws -> Message {
    let received = try stream.receive(milliseconds: Self.timeout)
    let header = try ClientEnvelope.header(received.bytes.bytes)
    if header.number == Failure.number, Message.number != Failure.number {
      throw try ClientEnvelope.decode(received.bytes.bytes, as: Failure.self)
    }
    #expect(header.number == Message.number, "another message than expected")
    if let request { #expect(header.request == request) }
    return try ClientEnvelope.decode(received.bytes.bytes)
  }

  /// The next message that is no progress must be this prompt.
  func receivePrompt() throws -> Prompt { try receiveAfterProgress().value }

  /// The next message that is no progress, and the progress before it.
  func receiveAfterProgress<Message: WireMessage>(
    _ type: Message.Type = Message.self
  ) throws -> (value: Message, progress: [Progress.Event]) {
    var progress: [Progress.Event] = []
    while true {
      let received = try stream.receive(milliseconds: Self.timeout)
      let header = try ClientEnvelope.header(received.bytes.bytes)
      if header.number == Progress.number {
        progress.append(try ClientEnvelope.decode(received.bytes.bytes, as: Progress.self).event)
        continue
      }
      if header.number == Failure.number, Message.number != Failure.number {
        throw try ClientEnvelope.decode(received.bytes.bytes, as: Failure.self)
      }
      #expect(header.number == Message.number, "another message than expected")
      return (try ClientEnvelope.decode(received.bytes.bytes), progress)
    }
  }

  /// The code of the failure that comes next, after any progress.
  func receiveFailure() throws -> FailureCode { try receiveAfterProgress(Failure.self).value.code }

  func answer(
    _ prompt: Prompt, _ kind: PromptAnswer.Kind, _ passcode: String = "", request: UInt32
  ) throws {
    try send(
      PromptAnswer(
        prompt: prompt.prompt, kind: kind,
        passcode: SecretBytes(copying: Array(passcode.utf8).span)), request: request)
  }

  /// Whether the core has ended the connection; what it said before is read past.
  func isDisconnected() -> Bool {
    while true {
      do throws(StreamError) {
        _ = try stream.receive(milliseconds: Self.timeout)
      } catch {
        return error == .closed || error == .truncated
      }
    }
  }
}

/// What an engine was asked, out of its envelope where it came in one.
struct OpenedRequest {
  /// Of the message inside.
  let number: UInt8
  /// The message inside.
  let message: [UInt8]
  /// Empty without an envelope.
  let application: String
  let context: ContextName

  /// Nil where the bytes are no message.
  init?(_ request: [UInt8]) {
    do {
      switch request.first {
      case ApplicationRequest.number:
        let envelope = try ApplicationRequest(decoding: request.span)
        message = Self.array(envelope.message)
        application = envelope.context.requester.application
        context = envelope.context
      case KeychainRequest.number:
        let envelope = try KeychainRequest(decoding: request.span)
        message = Self.array(envelope.message)
        application = ""
        context = envelope.context
      default:
        message = request
        application = ""
        context = ContextName(noContext, of: Requester(application: "", connection: 0))
      }
    } catch {
      return nil
    }
    guard let first = message.first else { return nil }
    number = first
  }

  private static func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
