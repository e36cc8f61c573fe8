/// Takes numbers from bytes, never beyond their end.
struct TemplateReader {
  private let source: [UInt8]
  private var position: Int

  init(_ source: [UInt8], from position: Int) {
    self.source = source
    self.position = position
  }

  var isAtEnd: Bool { position == source.count }

  mutating func bytes(_ count: Int) throws(TemplateDecodingError) -> [UInt8] {
    guard source.count - position >= count else { throw .damaged }
    defer { position += count }
    return Array(source[position..<position + count])
  }

  /// A number of 1 to 4 bytes, big-endian.
  mutating func unsigned(_ count: Int) throws(TemplateDecodingError) -> Int {
    guard source.count - position >= count else { throw .damaged }
    defer { position += count }
    return source[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A two's complement number of 1 to 4 bytes, big-endian.
  mutating func signed(_ count: Int) throws(TemplateDecodingError) -> Int {
    let value = try unsigned(count)
    let half = 1 << (8 * count - 1)
    return value < half ? value : value - 2 * half
  }
}

/// Why bytes were not taken for a finger's template.
package enum TemplateDecodingError: Error, Equatable, Sendable {
  /// The bytes do not begin as a template does.
  case notATemplate
  /// A template of a format that this build does not know.
  case unsupportedVersion(Int)
  /// The bytes end early, go on too long, or hold an impossible value.
  case damaged

  /// What is wrong, in one sentence.
  package var message: String {
    switch self {
    case .notATemplate: "The stored finger is not a fingerprint template."
    case .unsupportedVersion(let version):
      "The stored finger has template format \(version), which this version does not know."
    case .damaged: "The stored finger's template is damaged."
    }
  }

  /// What to do about it, in one sentence.
  package var hint: String {
    switch self {
    case .unsupportedVersion:
      "Use the version of authcore that enrolled the finger, or enroll it again."
    case .notATemplate, .damaged: "Remove the finger and enroll it again."
    }
  }
}
