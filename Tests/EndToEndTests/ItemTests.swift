import Foundation
import TestSupport
import Testing

@Suite("Keychain items, through the command", .timeLimit(.minutes(15)))
struct ItemTests {
  @Test("W2 K8: a password is added, queried, updated and deleted")
  func life() throws {
    let state = try TestHome()
    let missing = try state.authcore("item", "get", "--service", "mail", "--account", "ann")
    #expect(missing.status == 3, "\(missing.account)")
    #expect(missing.errorName == "errSecItemNotFound")
    let add = try state.authcore(
      "item", "add", "--service", "mail", "--account", "ann", "--label", "Mail", secret: "tüger")
    #expect(add.status == 0, "\(add.account)")
    let again = try state.authcore(
      "item", "add", "--service", "mail", "--account", "ann", secret: "x")
    #expect(again.errorName == "errSecDuplicateItem", "\(again.account)")
    let raw = try state.authcore(
      "item", "get", "--service", "mail", "--account", "ann", json: false)
    #expect(raw.output == Data("tüger".utf8), "\(raw.account)")
    let find = try state.authcore("item", "find", "--label", "Mail")
    #expect(find.json["items"]?.array?.first?["account"]?.string == "ann", "\(find.account)")
    #expect(!find.text.contains("secret"))
    let update = try state.authcore(
      "item", "update", "--service", "mail", "--account", "ann", "--set-label", "Post", "--secret",
      secret: "lion")
    #expect(update.status == 0, "\(update.account)")
    let changed = try state.authcore("item", "get", "--label", "Post")
    #expect(changed.json["secret"]?.string == Data("lion".utf8).base64EncodedString())
    #expect(try state.authcore("item", "remove", "--service", "mail").status == 0)
    #expect(try state.authcore("item", "get", "--service", "mail").status == 3)
  }

  @Test("several matches are ambiguous, and removed only with --all")
  func ambiguous() throws {
    let state = try TestHome()
    for account in ["a", "b", "c"] {
      #expect(
        try state.authcore("item", "add", "--service", "s", "--account", account, secret: account)
          .status == 0)
    }
    let get = try state.authcore("item", "get", "--service", "s")
    #expect(get.status == 64, "\(get.account)")
    #expect(get.errorName == "ambiguous")
    #expect(try state.authcore("item", "remove", "--service", "s").errorName == "ambiguous")
    let unasked = try state.authcore("item", "remove", "--service", "s", "--all")
    #expect(unasked.errorName == "notInteractive", "\(unasked.account)")
    #expect(try state.authcore("item", "list").json["items"]?.array?.count == 3)
    #expect(try state.authcore("item", "remove", "s", "--all", "--yes").status == 0)
    let list = try state.authcore("item", "list")
    #expect(list.json["items"] == .array([]), "\(list.account)")
  }

  @Test("X1 E4 W3: an item behind biometry-current opens with the finger, not with the passcode")
  func biometryCurrent() throws {
    let state = try TestHome()
    try state.setUp()
    let add = try state.authcore(
      "item", "add", "--service", "vault", "--access", "biometry-current", secret: "gold")
    #expect(add.status == 0, "\(add.account)")
    let touch = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(
      touch.json["secret"]?.string == Data("gold".utf8).base64EncodedString(), "\(touch.account)")
    let stranger = try state.authcore(
      "--driver", state.strangerTouches(3), "item", "get", "--service", "vault")
    #expect(stranger.errorName == "authenticationFailed", "\(stranger.account)")
    let passcode = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "item", "get", "--service", "vault",
      passcode: TestHome.passcode)
    #expect(passcode.status == 1, "\(passcode.account)")
    let noSensor = try state.authcore(
      "item", "get", "--service", "vault", passcode: TestHome.passcode)
    #expect(noSensor.errorName == "biometryNotAvailable", "\(noSensor.account)")
  }

  @Test("A2: an item behind biometry-current is gone for good once another finger is enrolled")
  func biometryCurrentAfterChange() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore(
        "item", "add", "--service", "vault", "--access", "biometry-current", secret: "gold"
      ).status == 0)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(get.errorName == "errSecAuthFailed", "\(get.account)")
    #expect(
      try state.authcore("finger", "remove", "left", "--yes", passcode: TestHome.passcode).status
        == 0)
    let later = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "--service", "vault")
    #expect(later.errorName == "errSecAuthFailed", "\(later.account)")
    #expect(!later.text.contains(Data("gold".utf8).base64EncodedString()))
  }

  @Test("A1 A3: an item behind presence opens with the finger and with the passcode")
  func presence() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore(
        "item", "add", "--service", "p", "--access", "presence", secret: "x"
      ).status == 0)
    #expect(
      try state.authcore("--driver", state.ownerTouch(), "item", "get", "--service", "p").status
        == 0)
    let passcode = try state.authcore(
      "item", "get", "--service", "p", passcode: TestHome.passcode)
    #expect(passcode.status == 0, "\(passcode.account)")
    let nobody = try state.authcore("item", "get", "--service", "p")
    #expect(nobody.errorName == "notInteractive", "\(nobody.account)")
  }

  @Test("A7: updating a protected item asks for what it says; removing it asks for nothing")
  func protectedUpdate() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore(
        "item", "add", "--service", "p", "--access", "passcode", secret: "x"
      ).status == 0)
    let refused = try state.authcore(
      "item", "update", "--service", "p", "--secret", secret: "y")
    #expect(refused.errorName == "notInteractive", "\(refused.account)")
    let updated = try state.authcore(
      "item", "update", "--service", "p", "--secret", passcode: TestHome.passcode, secret: "y")
    #expect(updated.status == 0, "\(updated.account)")
    let get = try state.authcore("item", "get", "--service", "p", passcode: TestHome.passcode)
    #expect(get.json["secret"]?.string == Data("y".utf8).base64EncodedString(), "\(get.account)")
    #expect(try state.authcore("item", "remove", "--service", "p").status == 0)
  }

  @Test("A7: what guards an item is changed behind what guards it at that moment")
  func guardChange() throws {
    let state = try TestHome()
    try state.setUp()
    let add = try state.authcore("item", "add", "p", "--access", "passcode", secret: "x")
    #expect(
      add.json["item"]?["accessible"]?.string == "when-unlocked-this-device-only", "\(add.account)")
    for access in ["none", "biometry-current", "passcode"] {
      let change = ["item", "update", "p", "--set-access", access]
      for others in [[], ["--secret"], ["--set-label", "new"]] {
        let unasked = try run("authcore", ["--json", "--home", state.home] + change + others)
        #expect(unasked.errorName == "notInteractive", "\(unasked.account)")
      }
    }
    let wrong = try state.authcore("item", "update", "p", "--set-access", "none", passcode: "wrong")
    #expect(wrong.errorName == "authenticationFailed", "\(wrong.account)")
    let finger = try state.authcore(
      "item", "update", "p", "--set-access", "biometry-current", passcode: TestHome.passcode)
    #expect(finger.status == 0, "\(finger.account)")
    // The passcode guards it no longer.
    let late = try state.authcore(
      "item", "update", "p", "--set-access", "none", passcode: TestHome.passcode)
    #expect(late.status != 0, "\(late.account)")
    let open = try state.authcore(
      "--driver", state.ownerTouch(), "item", "update", "p", "--set-access", "none")
    #expect(open.status == 0, "\(open.account)")
    #expect(try state.authcore("item", "get", "p", json: false).text == "x")
  }

  @Test("a prompt names the item by its label or service, or says what --reason says")
  func reason() throws {
    let state = try TestHome()
    try state.setUp()
    for arguments in [["bank", "ann", "--label", "Savings"], ["shop"]] {
      let add = try run(
        "authcore",
        ["--json", "--home", state.home, "item", "add"] + arguments + ["--access", "passcode"])
      #expect(add.status == 0, "\(add.account)")
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
    let empty = try state.authcore("item", "get", "shop", "--reason", "")
    #expect(empty.status == 64 && empty.errorName == "invalidReason", "\(empty.account)")
  }

  @Test("A9 K5: removing the passcode destroys what depends on it and keeps the rest")
  func passcodeRemoval() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore(
        "item", "add", "--service", "guarded", "--access", "presence", secret: "x"
      ).status == 0)
    #expect(
      try state.authcore(
        "item", "add", "--service", "bound", "--accessible", "when-passcode-set-this-device-only",
        secret: "x"
      ).status == 0)
    #expect(try state.authcore("item", "add", "--service", "plain", secret: "kept").status == 0)
    let remove = try state.authcore("passcode", "remove", passcode: TestHome.passcode)
    #expect(remove.status == 0, "\(remove.account)")
    #expect(try state.authcore("status").json["fingers"]?.number == 0)
    #expect(try state.authcore("item", "get", "--service", "guarded").status == 3)
    #expect(try state.authcore("item", "get", "--service", "bound").status == 3)
    let kept = try state.authcore("item", "get", "--service", "plain")
    #expect(
      kept.json["secret"]?.string == Data("kept".utf8).base64EncodedString(), "\(kept.account)")
  }

  @Test("K1 K3: no secret, passcode, service or account lies readable in the state folder")
  func nothingReadable() throws {
    let state = try TestHome()
    try state.setUp()
    let words = ["gold-secret-7781", "service-7782", "account-7783", "label-7784"]
    #expect(
      try state.authcore(
        "item", "add", "--service", words[1], "--account", words[2], "--label", words[3],
        "--access", "presence", secret: words[0]
      ).status == 0)
    #expect(
      try state.authcore("item", "add", "--service", words[1], secret: words[0]).status == 0)
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
    let state = try TestHome()
    try state.setUp()
    let server = ["--server", "mail.example", "--account", "ann"]
    func add(_ arguments: [String], _ secret: String) throws -> CommandRun {
      try run(
        "authcore", ["--json", "--home", state.home, "item", "add"] + arguments,
        input: Data(secret.utf8))
    }
    #expect(try add(server + ["--attribute", "port=993"], "one").status == 0)
    let again = try add(server + ["--attribute", "port=993"], "two")
    #expect(again.status == 3 && again.errorName == "errSecDuplicateItem", "\(again.account)")
    #expect(try add(server + ["--attribute", "port=25"], "two").status == 0)
    let note = ["--class", "note", "--label", "Wi-Fi", "--attribute", "comment=at home"]
    #expect(try add(note, "a note").status == 0)
    let wrong = try add(note + ["--server", "x"], "x")
    #expect(wrong.status == 64 && wrong.errorName == "errSecNoSuchAttr", "\(wrong.account)")

    let got = try state.authcore(
      "item", "get", "--server", "mail.example", "--attribute", "port=25", json: false)
    #expect(got.output == Data("two".utf8))
    let found = try state.authcore("item", "find", "--attribute", "comment=at home")
    let item = try #require(found.json["items"]?.array?.first)
    #expect(item["class"]?.string == "note" && item["label"]?.string == "Wi-Fi")
    let id = try #require(item["id"]?.string)
    #expect(
      try state.authcore("item", "update", "--id", id, "--set-attribute", "comment=").status == 0)
    #expect(try state.authcore("item", "find", "--attribute", "comment=at home").status == 3)
    #expect(
      try state.authcore("item", "get", "--id", id, json: false).output == Data("a note".utf8))
  }
}
