/// The certificates in a file: one in DER, or any number in PEM (RFC 7468) with text between them.
package struct CertificateFile: Equatable, Sendable {
  /// DER of each, unchecked, in the order of the file.
  package private(set) var certificates: [[UInt8]] = []
  /// Labels of everything else in the file, such as `PRIVATE KEY`.
  package private(set) var others: [String] = []

  package enum Problem: Error, Equatable, Sendable {
    /// Neither DER nor PEM.
    case noCertificate
    /// A certificate that is not base64. `line` is where it begins, from 1.
    case malformed(line: Int)
    /// A certificate without an end. `line` is where it begins, from 1.
    case unfinished(line: Int)
  }

  /// Reads a file, whose length the caller bounds.
  /// - Throws: ``Problem``.
  package init(_ bytes: Span<UInt8>) throws(Problem) {
    // A SEQUENCE of 128 bytes or more. No line of PEM begins like that.
    if bytes.count >= 2, bytes[0] == 0x30, bytes[1] >= 0x80 {
      certificates = [bytes.indices.map { bytes[$0] }]
      return
    }
    try readPEM(bytes)
    guard !certificates.isEmpty else { throw .noCertificate }
  }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)
  /// Labels of certificates; the second one is of old OpenSSL.
  private static let labels = ["CERTIFICATE", "X509 CERTIFICATE"]

  private mutating func readPEM(_ bytes: Span<UInt8>) throws(Problem) {
    var position = 0
    var number = 0
    var open: (label: String, line: Int)?
    var body: [UInt8] = []
    while position < bytes.count {
      let line = Self.line(of: bytes, at: &position)
      number += 1
      if let label = Self.label(line, after: Self.begin) {
        if let open, Self.labels.contains(open.label) { throw .unfinished(line: open.line) }
        open = (label, number)
        body = []
      } else if let label = Self.label(line, after: Self.end) {
        guard let begun = open, begun.label == label else { continue }
        open = nil
        guard Self.labels.contains(label) else {
          others.append(label)
          continue
        }
        guard !body.isEmpty, let der = Base64.decoded(body) else {
          throw .malformed(line: begun.line)
        }
        certificates.append(der)
      } else if let open, Self.labels.contains(open.label) {
        body += line
      }
    }
    if let open, Self.labels.contains(open.label) { throw .unfinished(line: open.line) }
  }

  /// The next line, without surrounding spaces.
  private static func line(of bytes: Span<UInt8>, at position: inout Int) -> [UInt8] {
    var line: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A { break }
      line.append(byte)
    }
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0D].contains(byte) }
    while let last = line.last, isSpace(last) { line.removeLast() }
    return Array(line.drop(while: isSpace))
  }

  private static func label(_ line: [UInt8], after mark: [UInt8]) -> String? {
    guard line.count >= mark.count + dashes.count, line.starts(with: mark),
      line.suffix(dashes.count).elementsEqual(dashes)
    else { return nil }
    return String(decoding: line[mark.count..<line.count - dashes.count], as: UTF8.self)
  }
}
