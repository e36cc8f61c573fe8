import Foundation
import TestSupport
import Testing

@Suite("Items by what people type", .timeLimit(.minutes(60)))
struct FindingTests {
  /// What an import leaves, and a token beside it.
  private static func imported() throws -> TestHome {
    let state = try TestHome()
    let csv = """
      Title,URL,Username,Password,Notes,OTPAuth
      GitHub,https://github.com/login,ann@example.org,gold,,otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ
      Mail,https://mail.example.org,ann,tin,,
      Mail,https://mail.example.org,bob,lead,,
      """
    let file = try state.folder.write("logins.csv", Data((csv + "\n").utf8))
    let done = try state.authcore("import", file.path, "--apply")
    try #require(done.status == 0, "\(done.account)")
    try #require(try state.authcore("item", "add", "deploy-token", secret: "t0ken").status == 0)
    return state
  }

  @Test("FINDINGS B5: a server, a label and an address find an imported login")
  func imports() throws {
    let state = try Self.imported()
    for name in ["github.com", "GitHub", "https://github.com/", "GITHUB.com"] {
      let get = try state.authcore("item", "get", name, json: false)
      #expect(get.text == "gold", "\(get.account)")
    }
    #expect(
      try state.authcore("item", "get", "mail.example.org", "bob", json: false).text == "lead")
    let several = try state.authcore("item", "get", "mail.example.org")
    #expect(several.status == 64 && several.errorName == "ambiguous", "\(several.account)")
    #expect(several.text.contains("ann") && several.text.contains("bob"), "\(several.account)")
    let all = try state.authcore("item", "get", "mail.example.org", "--all")
    #expect(all.json["items"]?.array?.count == 2, "\(all.account)")
  }

  @Test("FINDINGS B5: a part of a name is used on a terminal, and elsewhere suggested")
  func parts() throws {
    let state = try Self.imported()
    let piped = try state.authcore("item", "get", "deploy")
    #expect(piped.status == 3 && piped.errorName == "errSecItemNotFound", "\(piped.account)")
    #expect(piped.text.contains("deploy-token"), "\(piped.account)")
    let mistyped = try state.authcore("item", "get", "deploy-tokem")
    #expect(mistyped.status == 3 && mistyped.text.contains("deploy-token"), "\(mistyped.account)")
    let seen = try TerminalRun(["--home", state.home, "item", "get", "deploy"], [])
    #expect(seen.status == 0 && seen.shown.contains("t0ken"), "\(seen.shown)")
    #expect(seen.shown.contains("deploy-token"), "\(seen.shown)")
    try state.authcore("item", "get", "example", "--all").expect(status: 3)
    // These take only whole names.
    for command in [
      ["item", "update", "deploy", "--set-label", "x"], ["item", "remove", "deploy"],
      ["item", "share", "deploy", "--with", "/usr/bin/env"],
      ["run", "--env", "A=deploy", "--", "true"],
    ] {
      let run = try TerminalRun(["--home", state.home] + command, [])
      #expect(run.status == 3, "\(command) \(run.shown)")
    }
  }

  @Test("FINDINGS B5: find TEXT lists every hit, and an open item alone counts on a locked device")
  func finding() throws {
    let state = try Self.imported()
    func found(_ arguments: String...) throws -> Int? {
      let find = try state.authcore(["item", "find"] + arguments)
      return find.status == 0 ? find.json["items"]?.array?.count : -Int(find.status)
    }
    #expect(try found("example") == 2)
    #expect(try found("git") == 2)
    #expect(try found("git", "--class", "internet") == 1)
    #expect(try found("mail", "bob") == 1)
    #expect(try found("example", "--limit", "1") == 1)
    #expect(try found("nothing") == -3)
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    try state.succeed("item", "add", "radio", "--accessible", "after-first-unlock", secret: "r")
    try state.succeed("lock")
    #expect(try found("radio") == 1)
    #expect(try found("git") == -4)
    let get = try state.authcore("item", "get", "github.com")
    #expect(get.status == 4, "\(get.account)")
    #expect(try state.authcore("item", "get", "radio", json: false).text == "r")
  }
}

@Suite("One-time codes through the command", .timeLimit(.minutes(60)))
struct OneTimeCommandTests {
  private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  @Test("FINDINGS B6: otp finds the code of an imported login by the login's name")
  func imported() throws {
    let state = try TestHome()
    let csv = """
      Title,URL,Username,Password,Notes,OTPAuth
      GitHub,https://github.com/login,ann,gold,,otpauth://totp/x?secret=\(Self.key)
      Mail,https://mail.example.org,ann,tin,,\(Self.key.lowercased())
      """
    let file = try state.folder.write("logins.csv", Data((csv + "\n").utf8))
    try state.succeed("import", file.path, "--apply")
    for name in ["github.com", "GitHub", "https://mail.example.org/"] {
      let otp = try state.authcore("otp", name)
      #expect(otp.json["code"]?.string?.wholeMatch(of: /[0-9]{6}/) != nil, "\(otp.account)")
      let left = try #require(otp.json["secondsLeft"]?.number, "\(otp.account)")
      #expect(1...30 ~= left, "\(otp.account)")
    }
    // The login's name still finds the password.
    #expect(try state.authcore("item", "get", "GitHub", json: false).text == "gold")
    let plain = try state.authcore("otp", "github.com", json: false)
    #expect(plain.text.wholeMatch(of: /[0-9]{6}\n/) != nil, "\(plain.account)")
    #expect(plain.account.contains("Good for"), "\(plain.account)")
  }

  @Test("FINDINGS B6: a counter's code is shown once, and the item holds the next number")
  func counted() throws {
    let state = try TestHome()
    let text = "otpauth://hotp/x?secret=\(Self.key)&counter=0"
    try state.succeed("item", "add", "token", secret: text)
    // RFC 4226, appendix D.
    for code in ["755224", "287082", "359152"] {
      let otp = try state.authcore("otp", "token")
      #expect(otp.json["code"]?.string == code, "\(otp.account)")
      #expect(otp.json["secondsLeft"] == nil)
    }
    let held = try state.authcore("item", "get", "token", json: false)
    #expect(held.text == "otpauth://hotp/x?secret=\(Self.key)&counter=3", "\(held.account)")
  }

  @Test("FINDINGS A12: of commands that ask for a counter's code at once each gets another one")
  func countedAtOnce() throws {
    let state = try TestHome()
    try state.succeed(
      "item", "add", "token", secret: "otpauth://hotp/x?secret=\(Self.key)&counter=0")
    let runs = (0..<6).map { _ in
      BackgroundRun("authcore", ["--json", "--home", state.home, "otp", "token"])
    }
    let codes = try runs.map { try $0.end().json["code"]?.string }
    // RFC 4226, appendix D.
    #expect(
      Set(codes) == ["755224", "287082", "359152", "969429", "338314", "254676"], "\(codes)")
    let held = try state.authcore("item", "get", "token", json: false)
    #expect(held.text == "otpauth://hotp/x?secret=\(Self.key)&counter=6", "\(held.account)")
  }

  @Test("what is no one-time password is refused, and the message says why")
  func refused() throws {
    let state = try TestHome()
    for (name, text, reason) in [
      ("password", "hunter2", "too short for a key"),
      ("hostile", "otpauth://totp/x?secret=\(Self.key)&digits=99", "digits"),
    ] {
      try state.succeed("item", "add", name, secret: text)
      let otp = try state.authcore("otp", name)
      #expect(otp.status == 64 && otp.text.contains(reason), "\(otp.account)")
      #expect(!otp.text.contains("hunter2") && !otp.text.contains(Self.key), "\(otp.account)")
    }
    #expect(try state.authcore("otp", "nothing").status == 3)
    #expect(try state.authcore("otp").status == 64)
  }
}

@Suite("Which items a command means", .timeLimit(.minutes(60)))
struct SelectorTests {
  @Test("plain arguments are the service and the account, in every command that selects items")
  func plainArguments() throws {
    let state = try TestHome()
    let add = try state.authcore("item", "add", "mail", "ann", secret: "a")
    #expect(add.json["item"]?["service"]?.string == "mail", "\(add.account)")
    #expect(add.json["item"]?["account"]?.string == "ann", "\(add.account)")
    try state.succeed("item", "add", "mail", "bob", secret: "b")
    #expect(try state.authcore("item", "get", "mail", "bob", json: false).text == "b")
    #expect(try state.authcore("item", "find", "mail").json["items"]?.array?.count == 2)
    #expect(try state.authcore("item", "list", "mail", "ann").json["items"]?.array?.count == 1)
    #expect(try state.authcore("item", "list", "post").json["items"]?.array?.count == 0)
    try state.succeed("item", "update", "mail", "bob", "--set-label", "Bob's")
    #expect(try state.authcore("item", "get", "--label", "Bob's", json: false).text == "b")
    try state.succeed("item", "remove", "mail", "bob")
    #expect(try state.authcore("item", "find", "mail").json["items"]?.array?.count == 1)
  }

  @Test("several matches are listed, and --all --json gets them")
  func several() throws {
    let state = try TestHome()
    for account in ["ann", "bob"] {
      try state.succeed("item", "add", "mail", account, secret: account)
    }
    for command in [["get"], ["update", "--set-label", "x"], ["remove"]] {
      let run = try state.authcore(["item"] + command + ["mail"])
      #expect(run.status == 64 && run.errorName == "ambiguous", "\(run.account)")
      #expect(run.text.contains("ann") && run.text.contains("bob"), "\(run.account)")
    }
    let all = try state.authcore("item", "get", "mail", "--all")
    #expect(all.json["items"]?.array?.count == 2, "\(all.account)")
    #expect(
      try state.authcore("item", "update", "mail", "--all", "--set-label", "x")
        .json["updated"]?.number == 2)
    try state.authcore("item", "remove", "mail", "--all").expect(error: "notInteractive")
    #expect(try state.authcore("item", "list").json["items"]?.array?.count == 2)
    try state.succeed("item", "remove", "mail", "--all", "--yes")
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
  }

  @Test("--id selects one item, and an empty service is that of items that have none")
  func identifierAndEmptyService() throws {
    let state = try TestHome()
    let add = try state.authcore("item", "add", "mail", "ann", secret: "a")
    let id = try #require(add.json["item"]?["id"]?.string, "\(add.account)")
    try state.succeed("item", "add", "--account", "ann", secret: "none")
    #expect(try state.authcore("item", "get", "--id", id, json: false).text == "a")
    let none = try state.authcore("item", "get", "--service", "", "--account", "ann", json: false)
    #expect(none.text == "none", "\(none.account)")
    let list = try state.authcore("item", "list", "--service", "")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    #expect(try state.authcore("item", "remove", "--id", id).json["removed"]?.number == 1)
  }

  @Test("remove --all shows what would go, and asks")
  func removeAllAsks() throws {
    let state = try TestHome()
    for account in ["ann", "bob"] {
      try state.succeed("item", "add", "mail", account, secret: account)
    }
    func remove(typing answer: String) throws -> TerminalRun {
      try TerminalRun(
        ["--home", state.home, "item", "remove", "mail", "--all"],
        [.init(seen: "Type remove", typed: answer + "\n")])
    }
    let refused = try remove(typing: "no")
    #expect(refused.status == 1, "\(refused.shown)")
    #expect(refused.shown.contains("mail / ann") && refused.shown.contains("mail / bob"))
    #expect(try state.authcore("item", "list").json["items"]?.array?.count == 2)
    let agreed = try remove(typing: "remove")
    #expect(agreed.status == 0, "\(agreed.shown)")
    #expect(try state.authcore("item", "list").json["items"]?.array?.isEmpty == true)
  }
}

@Suite("The order of items, through the command", .timeLimit(.minutes(60)))
struct ItemOrderTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private func add(_ arguments: String...) throws {
    let add = try state.authcore(["item", "add"] + arguments, input: Data([1]))
    try #require(add.status == 0, "\(add.account)")
  }

  private func labels(_ command: String, _ arguments: String...) throws -> [String?] {
    let run = try state.succeed(["item", command] + arguments)
    return (run.json["items"]?.array ?? []).map { $0["label"]?.string }
  }

  @Test("items come in the order of their age, or of what --sort names, from either end, so many")
  func orders() throws {
    try add("--service", "b", "--account", "3", "--label", "first")
    try add("--service", "C", "--account", "2", "--label", "Second")
    try add("--class", "internet", "--server", "a", "--account", "2", "--label", "third")
    try add("--class", "note", "--service", "d", "--label", "Fourth", "--account", "1")
    let age = ["first", "Second", "third", "Fourth"]
    for command in ["list", "find"] {
      #expect(try labels(command) == age)
      #expect(try labels(command, "--reverse") == age.reversed())
      #expect(try labels(command, "--limit", "2") == ["first", "Second"])
      #expect(try labels(command, "--reverse", "--limit", "1") == ["Fourth"])
      #expect(try labels(command, "--sort", "service") == ["third", "first", "Second", "Fourth"])
      #expect(try labels(command, "--sort", "label") == ["first", "Fourth", "Second", "third"])
      // Of equal accounts the older item comes first.
      #expect(try labels(command, "--sort", "account") == ["Fourth", "Second", "third", "first"])
      #expect(
        try labels(command, "--sort", "account", "--reverse", "--limit", "3")
          == ["first", "third", "Second"])
      #expect(try labels(command, "--sort", "class") == ["first", "Second", "third", "Fourth"])
      #expect(try labels(command, "--sort", "created") == age)
      for limit in ["4", "5", "4294967296", "9223372036854775807"] {
        #expect(try labels(command, "--limit", limit) == age)
        #expect(try labels(command, "--sort", "created", "--limit", limit) == age)
      }
    }
    #expect(
      try labels("find", "--account", "2", "--sort", "label", "--reverse", "--limit", "1")
        == ["third"])
    let table = try state.authcore("item", "list", "--sort", "label", "--limit", "1", json: false)
    #expect(table.text.contains("first") && !table.text.contains("Fourth"), "\(table.account)")
    try state.authcore("item", "find", "--service", "x", "--sort", "label").expect(status: 3)
  }

  @Test("an item that was changed last is the last of those sorted by that")
  func modified() throws {
    try add("--service", "a", "--label", "a")
    try add("--service", "b", "--label", "b")
    // Dates are whole seconds: the item is changed until its date moves.
    let before = try date(of: "b")
    repeat {
      let update = try state.authcore("item", "update", "--service", "a", "--set-label", "a")
      try #require(update.status == 0, "\(update.account)")
    } while try date(of: "a") == before
    #expect(try labels("list", "--sort", "modified") == ["b", "a"])
    #expect(try labels("list", "--sort", "modified", "--reverse", "--limit", "1") == ["a"])
  }

  private func date(of service: String) throws -> String {
    let find = try state.authcore("item", "find", "--service", service)
    return try #require(find.json["items"]?.array?.first?["modifiedAt"]?.string)
  }
}
