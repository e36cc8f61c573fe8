import EngineKit
import Protocol

/// The enclave's memory that there is a keychain, so that a file that is gone is not taken for a new
/// one.
struct KeychainMark {
  let services: EngineServices

  func isSet() throws(Failure) -> Bool { try note(.asked) }

  /// To be called once the file is on the disk: a power loss before that leaves a new keychain.
  func set() throws(Failure) { _ = try note(.begun) }

  func remove() throws(Failure) { _ = try note(.forgotten) }

  /// - Returns: whether it was set before.
  private func note(_ mark: NoteKeychain.Mark) throws(Failure) -> Bool {
    let link = EnclaveLink(services: services, database: nil)
    let reply: KeychainNoted = try link.decode(link.call(NoteKeychain(mark: mark).encoded()))
    return reply.existed
  }
}
