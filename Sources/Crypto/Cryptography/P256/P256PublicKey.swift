/// A public key on the curve P-256: a point that is known to lie on it.
package struct P256PublicKey: Equatable, Sendable {
  /// Bytes of a point.
  package static let size = 65

  /// 4, x, y: the uncompressed form of SEC 1 §2.3.3.
  package let point: [UInt8]

  /// Takes a point in its uncompressed form, and only if it is on the curve.
  /// - Throws: ``CryptographyError/invalidKey``.
  package init(point: [UInt8]) throws(CryptographyError) {
    guard point.count == Self.size, point[0] == 4 else { throw .invalidKey }
    guard try P256Curve.contains(point) else { throw .invalidKey }
    self.point = point
  }

  init(unchecked point: [UInt8]) { self.point = point }

  /// Whether `signature` (DER) was made for `message` by the private key of this one (ECDSA with
  /// SHA-256).
  package func isValid(
    _ signature: [UInt8], for message: Span<UInt8>
  ) throws(CryptographyError) -> Bool {
    let hash = try SHA2.sha256(message)
    return try LibcryptoKey(self).isValid(signature, forHash: hash)
  }
}

extension P256PublicKey {
  /// DER of the SubjectPublicKeyInfo of RFC 5480: an algorithm (id-ecPublicKey, prime256v1) and the
  /// point as a bit string. 91 bytes, of which all but the point are always the same.
  package var subjectPublicKeyInfo: [UInt8] {
    [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ] + point
  }

  /// The name of such keys in OpenSSH's files and protocol (RFC 5656 §3.1).
  package static let openSSHType = "ecdsa-sha2-nistp256"

  /// The key as OpenSSH's files and protocol have it, before base64 (RFC 5656 §3.1): three strings,
  /// each behind its length.
  package var openSSHBlob: [UInt8] {
    func string(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
    return string(Array(Self.openSSHType.utf8)) + string(Array("nistp256".utf8)) + string(point)
  }
}
