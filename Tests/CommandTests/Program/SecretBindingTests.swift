import Protocol
import Testing

@testable import authcore

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
    "what names no variable or no item is refused",
    arguments: [
      "", "=", "TOKEN", "TOKEN=", "=mail", "1T=mail", "A-B=mail", "A B=mail", "Ä=mail", "A.B=mail",
      "T=/ann", "T=a/b/c", "T=\(String(repeating: "s", count: 1025))",
    ])
  func refused(text: String) {
    #expect(throws: Failure.self) { try SecretBinding(text, .environment) }
  }

  @Test("no variable is given twice, whichever way, and at least one is given")
  func names() throws {
    #expect(throws: Failure.self) { try SecretBinding.all(environment: [], files: []) }
    #expect(throws: Failure.self) { try SecretBinding.all(environment: ["A=x"], files: ["A=y"]) }
    let all = try SecretBinding.all(environment: ["A=x", "a=x"], files: ["B=x"])
    #expect(all.map(\.name) == ["A", "a", "B"])
  }
}
