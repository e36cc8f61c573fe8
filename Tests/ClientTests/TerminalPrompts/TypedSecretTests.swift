import Protocol
import Testing

@testable import CoreClient

@Suite("Passcodes in normal form")
struct NormalizingTests {
  private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

  private func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
    (0..<secret.count).map { secret.bytes[$0] }
  }

  @Test(
    "the several forms of one text become one (UAX #15)",
    arguments: [
      ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
      ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{958}", "\u{915}\u{93C}"),
      ("\u{1D160}", "\u{1D158}\u{1D165}\u{1D16E}"), ("a\u{0}e\u{301}\u{0}", "a\u{0}\u{E9}\u{0}"),
      ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}"), ("\u{FB01}", "\u{FB01}"), ("ascii 42", "ascii 42"),
      ("", ""), ("\u{0}", "\u{0}"),
    ])
  func forms(typed: String, normal: String) throws {
    let inForm = secret(Array(typed.utf8)).inNormalForm()
    #expect(bytes(of: inForm) == Array(normal.utf8))
    // Text in that form stays. Bytes are compared, since == of String ignores the form.
    let again = inForm.normalized()
    let isStable = again == nil
    #expect(isStable)
    let changes = secret(Array(typed.utf8)).normalized() != nil
    #expect(changes == (Array(typed.utf8) != Array(normal.utf8)))
  }

  @Test("bytes that are no UTF-8 stay as they are")
  func noText() {
    let cases: [[UInt8]] = [
      [0xFF], [0x65, 0xCC], [0x65, 0xCC, 0x81, 0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xE9],
    ]
    for bytes in cases {
      #expect(self.bytes(of: secret(bytes).inNormalForm()) == bytes, "\(bytes)")
    }
  }

  @Test("random bytes and random accents end in one form, whatever they are")
  func random() {
    var random = SystemRandomNumberGenerator()
    let pieces =
      ["e", "\u{301}", "\u{323}", "\u{1112}", "\u{1161}", "\u{0}", "\u{1D15E}"]
      .map { Array($0.utf8) } + [[0xFF], [0xCC]]
    for _ in 0..<2000 {
      let typed = (0..<Int.random(in: 0...20, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      let once = secret(typed).inNormalForm()
      let twice = once.normalized()
      let isStable = twice == nil
      #expect(isStable, "\(typed)")
    }
  }

  @Test("an answer carries the passcode in normal form, and as typed where that differs")
  func answers() {
    let plain = PromptAnswer(prompt: 1, passcode: secret(Array("tulip".utf8)))
    #expect(bytes(of: plain.passcode) == Array("tulip".utf8) && plain.asTyped.count == 0)
    let typed = Array("cafe\u{301}".utf8)
    let both = PromptAnswer(prompt: 1, passcode: secret(typed))
    #expect(bytes(of: both.passcode) == Array("caf\u{E9}".utf8) && bytes(of: both.asTyped) == typed)
    // In normal form it is three times as long, and longer than any passcode.
    let long = Array(String(repeating: "\u{1D160}", count: 256).utf8)
    let tooLong = PromptAnswer(prompt: 1, passcode: secret(long))
    #expect(tooLong.passcode.count == 0 && bytes(of: tooLong.asTyped) == long)
  }
}

@Suite("Keys")
struct KeyTests {
  private func keys(_ bytes: [UInt8]) -> [Key] { Key.keys(in: bytes.span) }

  @Test("text, Enter, the erasing keys and the end are distinguished")
  func plain() {
    #expect(
      keys([0x61, 0xC3, 0xBC, 0x7F, 0x15, 0x0D, 0x0A, 0x04])
        == [
          .byte(0x61), .byte(0xC3), .byte(0xBC), .backspace, .eraseAll, .enter, .enter, .end,
        ])
  }

  @Test("an arrow or a function key is neither Escape nor text")
  func functionKeys() {
    #expect(keys([0x1B]) == [.escape])
    #expect(keys([0x1B, 0x5B, 0x41, 0x61]) == [.byte(0x61)])
    #expect(keys([0x1B, 0x5B, 0x31, 0x35, 0x7E]) == [])
    #expect(keys([0x1B, 0x4F, 0x50]) == [])
    #expect(keys([0x1B, 0x5B]) == [])
  }

  @Test("a character is removed whole")
  func characters() {
    var typed = TypedSecret()
    for byte in [0x61, 0xC3, 0xBC] as [UInt8] { typed.append(byte) }
    typed.removeLast()
    #expect(typed.count == 1)
    typed.removeLast()
    typed.removeLast()
    #expect(typed.count == 0)
  }

  @Test("input that is too long is not kept")
  func limit() {
    var typed = TypedSecret()
    for _ in 0..<2000 { typed.append(0x61) }
    #expect(typed.count == TypedSecret.limit)
    let secret = typed.take()
    #expect(secret.count == TypedSecret.limit)
    #expect(typed.count == 0)
  }
}
