package import Protocol

/// A form of encryption to a key on a curve, as Apple's `eciesEncryption…X963…AESGCM` name them.
///
/// An ephemeral key agrees with the recipient's; X9.63 makes a key of the shared x coordinate and
/// the ephemeral point, and of the shared information that both sides may add: 16 bytes for
/// AES-128-GCM on curves of 256 bits, 32 for AES-256-GCM on larger ones. The nonce of 16 bytes
/// follows from the same derivation (`…VariableIV…`), or is all zeros: every message has a key of
/// its own. Source: SecKeyAdaptors.m of Apple's Security 59754. `Standard` and `Cofactor` are the
/// same on curves whose cofactor is 1.
package struct ECIESForm: Equatable, Sendable {
  /// Of the derivation.
  package let hash: HashFunction
  /// Whether the nonce is derived; else it is all zeros.
  package let derivesNonce: Bool
  /// Bytes of a coordinate on the curve.
  package let coordinateSize: Int

  /// A form on the curve whose coordinates have this many bytes.
  package init(hash: HashFunction, derivesNonce: Bool, coordinateSize: Int) {
    (self.hash, self.derivesNonce, self.coordinateSize) = (hash, derivesNonce, coordinateSize)
  }

  /// Bytes of the ephemeral point, with which a message begins.
  package var pointSize: Int { 1 + 2 * coordinateSize }
  /// How much longer an encrypted message is than what is in it: the ephemeral point and the tag.
  package var overhead: Int { pointSize + OneMessageCipher.tagSize }

  /// Encrypts.
  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - point: the ephemeral public key, used this once, uncompressed.
  ///   - secret: what it shares with the recipient: an x coordinate.
  ///   - sharedInfo: what else both sides know and mean.
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

  /// The ephemeral point that an encrypted message begins with; nil where it is too short to be one.
  /// Whether it is a point is not asked.
  package func ephemeralPoint(of sealed: Span<UInt8>) -> [UInt8]? {
    sealed.count >= overhead ? (0..<pointSize).map { sealed[$0] } : nil
  }

  /// Decrypts; `secret` is what the recipient's key shares with the ephemeral point of the message.
  /// Nothing of a plaintext leaves before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` for what is too short, was changed, or was
  ///   encrypted for another key or in another form.
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
    let size: GCMContext.KeySize = coordinateSize * 8 > 256 ? .aes256 : .aes128
    return size.rawValue
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
