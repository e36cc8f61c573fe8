/// An ECDSA signature under a P-256 key, read from the form that libcrypto gives it.
package struct ECDSASignature: Equatable, Sendable {
  /// r, then s: 32 bytes each, big endian (IEEE P1363, RFC 4754).
  package let raw: [UInt8]

  private static let integerSize = 32

  /// Reads a SEQUENCE of two INTEGERs in DER (RFC 3279 §2.2.3) and nothing behind it. Whether it
  /// fits a message is not asked here.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for what is not the one DER form of two
  ///   numbers of 32 bytes at most.
  package init(der: [UInt8]) throws(CryptographyError) {
    var rest = der[...]
    guard Self.take(0x30, &rest) == rest.count else { throw Self.malformed }
    raw = try Self.integer(&rest) + Self.integer(&rest)
    guard rest.isEmpty else { throw Self.malformed }
  }

  private static var malformed: CryptographyError { .invalidParameter(field: "signature") }

  /// A tag and its length, which in DER is one byte below 128.
  /// - Returns: the length; nil where the bytes begin otherwise.
  private static func take(_ tag: UInt8, _ rest: inout ArraySlice<UInt8>) -> Int? {
    guard rest.count >= 2, rest.removeFirst() == tag else { return nil }
    let count = rest.removeFirst()
    return count < 128 ? Int(count) : nil
  }

  /// A positive number, padded in front.
  private static func integer(
    _ rest: inout ArraySlice<UInt8>
  ) throws(CryptographyError) -> [UInt8] {
    guard let count = take(0x02, &rest), count >= 1, count <= rest.count else { throw malformed }
    var number = rest.prefix(count)
    rest = rest.dropFirst(count)
    guard let first = number.first, first < 0x80 else { throw malformed }
    if first == 0, count > 1 {
      number = number.dropFirst()
      // Only a number whose highest bit is set has a zero in front of it.
      guard let second = number.first, second >= 0x80 else { throw malformed }
    }
    guard number.count <= integerSize else { throw malformed }
    return [UInt8](repeating: 0, count: integerSize - number.count) + number
  }
}
