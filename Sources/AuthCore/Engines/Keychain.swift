import Synchronization
package import Wire

/// The keychain engine, and its way to the enclave.
///
/// Any thread may call; calls take turns. While one runs, what the keychain asks of the enclave goes to the enclave of that request.
package final class Keychain: Sendable {
  /// The engine's file.
  package let path: String
  private let exchange: @Sendable (consuming SecretBytes) throws(Failure) -> SecretBytes
  private let link: KeychainEnclaveLink
  private let turn = Mutex(())

  /// The engine behind the mailbox `exchange`, which was given `link` as its service `enclave/1`.
  package init(
    path: String, link: KeychainEnclaveLink,
    exchange: @escaping @Sendable (consuming SecretBytes) throws(Failure) -> SecretBytes
  ) {
    self.path = path
    self.link = link
    self.exchange = exchange
  }

  /// Sends one request and gives the reply as it came. Items may be opened in `context`, where the request has one.
  func call(
    _ request: borrowing some WireMessage & ~Copyable, enclave: Enclave, context: UInt64? = nil
  ) throws(Failure) -> SecretBytes {
    var bytes: SecretBytes? = request.encoded()
    let outcome = turn.withLock { _ -> Result<SecretBytes, Failure> in
      link.begin(enclave, KeychainPermits(context: context))
      defer { link.end() }
      do throws(Failure) {
        guard let bytes = bytes.take() else { preconditionFailure("the body runs once") }
        return .success(try exchange(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Asks for a reply of this kind; a failure the keychain answers with is thrown.
  func ask<Reply: WireMessage & ~Copyable>(
    _ request: borrowing some WireMessage & ~Copyable, enclave: Enclave,
    for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try EngineAnswer.decode(try call(request, enclave: enclave), from: "keychain")
  }
}
