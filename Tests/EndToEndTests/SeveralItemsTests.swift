import Foundation
import TestSupport
import Testing

@Suite("Several items behind one prompt, through the command", .timeLimit(.minutes(15)))
struct SeveralItemsTests {
  /// The secrets that a command wrote, by account.
  private func secrets(_ run: CommandRun) -> [String: String] {
    var secrets: [String: String] = [:]
    for entry in run.json["items"]?.array ?? [] {
      guard let account = entry["item"]?["account"]?.string,
        let secret = entry["secret"]?.string.flatMap({ Data(base64Encoded: $0) })
      else { continue }
      secrets[account] = String(decoding: secret, as: UTF8.self)
    }
    return secrets
  }

  private func add(_ account: String, access: String?, to state: TestHome) throws {
    let guarded = access.map { ["--access", $0] } ?? []
    let add = try run(
      "authcore",
      ["--json", "--home", state.home, "item", "add", "--service", "vault", "--account", account]
        + guarded, input: Data("gold of \(account)".utf8))
    #expect(add.status == 0, "\(add.account)")
  }

  @Test("A8: items that ask for the same open behind one touch")
  func oneTouch() throws {
    let state = try TestHome()
    try state.setUp()
    try add("ann", access: "biometry-current", to: state)
    try add("bob", access: "biometry-any", to: state)
    try add("eve", access: "presence", to: state)
    try add("", access: nil, to: state)
    // The tape has one touch: another one would never come.
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(get.status == 0, "\(get.account)")
    #expect(
      secrets(get) == [
        "ann": "gold of ann", "bob": "gold of bob", "eve": "gold of eve", "": "gold of ",
      ])
    #expect(get.text.split(separator: "\n").count == 1)
    // What was proved for that command is nothing to the next one.
    let next = try state.authcore("item", "get", "--service", "vault", "--account", "eve")
    #expect(next.errorName == "notInteractive", "\(next.account)")
  }

  @Test("A8: items that ask for different things bring a prompt each")
  func twoProofs() throws {
    let state = try TestHome()
    try state.setUp()
    try add("ann", access: "biometry-any", to: state)
    try add("bob", access: "passcode", to: state)
    try add("eve", access: "biometry-any and passcode", to: state)
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all",
      passcode: TestHome.passcode)
    #expect(get.status == 0, "\(get.account)")
    #expect(secrets(get).count == 3)
    // One that cannot be opened: nothing is written.
    let touch = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(touch.errorName == "notInteractive", "\(touch.account)")
    #expect(!touch.text.contains("items"))
  }

  @Test("an item that cannot be opened any more is named, and nothing is written")
  func oneIsGone() throws {
    let state = try TestHome()
    try state.setUp()
    try add("ann", access: "biometry-any", to: state)
    try add("bob", access: "biometry-current", to: state)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault", "--all")
    #expect(get.errorName == "errSecAuthFailed", "\(get.account)")
    #expect(get.json["error"]?["message"]?.string?.contains("vault / bob") == true)
    #expect(!get.text.contains("items"))
  }

  @Test("what get --all cannot mean is said before anybody is asked")
  func usage() throws {
    let state = try TestHome()
    try add("ann", access: nil, to: state)
    try add("bob", access: nil, to: state)
    let plain = try state.authcore("item", "get", "--service", "vault", "--all", json: false)
    #expect(plain.status == 64 && plain.output.isEmpty, "\(plain.account)")
    #expect(plain.errors.contains("--json"))
    #expect(try state.authcore("item", "get", "--all").errorName == "usage")
    #expect(try state.authcore("item", "get").errorName == "usage")
    let empty = try state.authcore("item", "get", "--service", "vault", "--reason", "")
    #expect(empty.errorName == "invalidReason", "\(empty.account)")
    let several = try state.authcore("item", "get", "--service", "vault")
    #expect(several.errorName == "ambiguous")
    #expect(several.json["error"]?["hint"]?.string?.contains("--all --json") == true)
    let none = try state.authcore("item", "get", "--service", "nothing", "--all")
    #expect(none.status == 3, "\(none.account)")
    #expect(secrets(try state.authcore("item", "get", "--service", "vault", "--all")).count == 2)
  }
}
