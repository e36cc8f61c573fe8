import TestSupport
import Foundation
import Testing

@Suite("Items by what people type", .timeLimit(.minutes(15)))
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
    try #require(
      try state.authcore("item", "add", "deploy-token", secret: "t0ken").status == 0)
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
    let several = try state.authcore("item", "get", "example", "--all")
    #expect(several.status == 3, "\(several.account)")
    // These take whole names alone.
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
      let find = try run("authcore", ["--json", "--home", state.home, "item", "find"] + arguments)
      return find.status == 0 ? find.json["items"]?.array?.count : -Int(find.status)
    }
    #expect(try found("example") == 2)
    #expect(try found("git") == 2)
    #expect(try found("git", "--class", "internet") == 1)
    #expect(try found("mail", "bob") == 1)
    #expect(try found("example", "--limit", "1") == 1)
    #expect(try found("nothing") == -3)
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    #expect(
      try state.authcore(
        "item", "add", "radio", "--accessible", "after-first-unlock", secret: "r"
      ).status == 0)
    #expect(try state.authcore("lock").status == 0)
    #expect(try found("radio") == 1)
    #expect(try found("git") == -4)
    let get = try state.authcore("item", "get", "github.com")
    #expect(get.status == 4, "\(get.account)")
    #expect(try state.authcore("item", "get", "radio", json: false).text == "r")
  }
}

@Suite("One-time codes through the command", .timeLimit(.minutes(15)))
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
    #expect(try state.authcore("import", file.path, "--apply").status == 0)
    for name in ["github.com", "GitHub", "https://mail.example.org/"] {
      let otp = try state.authcore("otp", name)
      #expect(otp.json["code"]?.string?.wholeMatch(of: /[0-9]{6}/) != nil, "\(otp.account)")
      let left = try #require(otp.json["secondsLeft"]?.number, "\(otp.account)")
      #expect(1...30 ~= left, "\(otp.account)")
    }
    // The login's own name is still the password's.
    #expect(try state.authcore("item", "get", "GitHub", json: false).text == "gold")
    let plain = try state.authcore("otp", "github.com", json: false)
    #expect(plain.text.wholeMatch(of: /[0-9]{6}\n/) != nil, "\(plain.account)")
    #expect(plain.account.contains("Good for"), "\(plain.account)")
  }

  @Test("FINDINGS B6: a counter's code is shown once, and the item holds the next number")
  func counted() throws {
    let state = try TestHome()
    let text = "otpauth://hotp/x?secret=\(Self.key)&counter=0"
    #expect(try state.authcore("item", "add", "token", secret: text).status == 0)
    // RFC 4226, appendix D.
    for code in ["755224", "287082", "359152"] {
      let otp = try state.authcore("otp", "token")
      #expect(otp.json["code"]?.string == code, "\(otp.account)")
      #expect(otp.json["secondsLeft"] == nil)
    }
    let held = try state.authcore("item", "get", "token", json: false)
    #expect(held.text == "otpauth://hotp/x?secret=\(Self.key)&counter=3", "\(held.account)")
  }

  @Test("what is no one-time password is refused, and the message says why")
  func refused() throws {
    let state = try TestHome()
    for (name, text, reason) in [
      ("password", "hunter2", "does not begin with otpauth://"),
      ("hostile", "otpauth://totp/x?secret=\(Self.key)&digits=99", "digits"),
    ] {
      #expect(try state.authcore("item", "add", name, secret: text).status == 0)
      let otp = try state.authcore("otp", name)
      #expect(otp.status == 64 && otp.text.contains(reason), "\(otp.account)")
      #expect(!otp.text.contains("hunter2") && !otp.text.contains(Self.key), "\(otp.account)")
    }
    #expect(try state.authcore("otp", "nothing").status == 3)
    #expect(try state.authcore("otp").status == 64)
  }
}
