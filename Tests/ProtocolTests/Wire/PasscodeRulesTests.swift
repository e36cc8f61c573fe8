import Protocol
import Testing

@Suite("What a passcode has to be")
struct PasscodeRulesTests {
  private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

  @Test(
    "characters are counted as a person does, without white space",
    arguments: [
      ("", 0), ("   \t\u{A0}\u{2003}\u{3000}", 0), ("1234", 4), ("1 2 3", 3), ("äöü", 3),
      ("a\u{308}o\u{308}u\u{308}", 3), ("q\u{307}\u{323}xyz", 4), ("日本語", 3), ("🔒🔒🔒🔒", 4),
      ("👍🏽👍🏿", 2), ("👩‍👩‍👧‍👦ab", 3), ("❤️❤️❤️", 3), ("한국어요", 4), ("a\u{0}b\u{0}", 4),
    ] as [(String, Int)])
  func characters(text: String, count: Int) {
    let bytes = Array(text.utf8)
    #expect(PasscodeRules.characters(in: bytes.span) == count)
  }

  @Test("a byte that is no UTF-8 is a character, and any bytes are counted")
  func invalid() {
    let cases: [([UInt8], Int)] = [
      ([0xFF, 0xFE, 0xFD, 0xFC], 4), ([0xC3], 1), ([0xC3, 0x28], 2), ([0xED, 0xA0, 0x80], 3),
      ([0xC0, 0x80], 2), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE2, 0x82], 2), ([0x80, 0x20, 0x80], 2),
    ]
    for (bytes, count) in cases {
      #expect(PasscodeRules.characters(in: bytes.span) == count, "\(bytes)")
    }
  }

  @Test("fewer than four are refused, with what it takes")
  func tooShort() throws {
    for text in ["", "abc", " a b c ", "äöü", "👍🏽👍🏿"] {
      let failure = #expect(throws: Failure.self) {
        try PasscodeRules.check(secret(Array(text.utf8)))
      }
      #expect(failure?.code == .passcodeTooShort && failure?.hint?.contains("4") == true)
    }
    for text in ["abcd", "1234", "äöüß", "🔒🔒🔒🔒"] {
      #expect(try PasscodeRules.check(secret(Array(text.utf8))) == 4)
    }
    #expect(FailureCode.passcodeTooShort.exitCode == 64)
  }
}
