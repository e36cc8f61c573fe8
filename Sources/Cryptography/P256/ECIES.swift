package import Wire

/// Encryption to a P-256 key in the form of Apple's `eciesEncryptionCofactorX963SHA256AESGCM`, so
/// that the other side can be an Apple device.
///
/// An ephemeral key agrees with the recipient's; X9.63 with SHA-256 makes 16 bytes of the shared x
/// coordinate and the ephemeral point; they are the key of AES-128-GCM, whose nonce is 16 zero
/// bytes: every message has a key of its own. Nothing is authenticated besides. Sources: SecKey.h
/// (`kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM`) and SecKeyAdaptors.m of Apple's
/// Security; the cofactor of P-256 is 1.
package enum ECIES {
  /// How much longer an encrypted message is than what is in it: the ephemeral point and the tag.
  package static let overhead = P256PublicKey.size + AES256GCM.tagSize

  private static let nonce = [UInt8](repeating: 0, count: 16)

  /// Encrypts for the owner of `key`.
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

  /// ``seal(_:to:)`` with an ephemeral key that is used this once; for vectors.
  static func seal(
    _ plaintext: Span<UInt8>, to key: P256PublicKey, ephemeral: consuming P256PrivateKey
  ) throws(CryptographyError) -> [UInt8] {
    guard plaintext.count <= AES256GCM.limit else { throw .invalidParameter(field: "plaintext") }
    let point = ephemeral.publicKey.point
    let messageKey = try messageKey(ephemeral, with: key, ephemeral: point)
    var sealed = point
    sealed.append(contentsOf: repeatElement(0, count: plaintext.count + AES256GCM.tagSize))
    let cipher = try GCMContext(.seal, .aes128, key: messageKey, nonce: nonce)
    try unsafe sealed.withUnsafeMutableBufferPointer { (target) throws(CryptographyError) in
      let text = unsafe UnsafeMutableBufferPointer(rebasing: target[P256PublicKey.size...])
      try unsafe cipher.update(plaintext, into: text)
      try unsafe cipher.finishSealing(
        tag: UnsafeMutableBufferPointer(rebasing: text[plaintext.count...]))
    }
    return sealed
  }

  /// Decrypts what was encrypted for `key`. Nothing of a plaintext leaves before its tag was
  /// checked.
  /// - Throws: ``CryptographyError/notAuthentic`` for what is too short, begins with no point of the
  ///   curve, was changed, or was encrypted for another key.
  package static func open(
    _ sealed: Span<UInt8>, with key: borrowing P256PrivateKey
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= overhead else { throw .notAuthentic }
    let point = (0..<P256PublicKey.size).map { sealed[$0] }
    let tag = (sealed.count - AES256GCM.tagSize..<sealed.count).map { sealed[$0] }
    let ciphertext = sealed.extracting(P256PublicKey.size..<sealed.count - AES256GCM.tagSize)
    guard ciphertext.count <= AES256GCM.limit else { throw .notAuthentic }
    let ephemeral: P256PublicKey
    do throws(CryptographyError) {
      ephemeral = try P256PublicKey(point: point)
    } catch .invalidKey {
      throw .notAuthentic
    }
    let messageKey = try messageKey(key, with: ephemeral, ephemeral: point)
    var plaintext = SecretBytes(count: ciphertext.count)
    let cipher = try GCMContext(.open, .aes128, key: messageKey, nonce: nonce)
    try unsafe plaintext.withUnsafeMutableBytes { (target) throws(CryptographyError) in
      try unsafe cipher.update(ciphertext, into: target.assumingMemoryBound(to: UInt8.self))
    }
    guard cipher.finishOpening(tag: tag) else { throw .notAuthentic }
    return plaintext
  }

  private static func messageKey(
    _ own: borrowing P256PrivateKey, with other: P256PublicKey, ephemeral point: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    try X963SHA256.deriveKey(
      from: own.sharedSecret(with: other), sharedInfo: point,
      count: GCMContext.KeySize.aes128.rawValue)
  }
}
