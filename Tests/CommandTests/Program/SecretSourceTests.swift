import Glibc
import Protocol
import Testing

@testable import authcore

@Suite("Secrets that are not typed", .timeLimit(.minutes(15)))
struct SecretSourceTests {
  private let interrupts = Interrupts(isJSON: false)

  /// What is read where `text` lies in a pipe.
  private func read(_ text: String, limit: Int = 1024) throws -> String {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    let bytes = Array(text.utf8)
    #expect(unsafe write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    guard let source = try SecretSource(name: "passcode", descriptor: ends[0], file: nil) else {
      return ""
    }
    let secret = try source.read(limit: limit, interrupts: interrupts)
    return String(decoding: (0..<secret.count).map { secret.bytes[$0] }, as: UTF8.self)
  }

  @Test("exactly one trailing newline is left out", arguments: ["", "a", "a b", "a\n", " "])
  func newline(text: String) throws {
    #expect(try read(text + "\n") == text)
  }

  @Test("without a newline all of it counts")
  func noNewline() throws {
    #expect(try read("tüger ") == "tüger ")
    #expect(try read("") == "")
  }

  @Test("a secret may be as long as the limit and not longer")
  func limit() throws {
    let longest = String(repeating: "x", count: 64)
    #expect(try read(longest + "\n", limit: 64) == longest)
    let failure = #expect(throws: Failure.self) { try read(longest + "xy", limit: 64) }
    #expect(failure?.code == .usage)
  }

  @Test("a descriptor and a file together, and what is not there, are usage errors")
  func refused() {
    for (descriptor, file) in [(0, "/dev/null"), (4000, nil), (-1, nil), (nil, "/nonexistent")]
      as [(Int32?, String?)]
    {
      let failure = #expect(throws: Failure.self) {
        try SecretSource(name: "passcode", descriptor: descriptor, file: file)
      }
      #expect(failure?.code == .usage)
    }
  }

  @Test("two secrets cannot come from one descriptor, by whatever name")
  func distinct() throws {
    let names: [String] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
    for name in names where unsafe access(name, R_OK) == 0 {
      guard let source = try SecretSource(name: "passcode", descriptor: nil, file: name) else {
        continue
      }
      #expect(throws: Failure.self) { try SecretSource.checkDistinct([source, .standardInput]) }
    }
    let file = try #require(
      try SecretSource(name: "passcode", descriptor: nil, file: "/dev/null"))
    try SecretSource.checkDistinct([file, .standardInput])
    try SecretSource.checkDistinct([file, file])
  }
}
