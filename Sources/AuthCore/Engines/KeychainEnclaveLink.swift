import Synchronization
package import Wire

/// The service `enclave/1` of the keychain: passes on what ``KeychainPermits`` allow, to the enclave of the request under way.
package final class KeychainEnclaveLink: Sendable {
  private struct Current {
    let enclave: Enclave
    let permits: KeychainPermits
  }

  private let current = Mutex<Current?>(nil)

  /// A link without a request.
  package init() {}

  func begin(_ enclave: Enclave, _ permits: KeychainPermits) {
    current.withLock { $0 = Current(enclave: enclave, permits: permits) }
  }

  func end() { current.withLock { $0 = nil } }

  /// The enclave's reply; a failure message where the keychain may not ask that; nil when the enclave has ended. The keychain's thread.
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
