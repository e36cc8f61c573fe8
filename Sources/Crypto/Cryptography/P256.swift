import CLibcrypto
package import Protocol

/// A private key on the curve P-256 (FIPS 186-5, SP 800-186): a scalar in locked memory and its
/// public point.
package struct P256PrivateKey: ~Copyable, Sendable {
  package static let size = 32

  /// The scalar, big endian, in 1…n−1.
  package let scalar: SecretBytes
  package let publicKey: P256PublicKey

  package init() throws(CryptographyError) {
    while true {
      let candidate = try RandomBytes.secret(count: Self.size)
      // One in 2³² candidates is not below the order of the curve (FIPS 186-5, A.2.2).
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

  /// The key with this scalar, 32 bytes, big endian, and a public key that the caller knows to
  /// belong to it.
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
  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)``.
  package borrowing func signature(forDigest hash: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard hash.count == SHA256Stream.size else {
      throw .wrongSize(field: "digest", expected: SHA256Stream.size, found: hash.count)
    }
    return try LibcryptoKey(self).signature(forHash: hash)
  }

  /// The secret shared with the owner of `other` (ECDH, SP 800-56A §5.7.1.2): the x coordinate, 32
  /// bytes. Derive keys from it; do not use it as a key.
  package borrowing func sharedSecret(
    with other: P256PublicKey
  ) throws(CryptographyError) -> SecretBytes {
    try LibcryptoKey(self).sharedSecret(with: other)
  }
}

/// A public key on the curve P-256: a point that is known to lie on it.
package struct P256PublicKey: Equatable, Sendable {
  package static let size = 65

  /// 4, x, y: the uncompressed form of SEC 1 §2.3.3.
  package let point: [UInt8]

  /// - Parameter point: uncompressed, on the curve.
  /// - Throws: ``CryptographyError/invalidKey``.
  package init(point: [UInt8]) throws(CryptographyError) {
    guard point.count == Self.size, point[0] == 4 else { throw .invalidKey }
    guard try P256Curve.contains(point) else { throw .invalidKey }
    self.point = point
  }

  /// - Parameter compressed: the form of ``compressed``.
  /// - Throws: ``CryptographyError/invalidKey`` for anything else.
  package init(compressed: [UInt8]) throws(CryptographyError) {
    guard compressed.count == Self.compressedSize, let point = try P256Curve.expanded(compressed)
    else { throw .invalidKey }
    self.point = point
  }

  init(unchecked point: [UInt8]) { self.point = point }

  package static let compressedSize = 33

  /// 2 or 3 for an even or an odd y, then x: the compressed form of SEC 1 §2.3.3.
  package var compressed: [UInt8] {
    [2 | point[Self.size - 1] & 1] + point[1...P256PrivateKey.size]
  }

  /// Verifies an ECDSA signature in DER, with SHA-256.
  package func isValid(
    _ signature: [UInt8], for message: Span<UInt8>
  ) throws(CryptographyError) -> Bool {
    let hash = try SHA2.sha256(message)
    return try LibcryptoKey(self).isValid(signature, forHash: hash)
  }
}

extension P256PublicKey {
  /// DER of the SubjectPublicKeyInfo of RFC 5480: an algorithm (id-ecPublicKey, prime256v1) and the
  /// point as a bit string. 91 bytes, constant except for the point.
  package var subjectPublicKeyInfo: [UInt8] {
    [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ] + point
  }

  /// The key type in OpenSSH's files and protocol (RFC 5656 §3.1).
  package static let openSSHType = "ecdsa-sha2-nistp256"

  /// The key in OpenSSH's files and protocol, before base64 (RFC 5656 §3.1): three strings, each
  /// after its length.
  package var openSSHBlob: [UInt8] { Self.openSSHBlob(of: point) }

  /// The same for a point that was not checked, of 65 bytes.
  package static func openSSHBlob(of point: [UInt8]) -> [UInt8] {
    func string(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
    return string(Array(openSSHType.utf8)) + string(Array("nistp256".utf8)) + string(point)
  }
}

/// An ECDSA signature: two numbers, in the two common forms.
package struct ECDSASignature: Equatable, Sendable {
  /// r, then s, each as long as the order of the curve, big endian (IEEE P1363, RFC 4754).
  package let raw: [UInt8]

  /// Reads a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3) and nothing behind it. Does not
  /// verify the signature. `size` is the bytes of each number.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for anything but the DER form of two
  ///   numbers of at most `size` bytes.
  package init(der: [UInt8], size: Int = P256PrivateKey.size) throws(CryptographyError) {
    var outer = DERReader(der.indices)
    guard let content = outer.read(DERReader.sequence, in: der.span), outer.isAtEnd else {
      throw Self.malformed
    }
    var numbers = DERReader(content)
    raw =
      try Self.number(&numbers, in: der, size: size) + Self.number(&numbers, in: der, size: size)
    guard numbers.isAtEnd else { throw Self.malformed }
  }

  /// Takes r and s of `size` bytes each.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for another length.
  package init(raw: [UInt8], size: Int = P256PrivateKey.size) throws(CryptographyError) {
    guard raw.count == 2 * size else { throw Self.malformed }
    self.raw = raw
  }

  package var der: [UInt8] {
    let halves = [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)]
    let integers = halves.flatMap { half in
      let magnitude = Array(half.drop { $0 == 0 })
      return DERWriter.integerHeader(magnitude.span) + magnitude
    }
    return DERWriter.header(DERReader.sequence, count: integers.count) + integers
  }

  private static var malformed: CryptographyError { .invalidParameter(field: "signature") }

  private static func number(
    _ reader: inout DERReader, in der: [UInt8], size: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard let number = reader.readMagnitude(in: der.span), number.count <= size else {
      throw malformed
    }
    return [UInt8](repeating: 0, count: size - number.count) + der[number]
  }
}
