import CLibcrypto
package import Cryptography
package import Protocol

extension SoftwarePublicKey {
  /// Encrypts for the owner of the private half.
  /// - Parameters:
  ///   - plaintext: at most ``SoftwareKeyKind/longestPlaintext(_:)`` bytes.
  ///   - scheme: how.
  ///   - sharedInfo: what both sides of ECIES know and mean besides.
  /// - Returns: what the private half decrypts by the same scheme.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a scheme that is not of this kind of
  ///   key, and for a plaintext that is too long.
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
  /// - Throws: ``CryptographyError/notAuthentic`` for what is damaged, for another key or of another
  ///   scheme, whichever; ``CryptographyError/invalidParameter(field:)`` for a scheme that is not of
  ///   this kind of key.
  package func decrypt(
    _ sealed: Span<UInt8>, _ scheme: EncryptionScheme, sharedInfo: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    try kind.require(scheme)
    switch scheme {
    case .rsaRaw:
      guard let number = try RSAPrimitive.applyPrivate(key, sealed) else { throw .notAuthentic }
      return number
    case .rsaPKCS1: return try decrypt(sealed, RSAPadding.pkcs1)
    case .rsaOAEP(let hash): return try decrypt(sealed, RSAPadding.oaep(hash))
    case .rsaOAEPWithAESGCM(let hash):
      guard sealed.count >= kind.blockSize + OneMessageCipher.tagSize else { throw .notAuthentic }
      let messageKey = try decrypt(
        sealed.extracting(0..<kind.blockSize), RSAPadding.oaep(hash))
      guard messageKey.count == kind.wrappedKeySize else { throw .notAuthentic }
      return try OneMessageCipher.open(
        sealed.extracting(kind.blockSize..<sealed.count), key: messageKey,
        authenticating: publicKey.external)
    case .ecies(let hash, let derivesNonce):
      let form = ECIESForm(
        hash: hash, derivesNonce: derivesNonce, coordinateSize: kind.blockSize)
      guard let point = form.ephemeralPoint(of: sealed),
        let ephemeral = try? SoftwarePublicKey(external: point.span, of: .curve)
      else { throw .notAuthentic }
      return try form.open(
        sealed, sharedSecret: sharedSecret(with: ephemeral), sharedInfo: sharedInfo)
    }
  }

  private func decrypt(
    _ sealed: Span<UInt8>, _ padding: RSAPadding
  ) throws(CryptographyError) -> SecretBytes {
    guard let block = RSAPrimitive.padded(sealed, to: kind.blockSize),
      let plaintext = try unsafe key.context().run(
        .decrypt, block.bytes, longest: kind.blockSize,
        configure: { unsafe padding.configure($0) })
    else { throw .notAuthentic }
    return plaintext
  }
}

/// What surrounds a plaintext before RSA encrypts it.
private enum RSAPadding {
  case pkcs1
  case oaep(HashFunction)

  /// Tells libcrypto about it.
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
