/// An ECDSA signature: two numbers, in the two forms that programs have for it.
package struct ECDSASignature: Equatable, Sendable {
  /// r, then s, each as long as the order of the curve, big endian (IEEE P1363, RFC 4754).
  package let raw: [UInt8]

  /// Reads a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3) and nothing behind it. Whether it
  /// fits a message is not asked here. `size` is how many bytes each number has.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for what is not the one DER form of two
  ///   numbers of `size` bytes at most.
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

  /// Takes r and s of the same length, one after the other.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` where the bytes are not so many.
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

  /// A number, padded in front.
  private static func number(
    _ reader: inout DERReader, in der: [UInt8], size: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard let number = reader.readMagnitude(in: der.span), number.count <= size else {
      throw malformed
    }
    return [UInt8](repeating: 0, count: size - number.count) + der[number]
  }
}
