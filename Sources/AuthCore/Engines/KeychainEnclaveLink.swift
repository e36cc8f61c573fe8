import EngineKit
import Synchronization
package import Wire

/// The service `enclave/1` of the keychain: passes on what ``KeychainPermits`` allow, to the
/// enclave of the request under way.
package final class KeychainEnclaveLink: Sendable {
  /// One request of the keychain, for as long as its caller waits.
  final class Ticket: Sendable {
    let enclave: Enclave
    let permits: KeychainPermits

    init(_ enclave: Enclave, _ permits: KeychainPermits) {
      self.enclave = enclave
      self.permits = permits
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

  /// The enclave's reply; a failure message where the keychain may not ask that; nil when the
  /// enclave has ended. The keychain's thread.
  package func forward(_ request: Span<UInt8>) -> SecretBytes? {
    guard let current = current.withLock({ $0 }), current.permits.allow(request) else {
      return Failure(.engineFailed, "a keychain may not ask this of the enclave").encoded()
    }
    do throws(Failure) {
      return try current.enclave.call(SecretBytes(copying: request))
    } catch {
      return nil
    }
  }
}

/// What a keychain may send to the enclave: seal, open and the attributes' batches; and open only
/// in the context of the request that is under way.
struct KeychainPermits {
  /// The context of the request under way, where it has one.
  let context: UInt64?

  private static let free: Set<UInt8> = [
    SealItem.number, SealAttributes.number, OpenAttributes.number, HashAttributes.number,
  ]

  /// Whether these bytes may go on to the enclave.
  func allow(_ request: Span<UInt8>) -> Bool {
    guard request.count > 0 else { return false }
    switch request[0] {
    case OpenItem.number, OpenWholeItem.number:
      return OpenItem.context(ofOpening: request).map { $0 == context } ?? false
    case let number: return Self.free.contains(number)
    }
  }
}
