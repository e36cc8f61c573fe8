package import Protocol

/// A recipient of age on P-256 (C2SP age, "The p256tag recipient type"): what files are encrypted
/// to. age 1.3 and rage know it without a plugin.
package struct AgeRecipient: Equatable, Sendable {
  /// The prefix that is written, and the one that names our plugin.
  private static let prefixes = ["age1tag", "age1authcore"]

  package let key: P256PublicKey

  package init(_ key: P256PublicKey) { self.key = key }

  /// - Throws: ``CryptographyError/invalidKey`` if the text is no such recipient.
  package init(_ text: String) throws(CryptographyError) {
    guard let (prefix, bytes) = Bech32.decoded(text), Self.prefixes.contains(prefix) else {
      throw .invalidKey
    }
    key = try P256PublicKey(compressed: bytes)
  }

  package var text: String { Bech32.encoded(key.compressed, prefix: Self.prefixes[0]) }
}

/// What an identity file says of a key in an enclave. It is a name, not a secret.
package struct AgeIdentity: Hashable, Sendable {
  private static let prefix = "age-plugin-authcore-"
  private static let version: UInt8 = 1
  package static let hashSize = 16

  /// The first ``hashSize`` bytes of SHA-256 over the compressed point.
  package let hash: [UInt8]

  package init(of key: P256PublicKey) throws(CryptographyError) {
    hash = Array(try SHA2.sha256(key.compressed.span).prefix(Self.hashSize))
  }

  /// Nil if the text is not an identity of this plugin.
  package init?(_ text: String) {
    guard let (prefix, bytes) = Bech32.decoded(text), prefix == Self.prefix,
      bytes.count == 1 + Self.hashSize, bytes[0] == Self.version
    else { return nil }
    hash = Array(bytes.dropFirst())
  }

  package var text: String {
    Bech32.encoded([Self.version] + hash, prefix: Self.prefix).uppercased()
  }
}

/// A file key wrapped for one recipient: the stanza `p256tag` of a file's header (C2SP age).
package struct TaggedStanza: Equatable, Sendable {
  package static let type = "p256tag"
  /// In bytes.
  package static let fileKeySize = 16
  private static let tagSize = 4
  private static let info = Array("age-encryption.org/p256tag".utf8)

  private let tag: [UInt8]
  /// The ephemeral key.
  package let encapsulated: P256PublicKey
  /// The file key, encrypted.
  package let body: [UInt8]

  /// Wraps a file key. A given `ephemeral` key is for test vectors.
  package init(
    wrapping fileKey: borrowing SecretBytes, to recipient: AgeRecipient,
    ephemeral: consuming P256PrivateKey? = nil
  ) throws(CryptographyError) {
    let sealed = try HPKE.seal(
      fileKey.bytes, to: recipient.key, info: Self.info, ephemeral: ephemeral)
    encapsulated = P256PublicKey(unchecked: sealed.encapsulated)
    body = sealed.ciphertext
    tag = try Self.tag(of: encapsulated, AgeIdentity(of: recipient.key))
  }

  /// Reads the words behind the type, and the body.
  /// - Throws: ``CryptographyError`` if anything has the wrong form.
  package init(_ words: some Collection<String>, body: [UInt8]) throws(CryptographyError) {
    let decoded = words.compactMap { word -> [UInt8]? in
      Base64.decoded(unpadded: Array(word.utf8).span)?.copied
    }
    guard words.count == 2, decoded.count == 2, decoded[0].count == Self.tagSize else {
      throw .invalidParameter(field: "tag")
    }
    guard body.count == Self.fileKeySize + OneMessageCipher.tagSize else {
      throw .invalidParameter(field: "body")
    }
    (tag, encapsulated, self.body) = (decoded[0], try P256PublicKey(point: decoded[1]), body)
  }

  /// The words behind the type.
  package var words: [String] {
    [tag, encapsulated.point].map { bytes in
      String(decoding: Base64.encoded(unpadded: bytes.span).copied, as: UTF8.self)
    }
  }

  /// Whether the tag names this identity. One in 2³² other identities has the same tag.
  package func isFor(_ identity: AgeIdentity) throws(CryptographyError) -> Bool {
    try Self.tag(of: encapsulated, identity) == tag
  }

  /// Opens it with what the recipient's private key shares with ``encapsulated``.
  /// - Returns: the file key.
  /// - Throws: ``CryptographyError/notAuthentic`` if it was wrapped for another key, or changed.
  package func open(
    sharedSecret: borrowing SecretBytes, by key: P256PublicKey
  ) throws(CryptographyError) -> SecretBytes {
    try HPKE.open(
      body.span, encapsulated: encapsulated.point, sharedSecret: sharedSecret, by: key,
      info: Self.info)
  }

  private static func tag(
    of encapsulated: P256PublicKey, _ identity: AgeIdentity
  ) throws(CryptographyError) -> [UInt8] {
    let message = encapsulated.point + identity.hash.prefix(4)
    let code = try HMACSHA256.code(for: message.span, with: SecretBytes(copying: info.span))
    return Array(code.prefix(tagSize))
  }
}
