import Cryptography
import Protocol

/// A key as it does its work: in the enclave, or by libcrypto in this process.
///
/// Any thread. Uses of the enclave's keys block while the owner is asked.
enum KeyMaterial: CustomStringConvertible {
  case enclave(EnclaveKeyUse)
  case privateKey(SoftwarePrivateKey)
  case publicKey(SoftwarePublicKey)

  /// Reads a key from its external form.
  init(
    _ bytes: borrowing SecretBytes, of family: SoftwareKeyFamily, isPrivate: Bool,
    _ purpose: String
  ) throws(KeyProblem) {
    do throws(CryptographyError) {
      self =
        isPrivate
        ? .privateKey(try SoftwarePrivateKey(external: bytes.bytes, of: family))
        : .publicKey(try SoftwarePublicKey(external: bytes.bytes, of: family))
    } catch {
      throw error.problem(purpose)
    }
  }

  var publicKey: SoftwarePublicKey {
    switch self {
    case .enclave(let use): use.publicKey
    case .privateKey(let key): key.publicKey
    case .publicKey(let key): key
    }
  }

  var kind: SoftwareKeyKind { publicKey.kind }

  var isPrivate: Bool {
    if case .publicKey = self { false } else { true }
  }

  /// Kind, size, half and place; nothing of a private key.
  var description: String {
    let family = kind.family == .rsa ? "RSA" : "elliptic curve"
    let half =
      switch self {
      case .enclave: "private, in the enclave"
      case .privateKey: "private"
      case .publicKey: "public"
      }
    return "<SecKey: \(family), \(kind.sizeInBits) bits, \(half)>"
  }

  // MARK: Algorithms

  /// Whether this half supports an operation by an algorithm.
  func supports(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    let needsPrivate = operation != .verify && operation != .encrypt
    guard needsPrivate == isPrivate else { return false }
    return switch (operation, algorithm.meaning) {
    case (.sign, .signature(let scheme)?), (.verify, .signature(let scheme)?):
      kind.supports(scheme)
    case (.encrypt, .encryption(let scheme)?), (.decrypt, .encryption(let scheme)?):
      kind.supports(scheme)
    case (.keyExchange, .agreement?): kind.family == .curve
    default: false
    }
  }

  /// The meaning of an algorithm.
  /// - Throws: `errSecParam` if this half does not support the operation by it.
  func meaning(
    of algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> KeyAlgorithm {
    guard let meaning = algorithm.meaning, supports(operation, algorithm) else {
      throw .parameter(
        "\(self) does not do “\(operation)” by \(algorithm.rawValue)",
        hint: "SecKeyIsAlgorithmSupported tells which operations and algorithms fit a key")
    }
    return meaning
  }

  // MARK: Operations

  func sign(_ input: Span<UInt8>, _ scheme: SignatureScheme) throws(KeyProblem) -> [UInt8] {
    switch self {
    case .publicKey:
      throw .parameter("a public key signs nothing", hint: "sign with the private half")
    case .privateKey(let key):
      return try doing("signing") { () throws(CryptographyError) in try key.sign(input, scheme) }
    case .enclave(let use):
      guard case .ecdsa(let form, let signed) = scheme else {
        throw .parameter(
          "keys of the enclave sign by ECDSA alone", hint: "use an algorithm ecdsaSignature…")
      }
      return try use.sign(input, signed, form)
    }
  }

  /// - Throws: `errSecVerifyFailed` for a signature that does not fit.
  func requireValid(
    _ signature: Span<UInt8>, over signed: Span<UInt8>, _ scheme: SignatureScheme
  ) throws(KeyProblem) {
    let isValid = try doing("verifying") { () throws(CryptographyError) in
      try publicKey.isValid(signature, over: signed, scheme)
    }
    guard isValid else {
      throw .status(
        errSecVerifyFailed, "the signature does not fit what was signed, or is another key's",
        hint: "give the signer's bytes, key and algorithm")
    }
  }

  func encrypt(
    _ plaintext: Span<UInt8>, _ scheme: EncryptionScheme
  ) throws(KeyProblem) -> [UInt8] {
    try doing("encrypting") { () throws(CryptographyError) in
      try publicKey.encrypt(plaintext, scheme)
    }
  }

  func decrypt(
    _ ciphertext: Span<UInt8>, _ scheme: EncryptionScheme
  ) throws(KeyProblem) -> SecretBytes {
    switch self {
    case .publicKey:
      throw .parameter("a public key decrypts nothing", hint: "decrypt with the private half")
    case .privateKey(let key):
      return try doing("decrypting") { () throws(CryptographyError) in
        try key.decrypt(ciphertext, scheme)
      }
    case .enclave(let use):
      guard case .ecies(let hash, let derivesNonce) = scheme else {
        throw .parameter(
          "keys of the enclave decrypt ECIES alone", hint: "use an algorithm eciesEncryption…")
      }
      return try use.decrypt(ciphertext, hash, derivesNonce: derivesNonce)
    }
  }

  /// The secret shared with another public key: an x coordinate.
  func sharedSecret(with other: KeyMaterial) throws(KeyProblem) -> SecretBytes {
    let publicKey = other.publicKey
    guard publicKey.kind == kind else {
      throw .parameter(
        "\(other) is not on the curve of \(self)",
        hint: "both sides need keys of one kind and size")
    }
    switch self {
    case .publicKey:
      throw .parameter("two public keys share nothing", hint: "give the private half of one side")
    case .privateKey(let key):
      return try doing("agreeing on a secret") { () throws(CryptographyError) in
        try key.sharedSecret(with: publicKey)
      }
    case .enclave(let use): return try use.exchange(publicKey.external)
    }
  }

  /// X9.63 for curves, PKCS #1 in DER for RSA.
  /// - Throws: `errSecUnimplemented` for a private key of the enclave.
  func external() throws(KeyProblem) -> SecretBytes {
    switch self {
    case .publicKey(let key): return SecretBytes(copying: key.external.span)
    case .privateKey(let key):
      return try doing("exporting a key") { () throws(CryptographyError) in try key.external() }
    case .enclave:
      throw .status(
        errSecUnimplemented, "the private half of a key of the enclave never leaves it",
        hint: "export the public half: SecKeyCopyPublicKey")
    }
  }
}
