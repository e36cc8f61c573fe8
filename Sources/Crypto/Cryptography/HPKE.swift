package import Protocol

/// Encryption of one message to a P-256 key (RFC 9180, base mode): DHKEM(P-256, HKDF-SHA256),
/// HKDF-SHA256, ChaCha20-Poly1305, without associated data.
package enum HPKE {
  private static let kem: [UInt8] = Array("KEM".utf8) + [0x00, 0x10]
  private static let suite: [UInt8] =
    Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x03]
  private static let keySize = AuthenticatedCipher.chaCha20Poly1305.keySize
  private static let nonceSize = 12

  /// Encrypts.
  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - key: the recipient's.
  ///   - info: what the message is for.
  ///   - ephemeral: a fresh key; a given one is for test vectors.
  /// - Returns: the ephemeral point, 65 bytes, and the ciphertext with its tag.
  /// - Throws: ``CryptographyError``.
  package static func seal(
    _ plaintext: Span<UInt8>, to key: P256PublicKey, info: [UInt8],
    ephemeral: consuming P256PrivateKey? = nil
  ) throws(CryptographyError) -> (encapsulated: [UInt8], ciphertext: [UInt8]) {
    let sender = if let ephemeral { ephemeral } else { try P256PrivateKey() }
    let point = sender.publicKey.point
    let message = try messageKey(sender.sharedSecret(with: key), point, key, info)
    let ciphertext = try OneMessageCipher.seal(
      plaintext, behind: [], key: message.key, by: .chaCha20Poly1305, nonce: message.nonce)
    return (point, ciphertext)
  }

  /// Decrypts with the x coordinate that the recipient's private key shares with the ephemeral
  /// point.
  /// - Parameters:
  ///   - ciphertext: with its tag.
  ///   - encapsulated: the ephemeral point, 65 bytes.
  ///   - sharedSecret: 32 bytes.
  ///   - key: the recipient's.
  ///   - info: what the message is for.
  /// - Returns: the plaintext, after its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` if anything was changed.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulated: [UInt8], sharedSecret: borrowing SecretBytes,
    by key: P256PublicKey, info: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    let message = try messageKey(sharedSecret, encapsulated, key, info)
    return try OneMessageCipher.open(
      ciphertext, key: message.key, by: .chaCha20Poly1305, nonce: message.nonce)
  }

  private struct MessageKey: ~Copyable {
    let key: SecretBytes
    let nonce: [UInt8]
  }

  /// Key and nonce of the only message (RFC 9180 §4.1 and §5.1).
  private static func messageKey(
    _ exchanged: borrowing SecretBytes, _ encapsulated: [UInt8], _ recipient: P256PublicKey,
    _ info: [UInt8]
  ) throws(CryptographyError) -> MessageKey {
    let agreed = try extract(exchanged.bytes, "eae_prk", in: kem)
    let shared = try expand(
      agreed, "shared_secret", encapsulated + recipient.point, in: kem, count: 32)
    let context: [UInt8] =
      [0] + (try extract(Span(), "psk_id_hash")).copied
      + (try extract(info.span, "info_hash")).copied
    let secret = try extract(Span(), "secret", salt: shared.bytes)
    let nonce = try expand(secret, "base_nonce", context, count: nonceSize)
    let key = try expand(secret, "key", context, count: keySize)
    return MessageKey(key: key, nonce: nonce.copied)
  }

  /// LabeledExtract of RFC 9180 §4.
  private static func extract(
    _ input: Span<UInt8>, _ label: String, salt: Span<UInt8> = Span(), in suite: [UInt8] = suite
  ) throws(CryptographyError) -> SecretBytes {
    var labeled = WireEncoder(capacity: input.count + 64)
    labeled.writeRaw((Array("HPKE-v1".utf8) + suite + Array(label.utf8)).span)
    labeled.writeRaw(input)
    return try HKDFSHA256.extract(from: labeled.finish().bytes, salt: salt)
  }

  /// LabeledExpand of RFC 9180 §4.
  private static func expand(
    _ key: borrowing SecretBytes, _ label: String, _ info: [UInt8], in suite: [UInt8] = suite,
    count: Int
  ) throws(CryptographyError) -> SecretBytes {
    let labeled = [UInt8(count >> 8), UInt8(count & 255)] + Array("HPKE-v1".utf8) + suite
    return try HKDFSHA256.expand(
      key, purpose: labeled + Array(label.utf8) + info, count: count)
  }
}
