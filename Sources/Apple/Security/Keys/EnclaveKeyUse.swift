import CoreClient
import Cryptography
import Protocol
import Synchronization

/// A private key of the enclave's as an application uses it. Any thread; every use is a request that
/// asks the owner for what the key's access control demands.
final class EnclaveKeyUse: Sendable {
  let key: EnclaveKey
  let publicKey: SoftwarePublicKey
  private let authentication: KeyAuthentication
  private let client: ApplicationClient
  /// Whether the key is removed with this value, unless it is kept (`kSecAttrIsPermanent` false).
  let isTemporary: Bool
  private let isKept = Atomic(false)

  /// - Throws: `errSecDecode` for a key whose public half is not a point of the curve.
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

  /// The tag of keys that live as long as their ``SecKey``: another run of the program has no use for
  /// them.
  static let temporaryTag = Array("authcore.temporary.".utf8)
  /// The tag of each ``RepresentedKey``.
  static let representedTag = Array("authcore.represented".utf8)

  /// Whether queries leave a key out, because nothing is to be found by its attributes.
  static func isHidden(_ key: EnclaveKey) -> Bool {
    key.applicationTag.starts(with: temporaryTag) || key.applicationTag == representedTag
  }

  /// Lets a temporary key outlive this value.
  func keep() { isKept.store(true, ordering: .relaxed) }

  private var query: KeyQuery { KeyQuery(identifier: key.identifier, group: key.group) }

  // A temporary key stays if it cannot be removed because the device is locked or the core is gone:
  // `authcore key list` shows it.
  deinit {
    guard isTemporary, !isKept.load(ordering: .relaxed) else { return }
    let _: ItemsChanged? = try? client.ask(RemoveKey(query: query), .forbidden)
  }

  // MARK: Operations

  private static let digestSize = HashFunction.sha256.size

  /// The form of messages that the enclave itself decrypts.
  private static let form = ECIESForm(
    hash: .sha256, derivesNonce: false, coordinateSize: P256PrivateKey.size)

  /// Hashes the input here and has the enclave sign the hash.
  func sign(
    _ input: Span<UInt8>, _ signed: SignedInput, _ form: ECDSAForm
  ) throws(KeyProblem) -> [UInt8] {
    let digest = try doing("signing") { () throws(CryptographyError) in
      try signed.digest(of: input)
    }
    // ECDSA signs a number: the first 256 bits of a longer hash, and a shorter hash behind zeros
    // (FIPS 186-5 §6.4.1). So the enclave, which takes 32 bytes, signs any hash.
    let number =
      [UInt8](repeating: 0, count: max(0, Self.digestSize - digest.count))
      + digest.prefix(Self.digestSize)
    let der = try use(.sign, number).copied
    guard form == .rfc4754 else { return der }
    return try doing("signing") { () throws(CryptographyError) in
      try ECDSASignature(der: der).raw
    }
  }

  /// Decrypts in the enclave if it knows the form and the message is short enough; else here, with the
  /// secret that the enclave shares with the ephemeral key.
  func decrypt(
    _ ciphertext: Span<UInt8>, _ hash: HashFunction, derivesNonce: Bool
  ) throws(KeyProblem) -> SecretBytes {
    let form = ECIESForm(
      hash: hash, derivesNonce: derivesNonce, coordinateSize: Self.form.coordinateSize)
    guard let point = form.ephemeralPoint(of: ciphertext),
      (try? SoftwarePublicKey(external: point.span, of: .curve)) != nil
    else { throw CryptographyError.notAuthentic.problem("decrypting") }
    if form == Self.form, ciphertext.count <= largestItemSecret {
      do throws(KeyProblem) {
        return try use(.decrypt, ciphertext.indices.map { ciphertext[$0] })
      } catch {
        guard case .failed(let failure) = error, failure.code == .errSecDecode else { throw error }
        throw CryptographyError.notAuthentic.problem("decrypting")
      }
    }
    let secret = try exchange(point)
    do throws(CryptographyError) {
      return try form.open(ciphertext, sharedSecret: secret)
    } catch {
      throw error.problem("decrypting")
    }
  }

  /// The secret shared with the owner of a point of the curve.
  func exchange(_ point: [UInt8]) throws(KeyProblem) -> SecretBytes { try use(.exchange, point) }

  private func use(
    _ operation: KeyOperation, _ input: [UInt8]
  ) throws(KeyProblem) -> SecretBytes {
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
      else { throw .failed(error) }
      let name = [key.label, key.name].first { !$0.isEmpty } ?? "use a key of this application"
      throw .failed(
        Failure(
          .notInteractive, "using the key \(name) demands a proof, but nobody may be asked",
          hint: "allow interaction in the context, or evaluate it before"))
    }
  }
}

/// The context in which a key is used.
enum KeyAuthentication: @unchecked Sendable {
  // Sendable: a context of LocalAuthentication can be asked on any thread.
  /// Each use stands alone.
  case none
  /// The context as it was when the key was found.
  case lent(_Authentication)
  /// The context as it is when the key is used.
  case context(any _AuthenticationContext)

  init(_ context: (any _AuthenticationContext)?) { self = context.map { .context($0) } ?? .none }

  /// What a use goes by at this moment, or nil if it stands alone.
  var current: _Authentication? {
    switch self {
    case .none: nil
    case .lent(let authentication): authentication
    case .context(let context): context._authentication
    }
  }
}
