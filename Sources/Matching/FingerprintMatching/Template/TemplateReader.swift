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
