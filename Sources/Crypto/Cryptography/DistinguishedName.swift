import CLibcrypto

/// A Name of a certificate, in words.
package struct DistinguishedName: Equatable, Sendable {
  package struct Part: Equatable, Sendable {
    /// `CN`, `O`, `C` …, or a number with dots if the attribute has no name.
    package let type: String
    /// With any characters; `#` and hexadecimal digits if it is not a text.
    package let value: String
    fileprivate let isText: Bool
    /// Whether it belongs to the same component as the part before it.
    fileprivate let isJoined: Bool
  }

  /// In the order of the encoding: the country first.
  package let parts: [Part]

  /// Reads the DER of a Name and nothing behind it. The caller bounds its length.
  package init?(der: [UInt8]) {
    guard let parts = Self.parts(of: der) else { return nil }
    self.parts = parts
  }

  /// The name that people would use: the common name, or else unit, organization, or mail address.
  /// Of several, the last, which is the narrowest.
  package var summary: String? {
    for type in ["CN", "OU", "O", "emailAddress"] {
      if let part = parts.last(where: { $0.type == type && $0.isText && $0.value != "" }) {
        return part.value
      }
    }
    return nil
  }

  /// On one line, narrowest first, in the form of RFC 4514: `CN=example.org, O=Example, C=DE`.
  /// Keeps characters that a terminal would obey.
  package var text: String {
    var components: [String] = []
    for part in parts {
      let text = "\(part.type)=\(part.isText ? Self.escaped(part.value) : part.value)"
      if part.isJoined, let last = components.popLast() {
        components.append("\(last)+\(text)")
      } else {
        components.append(text)
      }
    }
    return components.reversed().joined(separator: ", ")
  }

  /// Escapes separators with a backslash (RFC 4514 §2.4).
  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for (index, scalar) in value.unicodeScalars.enumerated() {
      let isFirst = index == 0 && (scalar == " " || scalar == "#")
      let isLast = scalar == " " && index == value.unicodeScalars.count - 1
      if isFirst || isLast || "\"+,;<>\\".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  private static func parts(of der: [UInt8]) -> [Part]? {
    guard Libcrypto.isStarted else { return nil }
    defer { Libcrypto.forgetErrors() }
    return unsafe der.withUnsafeBufferPointer { bytes -> [Part]? in
      var next = bytes.baseAddress
      guard let name = unsafe d2i_X509_NAME(nil, &next, bytes.count) else { return nil }
      defer { unsafe X509_NAME_free(name) }
      guard let start = bytes.baseAddress, let end = unsafe next,
        unsafe end - start == bytes.count
      else { return nil }
      var component: Int32 = -1
      return unsafe (0..<X509_NAME_entry_count(name)).compactMap { index -> Part? in
        guard let entry = unsafe X509_NAME_get_entry(name, index) else { return nil }
        let own = unsafe X509_NAME_ENTRY_set(entry)
        defer { component = own }
        let text = unsafe text(of: entry)
        return unsafe Part(
          type: type(of: entry), value: text ?? digits(of: entry), isText: text != nil,
          isJoined: own == component)
      }
    }
  }

  @unsafe private static func type(of entry: OpaquePointer) -> String {
    let object = unsafe X509_NAME_ENTRY_get_object(entry)
    let known = unsafe OBJ_obj2nid(object)
    if known != NID_undef, let name = unsafe OBJ_nid2sn(known) {
      return unsafe String(cString: name)
    }
    var text = [CChar](repeating: 0, count: 128)
    let count = unsafe text.withUnsafeMutableBufferPointer {
      unsafe OBJ_obj2txt($0.baseAddress, Int32($0.count), object, 1)
    }
    guard count > 0 else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Nil if the value is not one of ASN.1's kinds of text.
  @unsafe private static func text(of entry: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
    guard count >= 0, let start = unsafe text else { return nil }
    defer { unsafe CRYPTO_free(start, nil, 0) }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  @unsafe private static func digits(of entry: OpaquePointer) -> String {
    unsafe Libcrypto.bytes(of: X509_NAME_ENTRY_get_data(entry)).reduce(into: "#") { digits, byte in
      digits += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }
}

/// A Name in DER that can be compared byte by byte: its texts are in ASCII capitals, with single
/// spaces (RFC 5280 §7.1).
package enum NormalizedName {
  /// Tags of UTF8String, PrintableString and IA5String, the texts in certificates.
  private static let texts: Set<UInt8> = [0x0C, 0x13, 0x16]
  /// Tags of SEQUENCE and SET.
  private static let containers: Set<UInt8> = [0x30, 0x31]
  /// A Name holds sequences in sets in one sequence.
  private static let deepest = 3

  /// Nil if it is not DER, or deeper than a Name.
  package static func of(_ der: [UInt8]) -> [UInt8]? {
    elements(of: der, in: der.indices, depth: 0)
  }

  private static func elements(of der: [UInt8], in range: Range<Int>, depth: Int) -> [UInt8]? {
    var reader = DERReader(range)
    var normalized: [UInt8] = []
    while !reader.isAtEnd {
      let tag = der[reader.rest.lowerBound]
      guard let content = reader.read(tag, in: der.span) else { return nil }
      var inner = Array(der[content])
      if containers.contains(tag) {
        guard depth < deepest, let found = elements(of: der, in: content, depth: depth + 1) else {
          return nil
        }
        inner = found
      } else if texts.contains(tag) {
        inner = text(inner)
      }
      normalized += DERWriter.header(tag, count: inner.count) + inner
    }
    return normalized
  }

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    let space = UInt8(ascii: " ")
    return Array(
      bytes.split(separator: space).joined(separator: [space])
        .map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 })
  }
}
