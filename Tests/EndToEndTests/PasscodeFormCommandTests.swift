import Foundation
import TestSupport
import Testing

@Suite("Passcodes of every form, through the command", .timeLimit(.minutes(15)))
struct PasscodeFormCommandTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private func with(_ passcode: [UInt8], _ command: String...) throws -> CommandRun {
    let file = try state.folder.write("passcode-\(UUID().uuidString)", Data(passcode)).path
    return try run(
      "authcore", ["--json", "--home", state.home, "--passcode-file", file] + command)
  }

  @Test("K5: two forms of one text are one passcode, and two texts are two")
  func forms() throws {
    let (composed, decomposed) = (Array("caf\u{E9} 5".utf8), Array("cafe\u{301} 5".utf8))
    #expect(try with(decomposed, "passcode", "set").status == 0)
    for typed in [composed, decomposed] {
      let unlock = try with(typed, "unlock")
      #expect(unlock.status == 0, "\(unlock.account)")
    }
    #expect(try with(Array("cafe 5".utf8), "unlock").errorName == "authenticationFailed")
  }

  @Test(
    "K5: passcodes with NULs and of bytes that are no text are taken to the last byte",
    arguments: [
      [0x61, 0, 0x62, 0], [0xFF, 0xFE, 0x80, 0xC3], [0x65, 0xCC, 0x81, 0xFF, 0xFE, 0x41],
    ])
  func bytes(passcode: [UInt8]) throws {
    #expect(try with(passcode, "passcode", "set").status == 0)
    #expect(try with(passcode, "unlock").status == 0)
    #expect(try with(passcode + [0], "unlock").errorName == "authenticationFailed")
    #expect(try with(Array(passcode.dropLast()), "unlock").errorName == "authenticationFailed")
  }

  @Test("a passcode of 1 MiB, or too long in normal form, is refused and not cut")
  func long() throws {
    let huge = [UInt8](repeating: 0x61, count: 1 << 20)
    let set = try with(huge, "passcode", "set")
    #expect(set.status == 64 && set.errorName == "usage", "\(set.account)")
    let grown = try with(
      Array(String(repeating: "\u{1D160}", count: 200).utf8), "passcode", "set")
    #expect(grown.status == 64 && grown.errorName == "usage", "\(grown.account)")
    let longest = [UInt8](repeating: 0x61, count: 1024)
    #expect(try with(longest, "passcode", "set").status == 0)
    #expect(try with(huge, "unlock").status == 64)
    #expect(try with(longest, "unlock").status == 0)
  }

  @Test("K5: fewer than four characters are passcodeTooShort, and fewer than six bring a warning")
  func short() throws {
    for passcode in ["123", " 1 2 3 ", "\u{E4}\u{F6}\u{FC}", "a\u{308}o\u{308}u\u{308}"] {
      let set = try with(Array(passcode.utf8), "passcode", "set")
      #expect(set.status == 64 && set.errorName == "passcodeTooShort", "\(set.account)")
    }
    let four = try with(Array("\u{E4}\u{F6}\u{FC}\u{DF}".utf8), "passcode", "set")
    #expect(four.status == 0 && four.errors.contains("4 characters"), "\(four.account)")
    let file = try state.folder.write("six", Data("123456".utf8)).path
    let six = try with(
      Array("\u{E4}\u{F6}\u{FC}\u{DF}".utf8), "passcode", "change", "--new-passcode-file", file)
    #expect(six.status == 0 && !six.errors.contains("characters"), "\(six.account)")
  }
}
