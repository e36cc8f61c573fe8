import CLibcrypto
package import Protocol

/// A private key on the curve P-256 (FIPS 186-5, SP 800-186): a scalar in locked memory and its
/// public point.
package struct P256PrivateKey: ~Copyable, Sendable {
  /// Bytes of a scalar.
  package static let size = 32

  /// The scalar, big endian, in 1…n−1.
  package let scalar: SecretBytes
  /// The key others may know.
  package let publicKey: P256PublicKey

  /// A new random key.
  package init() throws(CryptographyError) {
    while true {
      let candidate = try RandomBytes.secret(count: Self.size)
      // One in 2³² candidates is not below the order of the curve and is drawn anew (FIPS 186-5,
      // A.2.2).
      guard let point = try P256Curve.publicPoint(of: candidate) else { continue }
      scalar = candidate
      publicKey = P256PublicKey(unchecked: point)
      return
    }
  }

  /// The key with this scalar, 32 bytes, big endian.
  /// - Throws: ``CryptographyError/invalidKey`` for 0 and for n and above.
  package init(scalar: consuming SecretBytes) throws(CryptographyError) {
    guard scalar.count == Self.size else {
      throw .wrongSize(field: "scalar", expected: Self.size, found: scalar.count)
    }
    guard let point = try P256Curve.publicPoint(of: scalar) else { throw .invalidKey }
    self.scalar = scalar
    publicKey = P256PublicKey(unchecked: point)
  }

  /// The key with this scalar, 32 bytes, big endian, whose public key the caller knows: they were
  /// sealed together.
  package init(
    scalar: consuming SecretBytes, publicKey: P256PublicKey
  ) throws(CryptographyError) {
    guard scalar.count == Self.size else {
      throw .wrongSize(field: "scalar", expected: Self.size, found: scalar.count)
    }
    self.scalar = scalar
    self.publicKey = publicKey
  }

  /// Signs a SHA-256 hash (ECDSA).
  /// - Returns: the signature in DER (RFC 3279 §2.2.3, at most 72 bytes), different each time.
  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)`` for what is no hash.
  package borrowing func signature(forDigest hash: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard hash.count == SHA256Stream.size else {
      throw .wrongSize(field: "digest", expected: SHA256Stream.size, found: hash.count)
    }
    return try LibcryptoKey(self).signature(forHash: hash)
  }

  /// The secret shared with the owner of `other` (ECDH, SP 800-56A §5.7.1.2): the x coordinate, 32
  /// bytes. Derive keys from it, never use it as one.
  package borrowing func sharedSecret(
    with other: P256PublicKey
  ) throws(CryptographyError) -> SecretBytes {
    try LibcryptoKey(self).sharedSecret(with: other)
  }
}
