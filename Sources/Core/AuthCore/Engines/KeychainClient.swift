import Protocol

/// The keychain engine, and its way to the enclave.
///
/// Any thread may call; calls take turns. While one runs, what the keychain asks of the enclave
/// goes to the enclave of that request.
package final class KeychainClient: Sendable {
  /// The engine's file.
  package let path: String
  private let engine: EngineThread
  private let link: KeychainEnclaveLink

  /// The engine on its thread, which was given `link` as its service `enclave/1`.
  package init(path: String, link: KeychainEnclaveLink, engine: EngineThread) {
    self.path = path
    self.link = link
    self.engine = engine
  }

  /// Sends one request for `call` and reads the reply within its turn. Items may be opened in
  /// `context`.
  func ask<R: ~Copyable>(
    for call: Call, context: ContextName, _ make: () throws(Failure) -> SecretBytes,
    read: (borrowing SecretBytes) throws(Failure) -> R
  ) throws(Failure) -> R {
    let ticket = KeychainEnclaveLink.Ticket(call.enclave, context: context)
    defer { link.end(ticket) }
    return try engine.call(
      call.inbox,
      make: { () throws(Failure) in
        let request = try make()
        link.begin(ticket)
        return request
      }, read: read)
  }

  /// Asks for a reply of this kind; a failure the keychain answers with is thrown.
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
