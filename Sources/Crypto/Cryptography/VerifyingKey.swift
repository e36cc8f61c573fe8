import CLibcrypto
import Protocol

/// A public key of another machine that checks signatures: Ed25519 (RFC 8032), ECDSA (FIPS 186-5)
/// or RSA with the padding of PKCS #1 1.5 (RFC 8017 §8.2).
package enum VerifyingKey: Equatable, Sendable {
  package enum Curve: Sendable {
    case p256
    case p384
    case p521

    /// Bytes of a coordinate.
    package var size: Int { self == .p256 ? 32 : self == .p384 ? 48 : 66 }

    /// The object identifier in DER (RFC 5480 §2.1.1.1).
    fileprivate var identifier: [UInt8] {
      switch self {
      case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
      case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
      case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
      }
    }
  }

  /// 32 bytes.
  case ed25519([UInt8])
  /// The uncompressed point (SEC 1 §2.3.3).
  case ecdsa(Curve, point: [UInt8])
  /// Big endian, without leading zeros.
  case rsa(modulus: [UInt8], exponent: [UInt8])

  /// Checks a signature: 64 bytes for Ed25519, DER for ECDSA, as long as the modulus for RSA.
  /// `function` is the hash function, which Ed25519 has built in. An invalid key accepts nothing.
  package func isValid(
    _ signature: [UInt8], for message: Span<UInt8>, by function: HashFunction
  ) -> Bool {
    guard Libcrypto.isStarted else { return false }
    defer { Libcrypto.forgetErrors() }
    let encoded = subjectPublicKeyInfo
    let key = unsafe encoded.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      return unsafe d2i_PUBKEY(nil, &next, bytes.count)
    }
    guard let key = unsafe key else { return false }
    defer { unsafe EVP_PKEY_free(key) }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    let hash: OpaquePointer? =
      if case .ed25519 = self { nil } else { unsafe function.algorithm }
    guard unsafe EVP_DigestVerifyInit(context, nil, hash, nil, key) == 1 else { return false }
    return unsafe signature.withUnsafeBufferPointer { signature in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe EVP_DigestVerify(
          context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
      }
    }
  }

  /// DER of RFC 5280 §4.1, as RFC 8410, RFC 5480 and RFC 3279 §2.3.1 have it.
  private var subjectPublicKeyInfo: [UInt8] {
    switch self {
    case .ed25519(let key): Self.info([0x06, 0x03, 0x2B, 0x65, 0x70], key)
    case .ecdsa(let curve, let point):
      Self.info([0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + curve.identifier, point)
    case .rsa(let modulus, let exponent):
      Self.info(
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00],
        Self.element(
          DERReader.sequence,
          DERWriter.integerHeader(modulus.span) + modulus
            + DERWriter.integerHeader(exponent.span) + exponent))
    }
  }

  private static func info(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
    // The key is a BIT STRING of whole bytes.
    element(
      DERReader.sequence, element(DERReader.sequence, algorithm) + element(0x03, [0] + key))
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    DERWriter.header(tag, count: content.count) + content
  }
}
