import CLibcrypto
import Cryptography
import Protocol

/// The external form of keys on curves: X9.63, which is the uncompressed point of SEC 1 §2.3.3,
/// with the scalar behind it for private keys.
enum CurveKeyForm {
  /// Reads a public key. Its length determines the curve.
  /// - Throws: ``CryptographyError/invalidKey`` for bytes that are not a point of one.
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
    var encoder = WireEncoder(capacity: point.count + scalar.count)
    encoder.writeRaw(point.span)
    encoder.writeRaw(scalar.bytes)
    return encoder.finish()
  }
}

/// The external form of RSA keys: RSAPublicKey and RSAPrivateKey of PKCS #1 in DER (RFC 8017 A.1).
enum RSAKeyForm {
  /// The numbers of a private key in their order, by libcrypto's names (EVP_PKEY-RSA(7)).
  private static let privateNames: [StaticString] = [
    "n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2",
    "rsa-coefficient1",
  ]
  private static let publicNames: [StaticString] = ["n", "e"]

  /// The longest accepted public exponent, in bytes: libcrypto's bound for large moduli.
  private static let longestExponent = 8

  /// Reads a public key, also one inside a SubjectPublicKeyInfo (RFC 8017 A.1), which Apple's
  /// Security takes as well.
  /// - Throws: ``CryptographyError/invalidKey``.
  static func publicKey(_ bytes: Span<UInt8>) throws(CryptographyError) -> KeyObject {
    let range = inner(bytes) ?? 0..<bytes.count
    guard let numbers = numbers(in: bytes, range, count: publicNames.count, hasVersion: false)
    else { throw .invalidKey }
    return try key(bytes, numbers, names: publicNames, isPrivate: false)
  }

  /// Reads a private key of two primes.
  /// - Throws: ``CryptographyError/invalidKey``, also if its numbers do not belong together.
  static func privateKey(_ bytes: Span<UInt8>) throws(CryptographyError) -> KeyObject {
    let found = numbers(
      in: bytes, 0..<bytes.count, count: privateNames.count, hasVersion: true)
    guard let numbers = found else { throw .invalidKey }
    let key = try key(bytes, numbers, names: privateNames, isPrivate: true)
    guard try RSANumbers(of: key, named: privateNames).belongTogether,
      try RSAPrimitive.isPair(key)
    else { throw .invalidKey }
    return key
  }

  /// Writes a public key.
  static func external(public key: KeyObject) throws(CryptographyError) -> [UInt8] {
    let written = try write(key, publicNames, version: [])
    return written.copied
  }

  static func external(private key: KeyObject) throws(CryptographyError) -> SecretBytes {
    try write(key, privateNames, version: [DERReader.integer, 1, 0])
  }

  /// The ranges of the numbers, or nil if the bytes are not exactly `count` of them in a SEQUENCE.
  private static func numbers(
    in bytes: Span<UInt8>, _ range: Range<Int>, count: Int, hasVersion: Bool
  ) -> [Range<Int>]? {
    var outer = DERReader(range)
    guard let content = outer.read(DERReader.sequence, in: bytes), outer.isAtEnd else {
      return nil
    }
    var reader = DERReader(content)
    // Version 0: two primes.
    if hasVersion {
      guard let version = reader.readMagnitude(in: bytes), version.isEmpty else { return nil }
    }
    var numbers: [Range<Int>] = []
    for _ in 0..<count {
      guard let number = reader.readMagnitude(in: bytes), !number.isEmpty else { return nil }
      numbers.append(number)
    }
    return reader.isAtEnd ? numbers : nil
  }

  /// The content of the bit string of a SubjectPublicKeyInfo whose algorithm is rsaEncryption.
  private static func inner(_ bytes: Span<UInt8>) -> Range<Int>? {
    let algorithm: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    var outer = DERReader(0..<bytes.count)
    guard let content = outer.read(DERReader.sequence, in: bytes), outer.isAtEnd else {
      return nil
    }
    var reader = DERReader(content)
    guard let found = reader.read(DERReader.sequence, in: bytes),
      found.count == algorithm.count,
      algorithm.indices.allSatisfy({ algorithm[$0] == bytes[found.lowerBound + $0] }),
      let bits = reader.read(0x03, in: bytes), reader.isAtEnd, let unused = bits.first,
      bytes[unused] == 0
    else { return nil }
    return unused + 1..<bits.upperBound
  }

  private static func key(
    _ bytes: Span<UInt8>, _ numbers: [Range<Int>], names: [StaticString], isPrivate: Bool
  ) throws(CryptographyError) -> KeyObject {
    let (modulus, exponent) = (numbers[0], numbers[1])
    let bits = modulus.count * 8 - bytes[modulus.lowerBound].leadingZeroBitCount
    guard SoftwareKeyKind.rsaSizes.contains(bits), exponent.count <= longestExponent,
      bytes[modulus.upperBound - 1] & 1 == 1, bytes[exponent.upperBound - 1] & 1 == 1,
      exponent.count > 1 || bytes[exponent.lowerBound] > 1,
      numbers.allSatisfy({ $0.count <= modulus.count })
    else { throw .invalidKey }
    var parts = KeyParts(capacity: numbers.reduce(0) { $0 + $1.count })
    for (name, number) in zip(names, numbers) { parts.append(name, bytes.extracting(number)) }
    return try unsafe parts.key(.rsa, isPrivate: isPrivate, with: [])
  }

  private static func write(
    _ key: KeyObject, _ names: [StaticString], version: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    var count = version.count
    for name in names {
      let number = try key.number(name)
      count += DERWriter.integerHeader(number.bytes).count + number.count
    }
    let header = DERWriter.header(DERReader.sequence, count: count)
    var encoder = WireEncoder(capacity: header.count + count)
    encoder.writeRaw(header.span)
    encoder.writeRaw(version.span)
    for name in names {
      let number = try key.number(name)
      encoder.writeRaw(DERWriter.integerHeader(number.bytes).span)
      encoder.writeRaw(number.bytes)
    }
    return encoder.finish()
  }
}
