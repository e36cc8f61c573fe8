import Protocol
import Testing

@testable import authcore

@Suite("Secrets that are made up")
struct SecretRecipeTests {
  private func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: secret.bytes.indices.map { secret.bytes[$0] }, as: UTF8.self)
  }

  @Test("the words are 1,296 different ones of small letters, none of which begins another")
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

  @Test("as many characters as were asked for, and of those that were named alone")
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

  @Test("bits are those of all secrets that could have come")
  func bits() throws {
    #expect(try SecretRecipe.characters("01", count: 64).bits == 64)
    #expect(try abs(SecretRecipe.words(count: 4).bits - 41.36) < 0.01)
    #expect(try abs(SecretRecipe.characters("0123456789", count: 8).bits - 26.575) < 0.01)
  }

  @Test("every number below a bound is as likely as any other, that which divides nothing too")
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
    "a set that would not do is refused",
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
