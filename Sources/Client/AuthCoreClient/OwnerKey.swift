import CoreClient
public import Protocol

/// A P-256 key whose private half never leaves the enclave.
public struct OwnerKey: Sendable {
  private let keychain: OwnerKeychain
  private let key: EnclaveKey

  fileprivate init(_ key: EnclaveKey, of keychain: OwnerKeychain) {
    (self.key, self.keychain) = (key, keychain)
  }

  /// The name for people, unique in its access group.
  public var name: String { key.name }
  /// The public half: 4, x, y; 65 bytes (SEC 1 §2.3.3).
  public var publicKey: [UInt8] { key.publicKey }
  /// What using it demands, or nil for nothing.
  public var accessControl: AccessControl? { key.accessControl }

  /// Signs with ECDSA. The owner is asked if the access control demands a missing proof.
  /// - Parameters:
  ///   - digest: the SHA-256 hash of what is signed, 32 bytes.
  ///   - reason: what the owner permits; nil for the key's name.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: the signature in DER.
  /// - Throws: `errSecParam` for a digest of another length; the failures of a prompt.
  public func sign(
    digest: [UInt8], reason: String? = nil, with proof: OwnerProof? = nil
  ) async throws(Failure) -> [UInt8] {
    let used = try await use(.sign, digest, reason, proof)
    return used.output.copied
  }

  /// Agrees on a secret with the owner of another key (ECDH).
  /// - Parameters:
  ///   - publicKey: the other side's, 65 bytes as ``publicKey``.
  ///   - reason: what the owner permits; nil for the key's name.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: the shared x coordinate, 32 bytes.
  /// - Throws: `errSecParam` for bytes that are not a point of the curve; the failures of a prompt.
  public func sharedSecret(
    with publicKey: [UInt8], reason: String? = nil, with proof: OwnerProof? = nil
  ) async throws(Failure) -> SecretBytes {
    try await use(.exchange, publicKey, reason, proof).takeOutput()
  }

  /// Removes it for good.
  public func remove() async throws(Failure) {
    let query = query
    try await keychain.use { (keychain) throws(Failure) in try keychain.removeKey(query) }
  }

  private var query: KeyQuery {
    var query = KeyQuery()
    query.identifier = key.identifier
    query.group = key.group
    return query
  }

  private func use(
    _ operation: KeyOperation, _ input: [UInt8], _ reason: String?, _ proof: OwnerProof?
  ) async throws(Failure) -> KeyUsed {
    let query = query
    return try await keychain.use(Prompting(reason: reason ?? name), in: proof) {
      (keychain) throws(Failure) in try keychain.use(query, to: operation, input)
    }
  }
}

extension OwnerKeychain {
  /// Makes a key in the enclave; asks nobody.
  /// - Parameters:
  ///   - name: a name for people, not empty, at most 1,024 bytes.
  ///   - protection: when it can be reached, and what using it demands. Its class becomes a
  ///     this-device-only one.
  ///   - group: the access group; nil for the application's own.
  /// - Returns: the key.
  /// - Throws: `errSecDuplicateItem`, `errSecParam`, `passcodeNotSet`, `biometryNotEnrolled`,
  ///   `errSecInteractionNotAllowed`.
  public func makeKey(
    named name: String, guardedBy protection: KeychainGuard = KeychainGuard(),
    group: String? = nil
  ) async throws(Failure) -> OwnerKey {
    var message = CreateKey(
      name: name, accessibility: protection.accessibility.onThisDeviceOnly,
      accessControl: protection.accessControl)
    message.group = group ?? ""
    let create = message
    let key = try await use { (keychain) throws(Failure) in try keychain.makeKey(create) }
    return OwnerKey(key, of: self)
  }

  /// The key of a name.
  /// - Throws: `errSecItemNotFound`, `errSecInteractionNotAllowed`.
  public func key(named name: String, group: String? = nil) async throws(Failure) -> OwnerKey {
    var wanted = KeyQuery(name: name)
    wanted.group = group
    let query = wanted
    let found = try await use { (keychain) throws(Failure) in try keychain.keys(query) }
    guard let key = found.first else {
      throw Failure(.errSecItemNotFound, "There is no key \u{201C}\(name)\u{201D}")
    }
    return OwnerKey(key, of: self)
  }
}
