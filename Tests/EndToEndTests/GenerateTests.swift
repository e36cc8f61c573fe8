import Foundation
import TestSupport
import Testing

@Suite("Secrets that authcore makes up", .timeLimit(.minutes(15)))
struct GenerateTests {
  @Test("a secret is added and not shown, with its bits, and comes back as it was shown")
  func life() throws {
    let state = try TestHome()
    let quiet = try state.authcore("item", "generate", "github", "ann", json: false)
    #expect(quiet.status == 0, "\(quiet.account)")
    #expect(quiet.text == "Added github / ann: a secret of 131 bits.\n", "\(quiet.account)")
    let got = try state.authcore("item", "get", "github", "ann", json: false)
    #expect(got.output.count == 20 && !quiet.text.contains(got.text))
    let shown = try state.authcore(
      "item", "generate", "wifi", "--words", "6", "--show", json: false)
    let words = try state.authcore("item", "get", "wifi", json: false).text
    #expect(shown.text == words + "\n", "\(shown.account)")
    #expect(words.split(separator: "-").count == 6 && shown.errors.contains("62 bits"))
    let json = try state.authcore(
      "item", "generate", "door", "--alphabet", "digits", "--length", "6", "--show")
    let code = try #require(json.json["secret"]?.string.flatMap { Data(base64Encoded: $0) })
    #expect(code.count == 6 && code.allSatisfy { (0x30...0x39).contains($0) }, "\(json.account)")
    #expect(json.json["bits"]?.number == 19 && json.errors.contains("by trying"), "\(json.account)")
    let hidden = try state.authcore("item", "generate", "x", "--characters", "ab")
    #expect(hidden.json["secret"] == nil && hidden.json["item"]?["service"]?.string == "x")
  }

  @Test("FINDINGS B11: no example of its help makes a secret that it warns of")
  func examples() throws {
    let help = try run("authcore", ["item", "generate", "--help"]).text
    let examples = help.split(separator: "\n").compactMap { line in
      line.split(separator: " ").starts(with: ["authcore", "item", "generate"])
        ? line.split(separator: " ").dropFirst(3).map(String.init) : nil
    }
    #expect(examples.count == 3, "\(help)")
    let state = try TestHome()
    try state.setUp()
    for words in examples {
      let made = try run(
        "authcore", ["--json", "--home", state.home, "item", "generate"] + words)
      #expect(made.status == 0 && !made.errors.contains("by trying"), "\(made.account)")
    }
  }

  @Test("it is guarded as an added one is")
  func guarded() throws {
    let state = try TestHome()
    try state.setUp()
    let made = try state.authcore("item", "generate", "vault", "--access", "biometry-current")
    #expect(made.json["item"]?["access"]?.string == "biometry-current", "\(made.account)")
    let again = try state.authcore("item", "generate", "vault")
    #expect(again.errorName == "errSecDuplicateItem", "\(again.account)")
    let touch = try state.authcore("--driver", state.ownerTouch(), "item", "get", "vault")
    #expect(touch.status == 0, "\(touch.account)")
  }

  @Test(
    "what contradicts itself is refused before a core is asked",
    arguments: [
      [], ["s", "--words", "4", "--length", "8"],
      ["s", "--alphabet", "digits", "--characters", "ab"],
      ["s", "--words", "0"], ["s", "--alphabet", "nonsense"], ["s", "--class", "key"],
    ])
  func usage(words: [String]) throws {
    let refused = try run(
      "authcore",
      ["--json", "--home", "/nonexistent/authcore-generate", "item", "generate"] + words)
    #expect(refused.status == 64, "\(refused.account)")
  }
}
