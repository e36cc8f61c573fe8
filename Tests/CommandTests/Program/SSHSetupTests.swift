import Testing

@testable import authcore

@Suite("authcore ssh setup")
struct SSHSetupTests {
  private static let block = SSHSetupText.start + "\nA\n" + SSHSetupText.end + "\n"

  @Test(
    "X8: setup adds a marked block behind what is in the file",
    arguments: [("", block), ("Host a\n", "Host a\n" + block), ("Host a", "Host a\n" + block)])
  func appended(text: String, expected: String) {
    #expect(SSHSetupText.settingBlock(["A"], in: text) == expected)
  }

  @Test("X8: setup replaces its block where it stands, and writes the same twice")
  func replaced() throws {
    let text = "Host a\n" + Self.block + "Host b\n"
    let once = try #require(SSHSetupText.settingBlock(["B", "C"], in: text))
    let marked = SSHSetupText.start + "\nB\nC\n" + SSHSetupText.end
    #expect(once == "Host a\n" + marked + "\nHost b\n")
    #expect(SSHSetupText.settingBlock(["B", "C"], in: once) == once)
  }

  @Test("X8: setup leaves a file alone whose block has no end")
  func endless() {
    #expect(SSHSetupText.settingBlock(["A"], in: SSHSetupText.start + "\nHost a\n") == nil)
  }

  @Test(
    "X8: keys sign commits under Git's address, or under every name if that is no name",
    arguments: [
      ("me@example.org\n", "me@example.org"), ("", "*"), ("\n", "*"), ("*@example.org\n", "*"),
      ("a,b\n", "*"), ("a b\n", "*"), ("!me\n", "*"), ("ü@example.org\n", "*"), ("#a\n", "*"),
    ])
  func signers(email: String, name: String) {
    #expect(SSHSetupText.signer(email: email) == name)
  }

  @Test(
    "X8: a key's name is a file's name only if it is one word and leaves the folder alone",
    arguments: [
      ("work", true), ("a.b-c_9", true), ("", false), (".ssh", false), ("a/b", false),
      ("a b", false), ("é", false), (String(repeating: "k", count: 201), false),
    ])
  func fileNames(name: String, isOne: Bool) {
    #expect(SSHSetupText.isFileName(name) == isOne)
  }
}
