package import Protocol

/// Encrypts to a P-256 key in the form of Apple's `eciesEncryptionCofactorX963SHA256AESGCM`, so
/// that the other side can be an Apple device.
package enum ECIES {
  private static let form = ECIESForm(
    hash: .sha256, derivesNonce: false, coordinateSize: P256PrivateKey.size)

  /// Bytes that encryption adds: the ephemeral point and the tag.
  package static let overhead = form.overhead

  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - key: the recipient's.
  /// - Returns: ephemeral point (65), ciphertext, tag (16).
  /// - Throws: ``CryptographyError``.
  package static func seal(
    _ plaintext: Span<UInt8>, to key: P256PublicKey
  ) throws(CryptographyError) -> [UInt8] {
    try seal(plaintext, to: key, ephemeral: P256PrivateKey())
  }

  /// ``seal(_:to:)`` with a given ephemeral key; for test vectors.
  static func seal(
    _ plaintext: Span<UInt8>, to key: P256PublicKey, ephemeral: consuming P256PrivateKey
  ) throws(CryptographyError) -> [UInt8] {
    let secret = try ephemeral.sharedSecret(with: key)
    return try form.seal(
      plaintext, ephemeral: ephemeral.publicKey.point, sharedSecret: secret)
  }

  /// Decrypts a message, and returns no plaintext before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` if it is too short, does not begin with a point
  ///   of the curve, was changed, or was encrypted for another key.
  package static func open(
    _ sealed: Span<UInt8>, with key: borrowing P256PrivateKey
  ) throws(CryptographyError) -> SecretBytes {
    guard let point = form.ephemeralPoint(of: sealed) else { throw .notAuthentic }
    let ephemeral: P256PublicKey
    do throws(CryptographyError) {
      ephemeral = try P256PublicKey(point: point)
    } catch .invalidKey {
      throw .notAuthentic
    }
    return try form.open(sealed, sharedSecret: key.sharedSecret(with: ephemeral))
  }
}

/// A form of encryption to a key on a curve, one of Apple's `eciesEncryption…X963…AESGCM`.
///
/// An ephemeral key agrees with the recipient's; X9.63 makes a key of the shared x coordinate and
/// the ephemeral point, and of the shared information that both sides may add: 16 bytes for
/// AES-128-GCM on curves of 256 bits, 32 for AES-256-GCM on larger ones. The nonce of 16 bytes
/// follows from the same derivation (`…VariableIV…`), or is all zeros: every message has a key of
/// its own. Source: SecKeyAdaptors.m of Apple's Security 59754. `Standard` and `Cofactor` are the
/// same on curves whose cofactor is 1.
package struct ECIESForm: Equatable, Sendable {
  package let hash: HashFunction
  /// If not, the nonce is all zeros.
  package let derivesNonce: Bool
  package let coordinateSize: Int

  package init(hash: HashFunction, derivesNonce: Bool, coordinateSize: Int) {
    (self.hash, self.derivesNonce, self.coordinateSize) = (hash, derivesNonce, coordinateSize)
  }

  /// Bytes of the ephemeral point that begins a message.
  package var pointSize: Int { 1 + 2 * coordinateSize }
  /// Bytes that encryption adds: the ephemeral point and the tag.
  package var overhead: Int { pointSize + OneMessageCipher.tagSize }

  /// Encrypts.
  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - point: the ephemeral public key, used this once, uncompressed.
  ///   - secret: the x coordinate shared with the recipient.
  ///   - sharedInfo: other bytes that both sides know.
  /// - Returns: ephemeral point, ciphertext, tag (16).
  /// - Throws: ``CryptographyError``.
  package func seal(
    _ plaintext: Span<UInt8>, ephemeral point: [UInt8], sharedSecret secret: borrowing SecretBytes,
    sharedInfo: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    let derived = try derive(from: secret, point + sharedInfo)
    let nonce = nonce(in: derived)
    return try OneMessageCipher.seal(
      plaintext, behind: point, key: derived.extracting(0..<keySize), nonce: nonce)
  }

  /// The ephemeral point that begins a message, unchecked; nil if the message is too short.
  package func ephemeralPoint(of sealed: Span<UInt8>) -> [UInt8]? {
    sealed.count >= overhead ? (0..<pointSize).map { sealed[$0] } : nil
  }

  /// Decrypts with the secret that the recipient's key shares with the ephemeral point. Returns no
  /// plaintext before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` if it is too short, was changed, or was encrypted
  ///   for another key or in another form.
  package func open(
    _ sealed: Span<UInt8>, sharedSecret secret: borrowing SecretBytes, sharedInfo: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    guard let point = ephemeralPoint(of: sealed) else { throw .notAuthentic }
    let derived = try derive(from: secret, point + sharedInfo)
    let nonce = nonce(in: derived)
    return try OneMessageCipher.open(
      sealed.extracting(pointSize..<sealed.count), key: derived.extracting(0..<keySize),
      nonce: nonce)
  }

  private var keySize: Int {
    (coordinateSize * 8 > 256 ? AuthenticatedCipher.aes256GCM : .aes128GCM).keySize
  }

  private func derive(
    from secret: borrowing SecretBytes, _ info: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    try X963.deriveKey(
      from: secret, sharedInfo: info, hash: hash,
      count: keySize + (derivesNonce ? OneMessageCipher.zeroNonce.count : 0))
  }

  private func nonce(in derived: borrowing SecretBytes) -> [UInt8] {
    guard derivesNonce else { return OneMessageCipher.zeroNonce }
    return (keySize..<derived.count).map { derived.bytes[$0] }
  }
}

/// AES-GCM (NIST SP 800-38D) or another cipher under a key for one message, so the nonce may be
/// anything: the last step of encryption to a public key.
package enum OneMessageCipher {
  package static let tagSize = AES256GCM.tagSize
  /// The nonce if the form of a message has none.
  package static let zeroNonce = [UInt8](repeating: 0, count: 16)

  /// Encrypts and authenticates.
  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - head: the unencrypted beginning of the message.
  ///   - key: 16 or 32 bytes, for this message only.
  ///   - cipher: nil for AES-GCM with a key of that size.
  ///   - nonce: at least one byte.
  ///   - associated: authenticated but not contained in the result.
  /// - Returns: head, ciphertext, tag.
  /// - Throws: ``CryptographyError``.
  package static func seal(
    _ plaintext: Span<UInt8>, behind head: [UInt8], key: borrowing SecretBytes,
    by cipher: AuthenticatedCipher? = nil, nonce: [UInt8] = zeroNonce,
    authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    guard plaintext.count <= AES256GCM.limit else { throw .invalidParameter(field: "plaintext") }
    let cipher = try CipherContext(.seal, cipher ?? gcm(of: key), key: key, nonce: nonce)
    try cipher.authenticate(associated)
    var sealed = head
    sealed.reserveCapacity(head.count + plaintext.count + tagSize)
    sealed.append(contentsOf: repeatElement(0, count: plaintext.count + tagSize))
    try unsafe sealed.withUnsafeMutableBufferPointer { (target) throws(CryptographyError) in
      let text = unsafe UnsafeMutableBufferPointer(rebasing: target[head.count...])
      try unsafe cipher.update(plaintext, into: text)
      try unsafe cipher.finishSealing(
        tag: UnsafeMutableBufferPointer(rebasing: text[plaintext.count...]))
    }
    return sealed
  }

  /// Decrypts a message without its head. Returns no plaintext before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` if it is too short, was changed, or was encrypted
  ///   under another key.
  package static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, by cipher: AuthenticatedCipher? = nil,
    nonce: [UInt8] = zeroNonce, authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= tagSize, sealed.count <= AES256GCM.limit else { throw .notAuthentic }
    let count = sealed.count - tagSize
    let tag = (count..<sealed.count).map { sealed[$0] }
    let cipher = try CipherContext(.open, cipher ?? gcm(of: key), key: key, nonce: nonce)
    try cipher.authenticate(associated)
    var plaintext = SecretBytes(count: count)
    try unsafe plaintext.withUnsafeMutableBytes { (target) throws(CryptographyError) in
      try unsafe cipher.update(
        sealed.extracting(0..<count), into: target.assumingMemoryBound(to: UInt8.self))
    }
    guard cipher.finishOpening(tag: tag) else { throw .notAuthentic }
    return plaintext
  }

  private static func gcm(of key: borrowing SecretBytes) -> AuthenticatedCipher {
    key.count == AuthenticatedCipher.aes128GCM.keySize ? .aes128GCM : .aes256GCM
  }
}
