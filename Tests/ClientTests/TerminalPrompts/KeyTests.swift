import CoreClient
import Protocol
import Testing

@Suite("Keys")
struct KeyTests {
  private func keys(_ bytes: [UInt8]) -> [Key] { Key.keys(in: bytes.span) }

  @Test("text, Enter, the erasing keys and the end are told apart")
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

  @Test("a character is taken back whole")
  func characters() {
    var typed = TypedSecret()
    for byte in [0x61, 0xC3, 0xBC] as [UInt8] { typed.append(byte) }
    typed.removeLast()
    #expect(typed.count == 1)
    typed.removeLast()
    typed.removeLast()
    #expect(typed.count == 0)
  }

  @Test("what is too long is not kept")
  func limit() {
    var typed = TypedSecret()
    for _ in 0..<2000 { typed.append(0x61) }
    #expect(typed.count == TypedSecret.limit)
    let secret = typed.take()
    #expect(secret.count == TypedSecret.limit)
    #expect(typed.count == 0)
  }
}
