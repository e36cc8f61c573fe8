import CLibcrypto
package import Cryptography
package import Protocol

/// How bytes are encrypted to a public key.
package enum EncryptionScheme: Hashable, Sendable {
  /// RSA without padding (RFC 8017 §5.1); decrypting gives as many bytes as the modulus has.
  case rsaRaw
  /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2). A failure reveals something about the plaintext
  /// (Bleichenbacher), so others must not learn whether decrypting failed.
  case rsaPKCS1
  /// RSAES-OAEP (RFC 8017 §7.1) with MGF1 of the same hash function and no label.
  case rsaOAEP(HashFunction)
  /// A random key wrapped by RSAES-OAEP, and any number of bytes by AES-GCM under it: 128 bits for
  /// moduli below 4,096 bits, else 256. The nonce is sixteen zero bytes, and the public key in PKCS
  /// #1 is authenticated, too. Source: SecKeyAdaptors.m of Apple's Security 59754.
  case rsaOAEPWithAESGCM(HashFunction)
  /// See ``ECIESForm``.
  case ecies(HashFunction, derivesNonce: Bool)

  package var family: SoftwareKeyFamily {
    if case .ecies = self { .curve } else { .rsa }
  }
}

extension SoftwareKeyKind {
  /// Whether keys of this kind support the scheme.
  package func supports(_ scheme: EncryptionScheme) -> Bool {
    guard scheme.family == family else { return false }
    return switch scheme {
    case .rsaRaw, .rsaPKCS1, .ecies: true
    // The least that RSAES-OAEP needs (RFC 8017 §7.1.1), and with a key inside.
    case .rsaOAEP(let hash): blockSize >= 2 * hash.size + 2
    case .rsaOAEPWithAESGCM(let hash): blockSize >= 2 * hash.size + 2 + wrappedKeySize
    }
  }

  /// The longest plaintext in bytes, or nil if there is no limit.
  package func longestPlaintext(_ scheme: EncryptionScheme) -> Int? {
    switch scheme {
    case .rsaRaw: blockSize
    case .rsaPKCS1: blockSize - 11
    case .rsaOAEP(let hash): blockSize - 2 * hash.size - 2
    case .rsaOAEPWithAESGCM, .ecies: nil
    }
  }

  /// Bytes of the key that ``EncryptionScheme/rsaOAEPWithAESGCM(_:)`` wraps.
  var wrappedKeySize: Int { sizeInBits >= 4096 ? 32 : 16 }

  func require(_ scheme: EncryptionScheme) throws(CryptographyError) {
    guard supports(scheme) else { throw .invalidParameter(field: "algorithm") }
  }
}

extension SoftwarePublicKey {
  /// Encrypts for the owner of the private half.
  /// - Parameters:
  ///   - plaintext: at most ``SoftwareKeyKind/longestPlaintext(_:)`` bytes.
  ///   - scheme: how.
  ///   - sharedInfo: information that both sides of ECIES agree on.
  /// - Returns: what the private half decrypts by the same scheme.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a scheme that is not of this kind
  ///   of key, and for a plaintext that is too long.
  package func encrypt(
    _ plaintext: Span<UInt8>, _ scheme: EncryptionScheme, sharedInfo: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    try kind.require(scheme)
    switch scheme {
    case .rsaRaw:
      guard let number = try RSAPrimitive.applyPublic(key, plaintext) else {
        throw .invalidParameter(field: "plaintext")
      }
      return number.copied
    case .rsaPKCS1: return try encrypt(plaintext, RSAPadding.pkcs1)
    case .rsaOAEP(let hash): return try encrypt(plaintext, RSAPadding.oaep(hash))
    case .rsaOAEPWithAESGCM(let hash):
      let messageKey = try RandomBytes.secret(count: kind.wrappedKeySize)
      let wrapped = try encrypt(messageKey.bytes, RSAPadding.oaep(hash))
      return try OneMessageCipher.seal(
        plaintext, behind: wrapped, key: messageKey, authenticating: external)
    case .ecies(let hash, let derivesNonce):
      let ephemeral = try SoftwarePrivateKey(generating: kind)
      let form = ECIESForm(
        hash: hash, derivesNonce: derivesNonce, coordinateSize: kind.blockSize)
      return try form.seal(
        plaintext, ephemeral: ephemeral.publicKey.external,
        sharedSecret: ephemeral.sharedSecret(with: self), sharedInfo: sharedInfo)
    }
  }

  private func encrypt(
    _ plaintext: Span<UInt8>, _ padding: RSAPadding
  ) throws(CryptographyError) -> [UInt8] {
    let encrypted = try unsafe key.context().run(
      .encrypt, plaintext, longest: kind.blockSize
    ) { unsafe padding.configure($0) }
    guard let encrypted = encrypted?.copied else { throw .invalidParameter(field: "plaintext") }
    return encrypted
  }
}

extension SoftwarePrivateKey {
  /// Decrypts what was encrypted for this key.
  /// - Throws: ``CryptographyError/notAuthentic`` for a damaged message, another key or another
  ///   scheme; ``CryptographyError/invalidParameter(field:)`` for a scheme that is not of this kind
  ///   of key.
  package func decrypt(
    _ ciphertext: Span<UInt8>, _ scheme: EncryptionScheme, sharedInfo: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    try kind.require(scheme)
    switch scheme {
    case .rsaRaw:
      guard let number = try RSAPrimitive.applyPrivate(key, ciphertext) else { throw .notAuthentic }
      return number
    case .rsaPKCS1: return try decrypt(ciphertext, RSAPadding.pkcs1)
    case .rsaOAEP(let hash): return try decrypt(ciphertext, RSAPadding.oaep(hash))
    case .rsaOAEPWithAESGCM(let hash):
      guard ciphertext.count >= kind.blockSize + OneMessageCipher.tagSize else {
        throw .notAuthentic
      }
      let messageKey = try decrypt(
        ciphertext.extracting(0..<kind.blockSize), RSAPadding.oaep(hash))
      guard messageKey.count == kind.wrappedKeySize else { throw .notAuthentic }
      return try OneMessageCipher.open(
        ciphertext.extracting(kind.blockSize..<ciphertext.count), key: messageKey,
        authenticating: publicKey.external)
    case .ecies(let hash, let derivesNonce):
      let form = ECIESForm(
        hash: hash, derivesNonce: derivesNonce, coordinateSize: kind.blockSize)
      guard let point = form.ephemeralPoint(of: ciphertext),
        let ephemeral = try? SoftwarePublicKey(external: point.span, of: .curve)
      else { throw .notAuthentic }
      return try form.open(
        ciphertext, sharedSecret: sharedSecret(with: ephemeral), sharedInfo: sharedInfo)
    }
  }

  private func decrypt(
    _ ciphertext: Span<UInt8>, _ padding: RSAPadding
  ) throws(CryptographyError) -> SecretBytes {
    guard let block = RSAPrimitive.padded(ciphertext, to: kind.blockSize),
      let plaintext = try unsafe key.context().run(
        .decrypt, block.bytes, longest: kind.blockSize,
        configure: { unsafe padding.configure($0) })
    else { throw .notAuthentic }
    return plaintext
  }
}

/// The padding of a plaintext for RSA.
private enum RSAPadding {
  case pkcs1
  case oaep(HashFunction)

  /// Sets it in libcrypto's context.
  @unsafe func configure(_ context: OpaquePointer) -> Bool {
    switch self {
    case .pkcs1: unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .oaep(let hash):
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash.algorithm) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.algorithm) == 1
    }
  }
}

/// How the secret that two keys share is used.
package enum AgreementScheme: Hashable, Sendable {
  /// The x coordinate (SP 800-56A §5.7.1.2). It is not a key: derive one from it.
  case raw
  /// Any number of bytes, by X9.63.
  case x963(HashFunction)

  /// The result for a shared secret.
  /// - Parameters:
  ///   - secret: an x coordinate.
  ///   - count: how many bytes, 1…``X963/longest``; not used by ``raw``.
  ///   - sharedInfo: what both sides agree on; not used by ``raw``.
  /// - Returns: the secret, or the bytes derived from it.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a count outside of its limits.
  package func result(
    from secret: consuming SecretBytes, count: Int, sharedInfo: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    switch self {
    case .raw: secret
    case .x963(let hash):
      try X963.deriveKey(from: secret, sharedInfo: sharedInfo, hash: hash, count: count)
    }
  }
}

extension SoftwarePrivateKey {
  /// The secret shared with the owner of `other` (ECDH): the x coordinate. On these curves, whose
  /// cofactor is 1, ECDH with cofactor gives the same.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` if the keys are not on one curve.
  package func sharedSecret(
    with other: SoftwarePublicKey
  ) throws(CryptographyError) -> SecretBytes {
    guard case .curve(let curve) = kind, other.kind == kind else {
      throw .invalidParameter(field: "public key")
    }
    return try key.context().sharedSecret(with: other.key, count: curve.coordinateSize)
  }
}
