import CoreClient
import Cryptography
import Protocol

/// A private key of the enclave's as an application uses it. Any thread; every use is a request that
/// asks the owner for what the key's access control says.
final class EnclaveKeyUse: Sendable {
  let key: EnclaveKey
  /// The half that others may know.
  let publicKey: SoftwarePublicKey
  private let authentication: KeyAuthentication
  private let client: ApplicationClient
  /// Whether the key goes with this value (`kSecAttrIsPermanent` false).
  let isTemporary: Bool

  /// - Throws: `errSecDecode` for a key whose public half is none.
  init(
    _ key: EnclaveKey, _ authentication: KeyAuthentication, isTemporary: Bool = false
  ) throws(Failure) {
    do throws(CryptographyError) {
      publicKey = try SoftwarePublicKey(external: key.publicKey.span, of: .curve)
    } catch {
      throw Failure(
        .errSecDecode, "the public half of the key \(key.identifier) is no point of P-256",
        hint: "run: authcore keychain check")
    }
    (self.key, self.authentication, self.isTemporary) = (key, authentication, isTemporary)
    client = .current
  }

  /// What a key that goes with its ``SecKey`` is found by, and left out by queries: another run of
  /// the program has no use for it.
  static let temporaryTag = Array("authcore.temporary.".utf8)

  /// Whether a key was made to go with its ``SecKey``.
  static func isTemporary(_ key: EnclaveKey) -> Bool {
    key.applicationTag.starts(with: temporaryTag)
  }

  /// Uses the private half.
  /// - Throws: what the owner, the keychain or the enclave refuses it for.
  func use(_ operation: KeyOperation, _ input: [UInt8]) throws(Failure) -> SecretBytes {
    let authentication = authentication.current
    var prompting = authentication?.prompting ?? .ofApplication
    prompting.unlocks = prompting.isAllowed && authentication != nil
    do throws(Failure) {
      let used: KeyUsed = try client.ask(
        UseKey(query: query, operation: operation, input: input), prompting,
        in: authentication?.context)
      return used.output.duplicate()
    } catch {
      guard error.code == .errSecInteractionNotAllowed, !prompting.isAllowed,
        key.accessControl != nil
      else { throw error }
      throw Failure(
        .notInteractive, "using the key \(purpose) takes a proof, and nobody may be asked",
        hint: "allow interaction in the context, or evaluate it before")
    }
  }

  private var query: KeyQuery {
    var query = KeyQuery()
    (query.identifier, query.group) = (key.identifier, key.group)
    return query
  }

  /// What the owner is told where nobody has said anything: how the key is called.
  private var purpose: String {
    [key.label, key.name].first { !$0.isEmpty } ?? "use a key of this application"
  }

  // A temporary key that cannot be removed, since the device is locked or the core is gone, stays:
  // `authcore key list` shows it.
  deinit {
    guard isTemporary else { return }
    let _: ItemsChanged? = try? client.ask(RemoveKey(query: query), .forbidden)
  }
}

/// The context that uses of a key are made in.
enum KeyAuthentication: @unchecked Sendable {
  // Sendable: a context of LocalAuthentication gives what it lends to any thread.
  /// None: each use stands alone.
  case none
  /// As it was when the key was found.
  case lent(_Authentication)
  /// As it is when the key is used.
  case context(any _AuthenticationContext)

  /// What a use goes by at this moment; nil: it stands alone.
  var current: _Authentication? {
    switch self {
    case .none: nil
    case .lent(let authentication): authentication
    case .context(let context): context._authentication
    }
  }
}
