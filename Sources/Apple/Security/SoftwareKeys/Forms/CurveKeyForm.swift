import CLibcrypto
import Cryptography
import Protocol

/// Keys on curves as Apple's Security writes them: X9.63, which is the uncompressed point of SEC 1
/// §2.3.3, and of private keys the scalar behind it.
enum CurveKeyForm {
  /// Reads a public key. Which curve, its length tells.
  /// - Throws: ``CryptographyError/invalidKey`` for what is no point of one.
  static func publicKey(
    _ bytes: Span<UInt8>
  ) throws(CryptographyError) -> (KeyObject, EllipticCurve) {
    guard let curve = EllipticCurve.allCases.first(where: { $0.pointSize == bytes.count }),
      bytes[0] == 4
    else { throw .invalidKey }
    let key = try unsafe bytes.withUnsafeBytes { (point) throws(CryptographyError) in
      try unsafe KeyObject.make(
        .curve, isPrivate: false,
        [Libcrypto.text("group", curve.libcryptoName), Libcrypto.octets("pub", point)])
    }
    guard try key.context().isSound(isPrivate: false) else { throw .invalidKey }
    return (key, curve)
  }

  /// Reads a private key: point and scalar, which have to belong together.
  /// - Throws: ``CryptographyError/invalidKey``.
  static func privateKey(
    _ bytes: Span<UInt8>
  ) throws(CryptographyError) -> (KeyObject, EllipticCurve) {
    let found = EllipticCurve.allCases.first { $0.pointSize + $0.coordinateSize == bytes.count }
    guard let curve = found, bytes[0] == 4 else { throw .invalidKey }
    var parts = KeyParts(capacity: curve.coordinateSize)
    parts.append("priv", bytes.extracting(curve.pointSize..<bytes.count))
    let point = (0..<curve.pointSize).map { bytes[$0] }
    let key = try unsafe point.span.withUnsafeBytes { (point) throws(CryptographyError) in
      try unsafe parts.key(
        .curve, isPrivate: true,
        with: [Libcrypto.text("group", curve.libcryptoName), Libcrypto.octets("pub", point)])
    }
    guard try key.context().isSound(isPrivate: true) else { throw .invalidKey }
    return (key, curve)
  }

  /// Writes a private key.
  static func external(
    _ key: KeyObject, point: [UInt8], on curve: EllipticCurve
  ) throws(CryptographyError) -> SecretBytes {
    let scalar = try key.number("priv", count: curve.coordinateSize)
    var writer = SecretWriter(capacity: point.count + scalar.count)
    writer.append(point.span)
    writer.append(scalar.bytes)
    return writer.finish()
  }
}
