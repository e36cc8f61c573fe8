package import Protocol

/// Encryption to a P-256 key in the form of Apple's `eciesEncryptionCofactorX963SHA256AESGCM`, so
/// that the other side can be an Apple device: what keys of the enclave are encrypted to.
package enum ECIES {
  private static let form = ECIESForm(
    hash: .sha256, derivesNonce: false, coordinateSize: P256PrivateKey.size)

  /// How much longer an encrypted message is than what is in it: the ephemeral point and the tag.
  package static let overhead = form.overhead

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
    let secret = try ephemeral.sharedSecret(with: key)
    return try form.seal(
      plaintext, ephemeral: ephemeral.publicKey.point, sharedSecret: secret)
  }

  /// Decrypts what was encrypted for `key`. Nothing of a plaintext leaves before its tag was
  /// checked.
  /// - Throws: ``CryptographyError/notAuthentic`` for what is too short, begins with no point of the
  ///   curve, was changed, or was encrypted for another key.
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
