import CLibcrypto
package import Cryptography
import Protocol

package enum SignatureScheme: Hashable, Sendable {
  /// ECDSA (FIPS 186-5 §6).
  case ecdsa(ECDSAForm, SignedInput)
  /// RSA without padding (RFC 8017 §5.2.1); the input is at most as long as the modulus.
  case rsaRaw
  /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2). Without a hash function there is no prefix that names it.
  case rsaPKCS1(SignedInput)
  /// RSASSA-PSS (RFC 8017 §8.1) with MGF1 of the same hash function, and a salt as long as a hash.
  case rsaPSS(SignedInput)

  package var family: SoftwareKeyFamily {
    switch self {
    case .ecdsa: .curve
    case .rsaRaw, .rsaPKCS1, .rsaPSS: .rsa
    }
  }

  /// The signed input, or nil if it is signed as it is.
  package var input: SignedInput? {
    switch self {
    case .ecdsa(_, let input), .rsaPKCS1(let input), .rsaPSS(let input): input
    case .rsaRaw: nil
    }
  }
}

package enum ECDSAForm: Hashable, Sendable {
  /// A SEQUENCE of two INTEGERs in DER (X9.62, RFC 3279 §2.2.3).
  case x962
  /// Both numbers, each as long as a coordinate (RFC 4754).
  case rfc4754
}

/// What a signature is made over.
package enum SignedInput: Hashable, Sendable {
  case message(HashFunction)
  /// A hash, with its function if that is known.
  case digest(HashFunction?)

  package var hash: HashFunction? {
    switch self {
    case .message(let hash): hash
    case .digest(let hash): hash
    }
  }

  /// The hash of a message, or the given hash.
  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)`` for a hash that is empty or
  ///   does not have the size of its function.
  package func digest(of input: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    switch self {
    case .message(let hash): return try hash.hash(input)
    case .digest(let hash):
      let size = hash?.size ?? max(input.count, 1)
      guard input.count == size else {
        throw .wrongSize(field: "digest", expected: size, found: input.count)
      }
      return input.indices.map { input[$0] }
    }
  }
}

extension SoftwareKeyKind {
  /// Whether keys of this kind support the scheme.
  package func supports(_ scheme: SignatureScheme) -> Bool {
    guard scheme.family == family else { return false }
    // The least that RSASSA-PSS needs (RFC 8017 §9.1.1).
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
  /// Sets it in libcrypto's context.
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
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a scheme that the key does not
  ///   support, or an input that is too long;
  ///   ``CryptographyError/wrongSize(field:expected:found:)`` for anything but a hash.
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
  /// Whether a signature of `input` was made by the private half.
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
