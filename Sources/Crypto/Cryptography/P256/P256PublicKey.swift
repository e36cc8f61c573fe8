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
