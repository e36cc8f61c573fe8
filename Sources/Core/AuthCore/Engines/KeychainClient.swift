import Protocol
import Synchronization

/// The keychain engine, and its way to the enclave.
///
/// Any thread may call; calls take turns. What the keychain asks of the enclave during a request
/// goes to the enclave of that request.
final class KeychainClient: Sendable {
  let path: String
  private let engine: EngineThread
  private let link: KeychainEnclaveLink

  /// `engine` was given `link` as its service `enclave/1`.
  init(path: String, link: KeychainEnclaveLink, engine: EngineThread) {
    self.path = path
    self.link = link
    self.engine = engine
  }

  /// Sends one request for `call`, which may open items in `context`, and reads the reply within
  /// its turn.
  func ask<R: ~Copyable>(
    for call: Call, context: ContextName, _ make: () throws(Failure) -> SecretBytes,
    read: (borrowing SecretBytes) throws(Failure) -> R
  ) throws(Failure) -> R {
    let ticket = KeychainEnclaveLink.Ticket(call.enclave.client, context: context)
    defer { link.end(ticket) }
    return try engine.call(
      call.inbox,
      make: { () throws(Failure) in
        let request = try make()
        link.begin(ticket)
        return request
      }, read: read)
  }

  /// Asks for a reply of this kind, and throws the failure that the keychain may answer with.
  func ask<Reply: WireMessage & ~Copyable>(
    _ request: borrowing some WireMessage & ~Copyable, for call: Call,
    reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    var bytes: SecretBytes? = request.encoded()
    return try ask(for: call, context: call.noEvidence) { () throws(Failure) in
      bytes.take() ?? SecretBytes(count: 0)
    } read: { (reply) throws(Failure) in
      try EngineAnswer.decode(reply, from: "keychain")
    }
  }
}

/// The service `enclave/1` of the keychain: passes its requests, unread and with the context of the
/// current request, to the enclave of that request. The enclave decides what may be asked.
final class KeychainEnclaveLink: Sendable {
  /// One request to the keychain, for as long as its caller waits.
  final class Ticket: Sendable {
    let enclave: EnclaveClient
    /// The context in which items may be opened; ``Protocol/noContext`` if the request has none.
    let context: ContextName

    init(_ enclave: EnclaveClient, context: ContextName) {
      self.enclave = enclave
      self.context = context
    }
  }

  private let current = Mutex<Ticket?>(nil)

  init() {}

  /// The keychain begins to work for this request.
  func begin(_ ticket: Ticket) { current.withLock { $0 = ticket } }

  /// Passes nothing on for this request any more, even if the keychain still works on it.
  func end(_ ticket: Ticket) { current.withLock { if $0 === ticket { $0 = nil } } }

  /// The enclave's reply, or a failure message if no request is under way; nil if the enclave has
  /// ended. The keychain's thread.
  func forward(_ request: Span<UInt8>) -> SecretBytes? {
    guard let current = current.withLock({ $0 }) else {
      return Failure(.engineFailed, "nobody has asked the keychain for anything").encoded()
    }
    do throws(Failure) {
      return try current.enclave.call(
        KeychainRequest.head(context: current.context, count: request.count), request)
    } catch {
      return nil
    }
  }
}

/// The policy engine, which names the next step.
struct PolicyAdvice: Sendable {
  let path: String
  private let engine: EngineThread

  init(path: String, engine: EngineThread) {
    self.path = path
    self.engine = engine
  }

  /// The policy's advice. Any thread. `inbox` tells when the request that asks is interrupted.
  func step(
    _ question: PolicyQuestion, for inbox: RequestInbox? = nil
  ) throws(Failure) -> PolicyStep.Action {
    try engine.call(inbox) { () throws(Failure) in
      question.encoded()
    } read: { (reply) throws(Failure) in
      try EngineAnswer.decode(reply, as: PolicyStep.self, from: "policy").action
    }
  }
}

/// Reads the answers of engines, which are checked like all bytes from outside.
enum EngineAnswer {
  /// Decodes a reply of this kind, or throws the failure that `engine` answered with.
  static func decode<Reply: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, as reply: Reply.Type = Reply.self, from engine: String
  ) throws(Failure) -> Reply {
    if number(of: bytes) == Failure.number { throw refusal(bytes, from: engine) }
    do {
      return try Reply.decode(bytes.bytes)
    } catch {
      throw unreadable(engine, reason: "\(error)")
    }
  }

  static func number(of bytes: borrowing SecretBytes) -> UInt8? {
    bytes.count > 0 ? bytes.bytes[0] : nil
  }

  static func refusal(_ bytes: borrowing SecretBytes, from engine: String) -> Failure {
    do {
      return try Failure.decode(bytes.bytes)
    } catch {
      return unreadable(engine, reason: "\(error)")
    }
  }

  /// The failure for an answer that makes no sense.
  static func unreadable(_ engine: String, reason: String) -> Failure {
    Failure(
      .engineFailed, "the \(engine) engine gave an answer that makes no sense (\(reason))",
      hint: "the engine's file may be of another version: see authcore status")
  }
}
