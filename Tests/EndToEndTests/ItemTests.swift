import Foundation
import TestSupport
import Testing

@Suite("Keychain items, through the command", .timeLimit(.minutes(60)))
struct ItemTests {
  @Test("W2 K8: a password is added, queried, updated and deleted")
  func life() throws {
    let state = try TestHome()
    try state.authcore("item", "get", "--service", "mail", "--account", "ann").expect(
      status: 3, error: "errSecItemNotFound")
    try state.succeed(
      "item", "add", "--service", "mail", "--account", "ann", "--label", "Mail", secret: "tüger")
    try state.authcore("item", "add", "--service", "mail", "--account", "ann", secret: "x").expect(
      error: "errSecDuplicateItem")
    let raw = try state.authcore(
      "item", "get", "--service", "mail", "--account", "ann", json: false)
    #expect(raw.output == Data("tüger".utf8), "\(raw.account)")
    let find = try state.authcore("item", "find", "--label", "Mail")
    #expect(find.json["items"]?.array?.first?["account"]?.string == "ann", "\(find.account)")
    #expect(!find.text.contains("secret"))
    try state.succeed(
      "item", "update", "--service", "mail", "--account", "ann", "--set-label", "Post", "--secret",
      secret: "lion")
    let changed = try state.authcore("item", "get", "--label", "Post")
    #expect(changed.secret == "lion")
    try state.succeed("item", "remove", "--service", "mail")
    #expect(try state.authcore("item", "get", "--service", "mail").status == 3)
  }

  @Test("X1 E4 W3: an item behind biometry-current opens with the finger, not with the passcode")
  func biometryCurrent() throws {
    let state = try TestHome.enrolled()
    try state.succeed(
      "item", "add", "--service", "vault", "--access", "biometry-current", secret: "gold")
    let touch = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(touch.secret == "gold", "\(touch.account)")
    try state.authcore("--driver", state.strangerTouches(3), "item", "get", "--service", "vault")
      .expect(error: "authenticationFailed")
    let passcode = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "item", "get", "--service", "vault",
      passcode: TestHome.passcode)
    #expect(passcode.status == 1, "\(passcode.account)")
    try state.authcore("item", "get", "--service", "vault", passcode: TestHome.passcode).expect(
      error: "biometryNotAvailable")
  }

  @Test("A2: an item behind biometry-current is gone for good once another finger is enrolled")
  func biometryCurrentAfterChange() throws {
    let state = try TestHome.enrolled()
    try state.succeed(
      "item", "add", "--service", "vault", "--access", "biometry-current", secret: "gold")
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(get.errorName == "errSecAuthFailed", "\(get.account)")
    try state.succeed("finger", "remove", "left", "--yes", passcode: TestHome.passcode)
    let later = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(later.errorName == "errSecAuthFailed", "\(later.account)")
    #expect(!later.text.contains(Data("gold".utf8).base64EncodedString()))
  }

  @Test("A1 A3: an item behind presence opens with the finger and with the passcode")
  func presence() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "p", "--access", "presence", secret: "x")
    try state.succeed("--driver", state.ownerTouch(), "item", "get", "--service", "p")
    try state.succeed("item", "get", "--service", "p", passcode: TestHome.passcode)
    try state.authcore("item", "get", "--service", "p").expect(error: "notInteractive")
  }

  @Test("A7: updating a protected item asks for what it says; removing it asks for nothing")
  func protectedUpdate() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "p", "--access", "passcode", secret: "x")
    try state.authcore("item", "update", "--service", "p", "--secret", secret: "y").expect(
      error: "notInteractive")
    try state.succeed(
      "item", "update", "--service", "p", "--secret", passcode: TestHome.passcode, secret: "y")
    let get = try state.authcore("item", "get", "--service", "p", passcode: TestHome.passcode)
    #expect(get.secret == "y", "\(get.account)")
    try state.succeed("item", "remove", "--service", "p")
  }

  @Test("A7: what guards an item is changed behind what guards it at that moment")
  func guardChange() throws {
    let state = try TestHome.enrolled()
    let add = try state.authcore("item", "add", "p", "--access", "passcode", secret: "x")
    #expect(
      add.json["item"]?["accessible"]?.string == "when-unlocked-this-device-only", "\(add.account)")
    for access in ["none", "biometry-current", "passcode"] {
      let change = ["item", "update", "p", "--set-access", access]
      for others in [[], ["--secret"], ["--set-label", "new"]] {
        try state.authcore(change + others).expect(error: "notInteractive")
      }
    }
    try state.authcore("item", "update", "p", "--set-access", "none", passcode: "wrong").expect(
      error: "authenticationFailed")
    try state.succeed(
      "item", "update", "p", "--set-access", "biometry-current", passcode: TestHome.passcode)
    // The passcode no longer guards it.
    let late = try state.authcore(
      "item", "update", "p", "--set-access", "none", passcode: TestHome.passcode)
    #expect(late.status != 0, "\(late.account)")
    try state.succeed("--driver", state.ownerTouch(), "item", "update", "p", "--set-access", "none")
    #expect(try state.authcore("item", "get", "p", json: false).text == "x")
  }

  @Test("a prompt names the item by its label or service, or says what --reason says")
  func reason() throws {
    let state = try TestHome.enrolled()
    for arguments in [["bank", "ann", "--label", "Savings"], ["shop"]] {
      try state.succeed(["item", "add"] + arguments + ["--access", "passcode"])
    }
    func shown(_ arguments: String...) throws -> String {
      let get = try TerminalRun(
        ["--home", state.home, "item", "get"] + arguments,
        [.init(seen: "Passcode", typed: TestHome.passcode + "\n")])
      #expect(get.status == 0, "\(get)")
      return get.shown
    }
    #expect(try shown("--account", "ann").contains("Savings"))
    #expect(try shown("shop").contains("shop"))
    let own = try shown("shop", "--reason", "Buy \u{202E}shoes")
    #expect(own.contains("Buy") && own.contains("shoes") && !own.contains("\u{202E}"))
    try state.authcore("item", "get", "shop", "--reason", "").expect(
      status: 64, error: "invalidReason")
  }

  @Test("A9 K5: removing the passcode destroys what depends on it and keeps the rest")
  func passcodeRemoval() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "guarded", "--access", "presence", secret: "x")
    try state.succeed(
      "item", "add", "--service", "bound", "--accessible", "when-passcode-set-this-device-only",
      secret: "x")
    try state.succeed("item", "add", "--service", "plain", secret: "kept")
    try state.succeed("passcode", "remove", passcode: TestHome.passcode)
    #expect(try state.authcore("status").json["fingers"]?.number == 0)
    #expect(try state.authcore("item", "get", "--service", "guarded").status == 3)
    #expect(try state.authcore("item", "get", "--service", "bound").status == 3)
    let kept = try state.authcore("item", "get", "--service", "plain")
    #expect(kept.secret == "kept", "\(kept.account)")
  }

  @Test("K1 K3: no secret, passcode, service or account lies readable in the state folder")
  func nothingReadable() throws {
    let state = try TestHome.enrolled()
    let words = ["gold-secret-7781", "service-7782", "account-7783", "label-7784"]
    try state.succeed(
      "item", "add", "--service", words[1], "--account", words[2], "--label", words[3], "--access",
      "presence", secret: words[0])
    try state.succeed("item", "add", "--service", words[1], secret: words[0])
    let files = try #require(
      FileManager.default.enumerator(
        at: URL(fileURLWithPath: state.home), includingPropertiesForKeys: nil))
    var seen = 0
    for case let file as URL in files {
      guard let contents = try? Data(contentsOf: file), !contents.isEmpty else { continue }
      seen += 1
      for word in words + [TestHome.passcode, "right-index"] {
        #expect(contents.range(of: Data(word.utf8)) == nil, "\(word) in \(file.path)")
      }
    }
    #expect(seen >= 3)
  }

  @Test("K1 K3: every class of password is kept with what belongs to it, and found by that")
  func classes() throws {
    let state = try TestHome.enrolled()
    let server = ["--server", "mail.example", "--account", "ann"]
    func add(_ arguments: [String], _ secret: String) throws -> CommandRun {
      try state.authcore(["item", "add"] + arguments, secret: secret)
    }
    #expect(try add(server + ["--attribute", "port=993"], "one").status == 0)
    try add(server + ["--attribute", "port=993"], "two").expect(
      status: 3, error: "errSecDuplicateItem")
    #expect(try add(server + ["--attribute", "port=25"], "two").status == 0)
    let note = ["--class", "note", "--label", "Wi-Fi", "--attribute", "comment=at home"]
    #expect(try add(note, "a note").status == 0)
    try add(note + ["--server", "x"], "x").expect(status: 64, error: "errSecNoSuchAttr")

    let got = try state.authcore(
      "item", "get", "--server", "mail.example", "--attribute", "port=25", json: false)
    #expect(got.output == Data("two".utf8))
    let found = try state.authcore("item", "find", "--attribute", "comment=at home")
    let item = try #require(found.json["items"]?.array?.first)
    #expect(item["class"]?.string == "note" && item["label"]?.string == "Wi-Fi")
    let id = try #require(item["id"]?.string)
    try state.succeed("item", "update", "--id", id, "--set-attribute", "comment=")
    #expect(try state.authcore("item", "find", "--attribute", "comment=at home").status == 3)
    #expect(
      try state.authcore("item", "get", "--id", id, json: false).output == Data("a note".utf8))
  }
}
