import CLibcrypto
package import Cryptography
import Protocol

extension SoftwareKeyKind {
  /// Whether keys of this kind sign and verify so.
  package func supports(_ scheme: SignatureScheme) -> Bool {
    guard scheme.family == family else { return false }
    // What RSASSA-PSS needs at least (RFC 8017 §9.1.1).
    if case .rsaPSS(let input) = scheme {
      return input.hash.map { blockSize >= 2 * $0.size + 2 } ?? false
    }
    return true
  }

  func require(_ scheme: SignatureScheme) throws(CryptographyError) {
    guard supports(scheme) else { throw .invalidParameter(field: "algorithm") }
  }
}

extension SignatureScheme {
  /// Tells libcrypto about it.
  @unsafe func configure(_ context: OpaquePointer) -> Bool {
    switch self {
    case .ecdsa, .rsaRaw: true
    case .rsaPKCS1(let input):
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        && (input.hash == nil
          || EVP_PKEY_CTX_set_signature_md(context, input.hash?.algorithm) == 1)
    case .rsaPSS(let input):
      unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_signature_md(context, input.hash?.algorithm) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, input.hash?.algorithm) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
  }
}

extension SoftwarePrivateKey {
  /// Signs a message, or a hash, as the scheme says.
  /// - Returns: the signature; of RSA as long as the modulus.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a scheme that is not of this kind of
  ///   key, or an input that is too long for it;
  ///   ``CryptographyError/wrongSize(field:expected:found:)`` for what is no hash.
  package func sign(
    _ input: Span<UInt8>, _ scheme: SignatureScheme
  ) throws(CryptographyError) -> [UInt8] {
    try kind.require(scheme)
    guard let signed = scheme.input else {
      guard let raised = try RSAPrimitive.applyPrivate(key, input) else {
        throw .invalidParameter(field: "input")
      }
      return raised.copied
    }
    let digest = try signed.digest(of: input)
    // A signature in DER: two numbers with their headers, and the one around them.
    let longest = kind.family == .rsa ? kind.blockSize : 2 * kind.blockSize + 16
    let made = try unsafe key.context().run(.sign, digest.span, longest: longest) {
      unsafe scheme.configure($0)
    }
    guard let signature = made?.copied else { throw .invalidParameter(field: "input") }
    guard case .ecdsa(.rfc4754, _) = scheme else { return signature }
    return try ECDSASignature(der: signature, size: kind.blockSize).raw
  }
}

extension SoftwarePublicKey {
  /// Whether a signature was made over `input` by the private half; one that is none was not.
  /// - Throws: as ``SoftwarePrivateKey/sign(_:_:)``.
  package func isValid(
    _ signature: Span<UInt8>, over input: Span<UInt8>, _ scheme: SignatureScheme
  ) throws(CryptographyError) -> Bool {
    try kind.require(scheme)
    guard let signed = scheme.input else {
      guard signature.count == kind.blockSize,
        let number = try RSAPrimitive.applyPublic(key, signature),
        let expected = RSAPrimitive.padded(input, to: kind.blockSize)
      else { return false }
      return number.isEqual(to: expected.bytes)
    }
    let digest = try signed.digest(of: input)
    var form = signature.indices.map { signature[$0] }
    if case .ecdsa(.rfc4754, _) = scheme {
      guard form.count == 2 * kind.blockSize else { return false }
      form = try ECDSASignature(raw: form, size: kind.blockSize).der
    }
    return try unsafe key.context().verifies(form.span, over: digest.span) {
      unsafe scheme.configure($0)
    }
  }
}
