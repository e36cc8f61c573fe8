/// A certificate to be made: nothing about it has to make sense.
package struct TestCertificate {
  /// Content octets of the version; nil leaves it out, as version 1 does.
  package var version: [UInt8]? = [2]
  /// Content octets.
  package var serialNumber: [UInt8] = [1]
  package var subject = name("subject")
  package var issuer = name("issuer")
  /// DER of the SubjectPublicKeyInfo.
  package var keyInfo: [UInt8]
  /// DER of each extension.
  package var extensions: [[UInt8]] = []

  /// One of a key on P-256, whose 65 bytes need not be a point.
  package init(point: [UInt8]) {
    keyInfo = DER.sequence(
      DER.sequence(
        DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]),
        DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])), DER.bits(point))
  }

  /// A Name of a common name alone.
  package static func name(_ commonName: String) -> [UInt8] {
    DER.sequence(part([0x55, 0x04, 0x03], DER.text(commonName)))
  }

  /// One component of a Name, of a type's content octets and a value in DER.
  package static func part(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
    DER.value(0x31, DER.sequence(DER.object(type), value))
  }

  /// An extension that is not critical, of a type's content octets.
  package static func `extension`(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.object(type), DER.value(0x04, value))
  }

  /// The extension of a subject key identifier.
  package static func keyID(_ bytes: [UInt8]) -> [UInt8] {
    `extension`([0x55, 0x1D, 0x0E], DER.value(0x04, bytes))
  }

  /// Names of hosts that it is for.
  package static func hosts(_ names: [String]) -> [UInt8] {
    `extension`(
      [0x55, 0x1D, 0x11], DER.sequence(names.flatMap { DER.value(0x82, Array($0.utf8)) }))
  }

  private static let algorithm = DER.sequence(
    DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))

  /// What is signed.
  package var toBeSigned: [UInt8] {
    let dates = DER.sequence(
      DER.value(0x17, Array("260101000000Z".utf8)), DER.value(0x17, Array("460101000000Z".utf8)))
    return DER.sequence(
      version.map { DER.value(0xA0, DER.value(0x02, $0)) } ?? [], DER.value(0x02, serialNumber),
      Self.algorithm, issuer, dates, subject, keyInfo,
      extensions.isEmpty ? [] : DER.value(0xA3, DER.sequence(extensions.flatMap(\.self))))
  }

  /// The whole, with a signature in DER that need not fit.
  package func der(signature: [UInt8] = [0x30, 0]) -> [UInt8] {
    DER.sequence(toBeSigned, Self.algorithm, DER.bits(signature))
  }
}

/// DER (X.690) from its parts; whatever they are.
package enum DER {
  /// A tag, the length of the contents, and the contents.
  package static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let joined = contents.flatMap(\.self)
    return [tag] + length(joined.count) + joined
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    value(0x30, parts.flatMap(\.self))
  }

  /// An object identifier from its content octets in hexadecimal.
  package static func object(_ octets: [UInt8]) -> [UInt8] { value(0x06, octets) }

  package static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  package static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0], bytes) }

  private static func length(_ count: Int) -> [UInt8] {
    guard count > 127 else { return [UInt8(count)] }
    let octets = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    let short = octets.drop { $0 == 0 }
    return [0x80 | UInt8(short.count)] + short
  }
}
