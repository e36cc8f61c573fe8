package import Protocol
import Synchronization

/// The service `enclave/1` of the keychain: passes on what that asks, unread and with the context
/// of the request under way, to the enclave of that request. What may be asked the enclave decides.
package final class KeychainEnclaveLink: Sendable {
  /// One request of the keychain, for as long as its caller waits.
  final class Ticket: Sendable {
    let enclave: EnclaveClient
    /// Items may be opened in it; its number is ``Protocol/noContext`` where the request has none.
    let context: ContextName

    init(_ enclave: EnclaveClient, context: ContextName) {
      self.enclave = enclave
      self.context = context
    }
  }

  private let current = Mutex<Ticket?>(nil)

  /// A link without a request.
  package init() {}

  /// From here on the keychain works for this request.
  func begin(_ ticket: Ticket) { current.withLock { $0 = ticket } }

  /// Nothing is passed on for this request any more, whether the keychain is done with it or not.
  func end(_ ticket: Ticket) {
    current.withLock { if $0 === ticket { $0 = nil } }
  }

  /// The enclave's reply; a failure message where no request is under way; nil when the enclave has
  /// ended. The keychain's thread.
  package func forward(_ request: Span<UInt8>) -> SecretBytes? {
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
