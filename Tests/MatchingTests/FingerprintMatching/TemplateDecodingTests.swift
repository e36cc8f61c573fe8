import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("Template bytes")
struct TemplateDecodingTests {
  /// A template of a sensor with `side` pixels a side; with 96 it holds ridges too.
  private static func bytes(side: Int) throws -> [UInt8] {
    let small = ImpressionConditions.careful.window(width: side, height: side)
    return try enrolled(SyntheticFinger(seed: 31), touches: 1...3, conditions: small).encoded()
  }

  @Test("a template decodes to the same bytes", arguments: [96, 160])
  func roundTrip(side: Int) throws {
    let bytes = try Self.bytes(side: side)
    #expect(try FingerTemplate(decoding: bytes).encoded() == bytes)
  }

  @Test("what is not a template is refused as such", arguments: [0, 3, 5, 6, 64])
  func notATemplate(count: Int) {
    #expect(throws: TemplateDecodingError.notATemplate) {
      try FingerTemplate(decoding: [UInt8](repeating: 0, count: count))
    }
  }

  @Test("a template of another version is refused naming it")
  func otherVersion() throws {
    var bytes = try Self.bytes(side: 160)
    bytes[4] = 9
    #expect(throws: TemplateDecodingError.unsupportedVersion(9)) {
      try FingerTemplate(decoding: bytes)
    }
  }

  @Test("a template cut anywhere, or with something behind it, is refused", arguments: [96, 160])
  func cut(side: Int) throws {
    let bytes = try Self.bytes(side: side)
    for count in stride(from: 6, to: bytes.count, by: 97) {
      #expect(throws: TemplateDecodingError.damaged) {
        try FingerTemplate(decoding: Array(bytes[..<count]))
      }
    }
    #expect(throws: TemplateDecodingError.damaged) { try FingerTemplate(decoding: bytes + [0]) }
  }

  @Test(
    "any bytes give a template or an error, and what decodes can be compared", arguments: [96, 160])
  func anyBytes(side: Int) throws {
    let bytes = try Self.bytes(side: side)
    let probe = try touch(SyntheticFinger(seed: 31), 5)
    var noise = RandomNumbers(seed: 32)
    var decoded = 0
    for _ in 0..<120 {
      var changed = bytes
      for _ in 0..<(1 + noise.byte() % 8) {
        changed[6 + Int(noise.next() % UInt64(bytes.count - 6))] = UInt8(noise.byte())
      }
      guard let template = try? FingerTemplate(decoding: changed) else { continue }
      decoded += 1
      #expect(PrintMatcher().score(probe: probe, against: template).isFinite)
    }
    #expect(decoded > 0)
  }

  @Test("a template without parts matches nothing")
  func empty() throws {
    let template = try FingerTemplate(decoding: [0x41, 0x43, 0x46, 0x54, 2, 0])
    let probe = try touch(SyntheticFinger(seed: 33), 1)
    #expect(PrintMatcher().score(probe: probe, against: template) == PrintMatcher.lowestScore)
  }
}
