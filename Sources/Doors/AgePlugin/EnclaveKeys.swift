import CoreClient
import Cryptography
import LinuxSystem
import Protocol

/// The keys of the command in the enclave, by a connection to the core.
struct EnclaveKeys: AgeKeys {
  private let client = ApplicationClient(
    ApplicationSettings(
      environment: .current(), applicationName: "age-plugin-authcore", asksOnTerminal: true,
      takesAnyRelease: false), actingFor: RunningProcess.parent())

  /// The keychain for one request, which gives the owner this reason; without one it never prompts.
  private func keychain(_ reason: String?) -> Keychain {
    Keychain(
      client,
      reason.map { Prompting(reason: $0, unlocks: true) } ?? .forbidden)
  }

  private static func query() -> KeyQuery {
    var query = KeyQuery()
    query.group = commandApplication
    return query
  }

  /// All keys that can be reached; never prompts.
  func all() throws(Failure) -> [EnclaveKey] {
    do throws(Failure) {
      return try keychain(nil).keys(Self.query())
    } catch  where error.code == .errSecItemNotFound {
      return []
    }
  }

  /// The key with this name.
  func key(named name: String) throws(Failure) -> EnclaveKey {
    var query = Self.query()
    query.name = name
    guard let key = try keychain("find the key \(name)").keys(query).first else {
      throw Self.missing
    }
    return key
  }

  /// Makes a key.
  func make(_ name: String, _ control: AccessControl?) throws(Failure) -> EnclaveKey {
    let creation = CreateKey(
      name: name, accessibility: .whenUnlockedThisDeviceOnly, accessControl: control)
    return try keychain("make the key \(name)").makeKey(creation)
  }

  /// The key of an identity; never prompts.
  private func key(of identity: AgeIdentity) throws(Failure) -> EnclaveKey {
    var query = Self.query()
    query.applicationLabel = identity.hash
    guard let key = try keychain(nil).keys(query).first else { throw Self.missing }
    return key
  }

  func recipient(of identity: AgeIdentity) throws(Failure) -> AgeRecipient {
    try AgeRecipient(key(of: identity).point())
  }

  func fileKey(in stanza: TaggedStanza, for identity: AgeIdentity) throws(Failure) -> SecretBytes {
    // A locked device does not tell the key's name, and the prompt to unlock it is the only one.
    var known: EnclaveKey?
    do throws(Failure) {
      known = try key(of: identity)
    } catch  where error.code == .errSecInteractionNotAllowed {
    }
    var query = Self.query()
    query.identifier = known?.identifier
    query.applicationLabel = known == nil ? identity.hash : nil
    let reason = "open a file with the key \(known?.name ?? identity.text)"
    let shared = try keychain(reason).use(query, to: .exchange, stanza.encapsulated.point)
    let key = if let known { known } else { try key(of: identity) }
    let point = try key.point()
    do throws(CryptographyError) {
      return try stanza.open(sharedSecret: shared.output, by: point)
    } catch {
      throw Failure(.errSecDecode, "The stanza does not open: it was changed")
    }
  }

  private static let missing = Failure(
    .errSecItemNotFound, "The enclave has no such key", hint: "authcore key list shows all.")
}

extension EnclaveKey {
  /// The public half.
  func point() throws(Failure) -> P256PublicKey {
    try cryptographic { () throws(CryptographyError) in try P256PublicKey(point: publicKey) }
  }
}
