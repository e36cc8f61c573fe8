import Glibc
import Protocol
import Testing

@testable import authcore

@Suite("Secrets that are not typed", .timeLimit(.minutes(60)))
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

  @Test("without a newline, all bytes count")
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

  @Test("a descriptor together with a file, and a missing one, are usage errors")
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

  @Test("two secrets cannot come from one descriptor under any name")
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

@Suite("What a command gets of the keychain")
struct SecretBindingTests {
  @Test("service and account stand behind the variable, and a slash of a name is written \\/")
  func parts() throws {
    let plain = try SecretBinding("TOKEN=deploy", .environment)
    #expect(plain.name == "TOKEN" && plain.service == "deploy" && plain.account == nil)
    let both = try SecretBinding("_t1=deploy/ann=b", .file)
    #expect(both.service == "deploy" && both.account == "ann=b")
    let address = try SecretBinding("T=https:\\/\\/example.org/a\\b", .environment)
    #expect(address.service == "https://example.org" && address.account == "a\\b")
    #expect(try SecretBinding("T=s/", .environment).account == "")
  }

  @Test(
    "a binding without a variable or an item is refused",
    arguments: [
      "", "=", "TOKEN", "TOKEN=", "=mail", "1T=mail", "A-B=mail", "A B=mail", "Ä=mail", "A.B=mail",
      "T=/ann", "T=a/b/c", "T=\(String(repeating: "s", count: 1025))",
    ])
  func refused(text: String) {
    #expect(throws: Failure.self) { try SecretBinding(text, .environment) }
  }

  @Test("no variable is given twice in either way, and at least one is given")
  func names() throws {
    #expect(throws: Failure.self) { try SecretBinding.all(environment: [], files: []) }
    #expect(throws: Failure.self) { try SecretBinding.all(environment: ["A=x"], files: ["A=y"]) }
    let all = try SecretBinding.all(environment: ["A=x", "a=x"], files: ["B=x"])
    #expect(all.map(\.name) == ["A", "a", "B"])
  }
}

@Suite("Secrets that are made up")
struct SecretRecipeTests {
  private func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: secret.bytes.indices.map { secret.bytes[$0] }, as: UTF8.self)
  }

  @Test("the words are 1,296 different ones in small letters, and none begins another")
  func words() {
    let words = WordList.words.map { String(decoding: $0, as: UTF8.self) }
    #expect(words.count == 1296)
    #expect(Set(words).count == words.count)
    #expect(words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } })
    #expect(words.allSatisfy { (3...10).contains($0.utf8.count) })
    for (word, next) in zip(words.sorted(), words.sorted().dropFirst()) {
      #expect(!next.hasPrefix(word), "\(word) begins \(next)")
    }
  }

  @Test("a secret has the requested number of characters, and only the named ones")
  func characters() throws {
    let set = try Alphabet.characters(named: "digits+hex+uppercase")
    #expect(set == "0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ")
    let recipe = try SecretRecipe.characters(set, count: 500)
    let made = try text(recipe.make())
    #expect(made.count == 500 && made.allSatisfy { set.contains($0) })
    let wide = try text(SecretRecipe.characters("äß€", count: 9).make())
    #expect(wide.count == 9 && wide.allSatisfy { "äß€".contains($0) })
    let words = try text(SecretRecipe.words(count: 7).make()).split(separator: "-")
    let known = Set(WordList.words.map { String(decoding: $0, as: UTF8.self) })
    #expect(words.count == 7 && words.allSatisfy { known.contains(String($0)) })
  }

  @Test("the bits count all possible secrets")
  func bits() throws {
    #expect(try SecretRecipe.characters("01", count: 64).bits == 64)
    #expect(try abs(SecretRecipe.words(count: 4).bits - 41.36) < 0.01)
    #expect(try abs(SecretRecipe.characters("0123456789", count: 8).bits - 26.575) < 0.01)
  }

  @Test("every number below a bound is equally likely, also if the bound is no power of two")
  func uniform() throws {
    var numbers = UnbiasedNumbers()
    var counts = [Double](repeating: 0, count: 94)
    let draws = 94_000
    for _ in 0..<draws { counts[try numbers.next(below: 94)] += 1 }
    let expected = Double(draws) / 94
    let square = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
    // Of 93 degrees of freedom one draw in ten billion is beyond 210.
    #expect(square < 210, "\(square)")
  }

  @Test(
    "an invalid set is refused",
    arguments: ["", "a", "aba", "a\u{7}b", "a\u{202E}b"])
  func refused(set: String) {
    #expect(throws: Failure.self) { try SecretRecipe.characters(set, count: 8) }
  }

  @Test("counts have bounds, and names of alphabets are known ones")
  func bounds() {
    for count in [-1, 0, 1025] {
      #expect(throws: Failure.self) { try SecretRecipe.words(count: count) }
      #expect(throws: Failure.self) { try SecretRecipe.characters("ab", count: count) }
    }
    for name in ["", "leters", "digits+", "digits,letters"] {
      #expect(throws: Failure.self) { try Alphabet.characters(named: name) }
    }
  }
}
