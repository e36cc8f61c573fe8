import Foundation
import Protocol
import TestSupport
import Testing

/// The bytes of every message, so that a changed encoding is noticed.
///
/// `AUTHCORE_REWRITE_GOLDEN=1` writes Fixtures/golden-bytes.txt anew from the made-up messages.
@Suite("Golden bytes")
struct GoldenBytesTests {
  @Test("every message is encoded as it always was, and decodes to what it was")
  func encoding() throws {
    let samples = try GoldenSample.all
    if ProcessInfo.processInfo.environment["AUTHCORE_REWRITE_GOLDEN"] != nil {
      try GoldenFile.write(samples)
    }
    let lines = try GoldenFile.read()
    for sample in samples {
      guard let golden = lines[sample.name] else {
        Issue.record("\(sample.name) has no line; \(GoldenFile.advice)")
        continue
      }
      #expect(
        sample.encoded.hexadecimal == golden.hexadecimal,
        "\(sample.name) is encoded in another way; where that is meant, \(GoldenFile.advice)")
      let again = try? sample.again(golden)
      #expect(again == golden, "\(sample.name) decodes to something else")
    }
    let left = Set(lines.keys).subtracting(samples.map(\.name))
    #expect(left.isEmpty, "there are no such messages; \(GoldenFile.advice)")
  }

  @Test("every declared message has a sample")
  func completeness() throws {
    var declared = Kinds()
    EveryMessage.visit(with: &declared)
    let samples = try GoldenSample.all
    let missing = declared.kinds.union(EveryMessage.envelopes).subtracting(samples.map(\.kind))
    #expect(
      missing.isEmpty, "add one of each to Tests/ProtocolTests/GoldenBytes/GoldenSample+….swift")
    #expect(
      Set(samples.map(\.name)).count == samples.count, "two made-up messages have the same name"
    )
  }

  @Test("a message that is cut anywhere, or goes on behind its end, is an error")
  func cutAndPadded() throws {
    for sample in try GoldenSample.all {
      for count in sample.encoded.indices {
        #expect(throws: DecodeError.self, "\(sample.name), \(count) bytes") {
          _ = try sample.again(Array(sample.encoded.prefix(count)))
        }
      }
      #expect(throws: DecodeError.trailingBytes(count: 1), "\(sample.name)") {
        _ = try sample.again(sample.encoded + [0])
      }
    }
  }

  private struct Kinds: MessageVisitor {
    var kinds: Set<String> = []

    mutating func visit<Message: WireMessage & ~Copyable>(_ type: Message.Type) {
      kinds.insert("\(type)")
    }
  }
}

/// The file of the bytes: a line with name and bytes for each message.
private enum GoldenFile {
  static let advice = "run AUTHCORE_REWRITE_GOLDEN=1 swift test --filter GoldenBytes"

  private static let file: URL = {
    let sources = ProcessInfo.processInfo.environment["AUTHCORE_SOURCES"]
    let root =
      sources.map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.appendingPathComponent("Tests/ProtocolTests/GoldenBytes/Fixtures/golden-bytes.txt")
  }()

  static func read() throws -> [String: [UInt8]] {
    var lines: [String: [UInt8]] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: ":")
      let name = String(try #require(parts.first))
      let text = try #require(parts.last).drop { $0 == " " }
      guard let bytes = [UInt8](hexadecimal: text) else {
        Issue.record("the line of \(name) is no hexadecimal number")
        continue
      }
      lines[name] = bytes
    }
    return lines
  }

  static func write(_ samples: [GoldenSample]) throws {
    let lines = samples.map { "\($0.name): \($0.encoded.hexadecimal)\n" }
    try Data(lines.joined().utf8).write(to: file)
  }
}
