import Cryptography
import LinuxSystem
import Protocol

/// A message between age and a plugin (C2SP age-plugin): words, and a body that may be secret.
final class Stanza {
  let words: [String]
  let body: SecretBytes

  init(_ words: String..., body: consuming SecretBytes = SecretBytes(count: 0)) {
    self.words = words
    self.body = body
  }

  fileprivate init(_ words: [String], _ body: consuming SecretBytes) {
    self.words = words
    self.body = body
  }

  private static let lineSize = 64

  /// The stanza as it is sent: the body in base64 without padding, ended by a line that is not full.
  func encoded() -> SecretBytes {
    let body = body.shared()
    let digits = Base64.encoded(unpadded: body.bytes)
    var encoder = WireEncoder(capacity: digits.count + 256)
    encoder.writeRaw(Array("-> \(words.joined(separator: " "))\n".utf8).span)
    for start in stride(from: 0, through: digits.count, by: Self.lineSize) {
      let end = min(start + Self.lineSize, digits.count)
      encoder.writeRaw(digits.bytes.extracting(start..<end))
      encoder.writeRaw([UInt8(ascii: "\n")].span)
    }
    return encoder.finish()
  }
}

/// Reads stanzas, straight into locked memory.
struct StanzaReader: ~Copyable {
  /// Fills a buffer from an offset on, as read(2) does; 0 at the end, nil on failure.
  typealias Fill = (inout SecretBytes, Int) -> Int?

  private let fill: Fill
  private var buffer = SecretBytes(count: longestLine)
  /// What was read and not used yet.
  private var unread = 0..<0

  /// In bytes, with the end of the line.
  static let longestLine = 16 << 10
  /// In bytes, decoded. Nothing that age sends is longer.
  static let longestBody = 64 << 10
  private static let lineSize = 64

  init(_ fill: @escaping Fill) { self.fill = fill }

  /// The next stanza.
  /// - Throws: `usage` for anything else, and at the end.
  mutating func next() throws(Failure) -> Stanza {
    let words = try nextWords()
    var body = WireEncoder()
    while true {
      let line = try nextLine()
      let digits = buffer.bytes.extracting(line)
      guard digits.count <= Self.lineSize, let bytes = Base64.decoded(unpadded: digits) else {
        throw .malformed("a body that is not base64 in lines of \(Self.lineSize) characters")
      }
      body.writeRaw(bytes.bytes)
      guard body.count <= Self.longestBody else { throw .malformed("a body that is too long") }
      if digits.count < Self.lineSize { return Stanza(words, body.finish()) }
    }
  }

  private mutating func nextWords() throws(Failure) -> [String] {
    let line = try nextLine()
    // Only bodies are secret.
    let words = line.map { buffer.bytes[$0] }.split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count > 1, words[0].elementsEqual(Array("->".utf8)),
      words.allSatisfy({ word in !word.isEmpty && word.allSatisfy { 33...126 ~= $0 } })
    else { throw .malformed("a line that begins no stanza") }
    return words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the next line lies in the buffer, without its end.
  private mutating func nextLine() throws(Failure) -> Range<Int> {
    var searched = unread.lowerBound
    while true {
      if let end = (searched..<unread.upperBound).first(where: { buffer.bytes[$0] == 0x0A }) {
        defer { unread = end + 1..<unread.upperBound }
        return unread.lowerBound..<end
      }
      if unread.lowerBound > 0 {
        let rest = SecretBytes(copying: buffer.bytes.extracting(unread))
        buffer.copy(rest.bytes)
        unread = 0..<unread.count
      }
      searched = unread.upperBound
      guard searched < buffer.count else { throw .malformed("a line that is too long") }
      guard let count = fill(&buffer, searched), count > 0 else { throw .malformed("an early end") }
      unread = 0..<searched + count
    }
  }
}

extension Failure {
  /// What the other side sent is not its protocol.
  static func malformed(_ what: String) -> Failure {
    Failure(
      .usage, "Standard input has \(what)",
      hint: "age starts this program; see age-plugin-authcore --help")
  }
}
