import Foundation
import TestSupport
import Testing

@Suite("Import, through the command", .timeLimit(.minutes(60)))
struct ImportTests {
  private static let chrome = """
    name,url,username,password,note
    Mail,https://example.org/login,ann,pw-4417,a note
    Shop,https://shop.example,ann,pw-4418,
    """

  private func importing(
    _ text: String, _ arguments: String..., into state: TestHome, json: Bool = true
  ) throws -> CommandRun {
    try importing(text, arguments, into: state, json: json)
  }

  private func importing(
    _ text: String, _ arguments: [String], into state: TestHome, json: Bool = true
  ) throws -> CommandRun {
    let file = try state.folder.write("passwords-\(UUID().uuidString).csv", Data(text.utf8))
    return try run(
      "authcore",
      (json ? ["--json"] : []) + ["--home", state.home, "import", file.path] + arguments)
  }

  private func states(_ run: CommandRun) -> [String] {
    run.json["items"]?.array?.compactMap { $0["state"]?.string } ?? []
  }

  @Test("without --apply nothing is changed, with it items are added, and no secret is shown")
  func dryRunFirst() throws {
    let state = try TestHome()
    let dry = try importing(Self.chrome, into: state)
    #expect(dry.status == 0 && states(dry) == ["new", "new", "new"], "\(dry.account)")
    #expect(dry.json["source"]?.string == "Chrome or Edge")
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    let plain = try importing(Self.chrome, into: state, json: false)
    #expect(plain.text.contains("--apply") && plain.text.contains("shop.example"))
    let applied = try importing(Self.chrome, "--apply", into: state)
    #expect(applied.json["added"]?.number == 3, "\(applied.account)")
    let get = try state.authcore("item", "get", "--server", "example.org")
    #expect(get.secret == "pw-4417")
    let note = try state.authcore("item", "get", "--service", "notes:example.org")
    #expect(note.secret == "a note", "\(note.account)")
    #expect(get.json["item"]?["path"]?.string == "/login")
    for run in [dry, plain, applied] { #expect(!(run.text + run.errors).contains("pw-44")) }
  }

  @Test("what is there already is told apart, and replaced only where that is asked for")
  func duplicates() throws {
    let state = try TestHome()
    #expect(try importing(Self.chrome, "--apply", into: state).status == 0)
    let changed = Self.chrome.replacing("pw-4418", with: "pw-4419")
    let dry = try importing(changed, into: state)
    #expect(states(dry) == ["identical", "identical", "different"], "\(dry.account)")
    let again = try importing(changed, "--apply", into: state)
    #expect(states(again) == ["identical", "identical", "different"])
    #expect(again.json["added"]?.number == 0)
    func secret() throws -> String? {
      try state.authcore("item", "get", "--server", "shop.example").json["secret"]?.string
    }
    #expect(try secret() == Data("pw-4418".utf8).base64EncodedString())
    let replaced = try importing(changed, "--apply", "--replace", into: state)
    #expect(states(replaced) == ["identical", "identical", "replaced"], "\(replaced.account)")
    #expect(try secret() == Data("pw-4419".utf8).base64EncodedString())
    let row = "Other,https://other.example,ann,pw-4420,"
    let twice = try importing("\(Self.chrome)\n\(row)\n\(row)", "--apply", into: state)
    #expect(states(twice).suffix(2) == ["added", "duplicate"], "\(twice.account)")
  }

  private static let twice = """
    name,url,username,password,note
    Mail,https://example.org/login,ann,pw-4417,
    Mail,https://example.org/login,ann,pw-4418,
    Mail,https://example.org/login,ann,pw-4417,
    Router,,ann,pw-4419,
    Router,,ann,pw-4420,
    Router,,ann,pw-4421,
    """

  private func secrets(_ state: TestHome) throws -> [String: String] {
    let items = try state.authcore("item", "list").json["items"]?.array ?? []
    var secrets: [String: String] = [:]
    for item in items {
      let id = try #require(item["id"]?.string)
      let secret = try state.authcore("item", "get", "--id", id, json: false).text
      secrets[item["label"]?.string ?? ""] = secret
    }
    return secrets
  }

  @Test("FINDINGS B3: two passwords of one login are both kept, and the report says so")
  func bothKept() throws {
    let state = try TestHome()
    let kept = [
      "Mail": "pw-4417", "Mail (2)": "pw-4418", "Router": "pw-4419", "Router (2)": "pw-4420",
      "Router (3)": "pw-4421",
    ]
    let dry = try importing(Self.twice, into: state)
    #expect(states(dry) == ["new", "new", "duplicate", "new", "new", "new"], "\(dry.account)")
    let applied = try importing(Self.twice, "--apply", into: state, json: false).expectSuccess()
    #expect(applied.text.contains("Mail (2)") && applied.text.contains("Router (3)"))
    #expect(applied.text.contains("3 of them beside another secret"), "\(applied.account)")
    #expect(applied.text.contains("remove it"), "every secret of it is kept: \(applied.account)")
    #expect(try secrets(state) == kept)
    let accounts = try state.authcore("item", "list", "--account", "ann")
    #expect(accounts.json["items"]?.array?.count == 5, "\(accounts.account)")

    // Again, in another order, and with --replace: nothing changes.
    let lines = Self.twice.split(separator: "\n").map(String.init)
    let backwards = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    for (text, options) in [
      (Self.twice, ["--apply"]), (backwards, ["--apply"]), (Self.twice, ["--apply", "--replace"]),
    ] {
      let again = try importing(text, options, into: state)
      #expect(again.json["identical"]?.number == 5 && again.json["duplicates"]?.number == 6)
      #expect(again.json["added"]?.number == 0 && again.json["replaced"]?.number == 0)
      #expect(again.json["numbered"]?.number == 0, "\(again.account)")
    }
    #expect(try secrets(state) == kept)
    let third = try importing(
      Self.twice + "\nMail,https://example.org/login,ann,pw-4422,", "--apply", into: state)
    #expect(third.json["added"]?.number == 1 && third.json["numbered"]?.number == 1)
    let item = try #require(third.json["items"]?.array?.last)
    #expect(item["label"]?.string == "Mail (3)" && item["number"]?.number == 3, "\(item)")
    for run in [dry, applied, third] { #expect(!(run.text + run.errors).contains("pw-44")) }
  }

  @Test("FINDINGS B3: a file whose secrets are not all kept is not to be removed")
  func fileToKeep() throws {
    let state = try TestHome()
    #expect(try importing(Self.chrome, "--apply", into: state).status == 0)
    let changed = Self.chrome.replacing("pw-4418", with: "pw-4419")
    for text in [changed, Self.chrome + "\nx,,u,p,n,more\n"] {
      let applied = try importing(text, "--apply", into: state, json: false)
      #expect(applied.text.contains("Keep ") && !applied.text.contains("remove it"))
      #expect(applied.text.contains("One entry of it is not known"), "\(applied.account)")
    }
    let same = try importing(Self.chrome, "--apply", into: state, json: false)
    #expect(same.text.contains("remove it"), "\(same.account)")
  }

  @Test("FINDINGS B13: JSON of no known program is named as such, with what is read")
  func json() throws {
    let state = try TestHome()
    for text in [
      #"{"items":[{"name":"x"}]}"#, "{\n  \"encrypted\": true\n}\n", "[{\"name\":\"a,b\"}]",
      " {\"a\":" + String(repeating: "\"x\",", count: 60_000) + "}",
    ] {
      let refused = try importing(text, into: state)
      #expect(refused.status == 64 && refused.errorName == "importUnreadable")
      let message = refused.json["error"]?["message"]?.string ?? ""
      #expect(!message.contains("quotation"), "\(refused.account)")
      #expect(refused.json["error"]?["hint"]?.string?.contains("export") == true)
    }
  }

  /// Every secret in it.
  private func allSecrets(_ state: TestHome) throws -> [String] {
    let items = try state.authcore("item", "list").json["items"]?.array ?? []
    return try items.map { item in
      let id = try #require(item["id"]?.string)
      return try state.authcore("item", "get", "--id", id, json: false).text
    }.sorted()
  }

  @Test(
    "FINDINGS B1: of rows with one name, user and password every note and code is kept",
    arguments: [
      """
      name,url,username,password,note
      shop,https://shop.example/a,ann,same-1,number 111
      shop,https://shop.example/a,ann,same-1,number 222
      """,
      """
      folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
      Home,,login,AWS,number 111,key: AAA,0,https://aws.example,root,same-1,JBSWY3DPEHPK3PXP
      Work,,login,AWS,number 222,key: BBB,0,https://aws.example,root,same-1,KRSXG5CTMVRXEZLU
      """,
      """
      folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
      Home,,login,AWS,,,0,https://aws.example,root,same-1,
      Work,,login,AWS,,,0,https://aws.example,root,same-1,
      """,
      """
      Title,URL,Username,Password,Notes,OTPAuth
      Bank,https://bank.example/,ann,same-1,number 111,
      Bank (2),https://bank.example/,ann,same-1,number 222,
      """,
      """
      url,username,password,totp,extra,name,grouping,fav
      http://sn,,,,number 111,One,,0
      http://sn,,,,number 222,Two,,0
      http://sn,,,,"NoteType:SSH Key
      Key:AAA",Three,,0
      """,
      """
      Title,URL,Username,Password,Notes,OTPAuth
      One,,,,number 111,
      One,,,,number 222,
      """,
    ])
  func everyNote(text: String) throws {
    let state = try TestHome()
    let first = try importing(text, "--apply", into: state)
    let kept = try allSecrets(state)
    for part in ["number 111", "number 222", "AAA", "BBB", "JBSWY3DPEHPK3PXP", "KRSXG5CTMVRXEZLU"]
    where text.contains(part) {
      #expect(kept.contains { $0.contains(part) }, "\(part): \(first.account)")
    }
    let logins = text.components(separatedBy: "same-1").count - 1
    #expect(kept.count { $0 == "same-1" } == logins, "both stay: \(kept)")
    for item in try state.authcore("item", "list").json["items"]?.array ?? [] {
      #expect(item["comment"]?.string?.contains("number") != true, "\(item)")
    }
    // Again, and where rows are lines of one title in another order: nothing is added.
    let lines = text.split(separator: "\n").map(String.init)
    let backwards = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    let isOneByLine = !text.contains("SSH Key") && !text.contains("Bank (2)")
    for again in isOneByLine ? [text, backwards] : [text] {
      let run = try importing(again, "--apply", into: state)
      #expect(
        run.json["added"]?.number == 0 && run.json["different"]?.number == 0, "\(run.account)")
    }
    #expect(try allSecrets(state) == kept)
  }

  @Test("FINDINGS B1: what two programs and an export hold comes together on another home")
  func twoPrograms() throws {
    let state = try TestHome()
    let lastPass = """
      url,username,password,totp,extra,name,grouping,fav
      https://mail.example/,ann,pw-1,JBSWY3DPEHPK3PXP,note of one,Mail,Home,0
      http://sn,,,,safe 4711,Safe,,0
      """
    let bitwarden = #"""
      {"encrypted":false,"folders":[],"items":[{"type":1,"name":"Mail","notes":"note of two",
      "login":{"uris":[{"uri":"https://mail.example/"}],"username":"ann","password":"pw-2",
      "totp":"steam://JBSWY3DPEHPK3PXP"}},{"type":3,"name":"Visa","card":{"number":"4111"}}]}
      """#
    #expect(try importing(lastPass, "--apply", into: state).json["source"]?.string == "LastPass")
    let second = try importing(bitwarden, "--apply", into: state)
    #expect(states(second) == ["different", "added", "different", "added"], "\(second.account)")
    let both = try importing(bitwarden, "--apply", "--both", into: state)
    #expect(both.status == 0 && both.json["different"]?.number == 0, "\(both.account)")
    let kept = try allSecrets(state)
    for part in [
      "pw-1", "pw-2", "note of one", "note of two", "safe 4711", "number: 4111",
      "JBSWY3DPEHPK3PXP", "steam://JBSWY3DPEHPK3PXP",
    ] {
      #expect(kept.contains { $0.contains(part) }, "\(part) of \(kept)")
    }
    let code = try state.authcore("otp", "mail.example", "ann", json: false)
    #expect(code.text.filter(\.isNumber).count == 6, "\(code.account)")
    let again = try importing(bitwarden, "--apply", "--both", into: state)
    #expect(again.json["added"]?.number == 0, "\(again.account)")
  }

  @Test("FINDINGS B4: archived and deleted entries are marked, or skipped if the person says so")
  func archived() throws {
    let text = """
      Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes
      Old,https://old.example,ann,pw-4417,,false,true,,
      New,https://new.example,ann,pw-4418,,false,false,,
      """
    let state = try TestHome()
    let dry = try importing(text, into: state)
    #expect(dry.json["archived"]?.number == 1 && states(dry) == ["new", "new"], "\(dry.account)")
    let skipped = try importing(text, "--skip-archived", "--apply", into: state)
    #expect(skipped.json["archived"]?.number == 1 && states(skipped) == ["added"])
    #expect(try importing(text, into: state, json: false).text.contains("--skip-archived"))
    #expect(try importing(text, "--apply", into: state).json["added"]?.number == 1)
    let old = try state.authcore("item", "get", "--server", "old.example")
    #expect(old.json["item"]?["comment"]?.string == "state: archived", "\(old.account)")
  }

  @Test("FINDINGS C10: the name of a program is answered with how to export there")
  func programs() throws {
    for name in ["chrome", "Edge", "firefox", "1password", "bitwarden", "keepass", "proton-pass"] {
      let run = try run("authcore", ["--json", "--home", "/nonexistent", "import", "--from", name])
      #expect(run.status == 64, "\(run.account)")
      let hint = run.json["error"]?["hint"]?.string ?? ""
      #expect(hint.contains("Leave --from out") && hint.contains("xport"), "\(run.account)")
    }
  }

  @Test(
    "FINDINGS B1, FINDINGS B4: the small inputs that failed",
    .enabled(if: SharedCases.areThere, "no ../shared/cases/import here: set AUTHCORE_SHARED"))
  func cases() throws {
    for (name, parts) in [
      ("bitwarden-same", ["account 111", "account 222", "AAA", "BBB", "JBSWY3DPEHPK3PXP"]),
      ("chrome-note", ["customer number 111", "customer number 222"]),
      ("safari-same", ["PIN note one", "PIN note two"]),
      ("lastpass-notes", ["code 1111", "code 2222", "BEGIN X", "recovery 4444"]),
      ("lastpass", ["G%W!7&#", "JBSWY3DPEHPK3PXP", "Number:4111", "plain secure note", "noaddr"]),
      ("protonpass", ["a note", "otpauth://totp/Example", "pw2", "note text", "4111"]),
      ("dashlane", ["pw", "note", "otpauth://totp/Ex:ann", "pw2"]),
    ] {
      let state = try TestHome()
      let text = try String(contentsOf: SharedCases.file("\(name).csv"), encoding: .utf8)
      let applied = try importing(text, "--apply", into: state).expectSuccess()
      #expect(applied.json["leftOut"]?.array?.isEmpty == true, "\(applied.account)")
      let kept = try allSecrets(state)
      for part in parts {
        #expect(kept.contains { $0.contains(part) }, "\(name), \(part): \(kept)")
      }
      let comments =
        try state.authcore("item", "list").json["items"]?.array?
        .compactMap { $0["comment"]?.string } ?? []
      for secret in ["JBSWY3DPEHPK3PXP", "4111", "1111", "PIN note", "customer", "account 111"] {
        #expect(!comments.contains { $0.contains(secret) }, "\(name): \(comments)")
      }
      let again = try importing(text, "--apply", into: state)
      #expect(again.json["added"]?.number == 0, "\(name): \(again.account)")
    }
  }

  @Test("an item that somebody would have to be asked for is a duplicate, and is not opened")
  func protectedDuplicate() throws {
    let state = try TestHome.enrolled()
    try state.succeed(
      "item", "add", "--service", "guarded", "--account", "ann", "--access", "presence", secret: "x"
    )
    let dry = try importing("name,url,username,password\nguarded,,ann,x\n", into: state)
    #expect(states(dry) == ["duplicate"], "\(dry.account)")
  }

  @Test("a file that is broken in its middle adds nothing, one with broken rows adds the others")
  func broken() throws {
    let state = try TestHome()
    let open = try importing(Self.chrome + "\nx,,u,\"p", "--apply", into: state)
    #expect(open.status == 64 && open.errorName == "importUnreadable", "\(open.account)")
    #expect(open.json["error"]?["message"]?.string?.contains("line 4") == true)
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    let rows = try importing(Self.chrome + "\nx,,u,p,n,more\n", "--apply", into: state)
    #expect(rows.status == 0 && rows.json["added"]?.number == 3, "\(rows.account)")
    #expect(rows.json["leftOut"]?.array?.first?["at"]?.string == "line 4")
  }

  @Test("more logins than a message holds are imported, and a second time are all there")
  func many() throws {
    let state = try TestHome()
    let rows = (0..<3_000).map { "n\($0),https://h\($0).example,ann,secret-\($0)," }
    let text = "name,url,username,password,note\n" + rows.joined(separator: "\n")
    let applied = try importing(text, "--apply", into: state)
    #expect(applied.json["added"]?.number == 3_000, "\(applied.account.prefix(500))")
    let last = try state.authcore("item", "get", "--server", "h2999.example")
    #expect(last.secret == "secret-2999")
    let again = try importing(text + "\nx,,y,z,", "--apply", into: state)
    #expect(again.json["added"]?.number == 1 && again.json["identical"]?.number == 3_000)
  }

  @Test("K6: a locked device takes nothing, and that ends the import")
  func locked() throws {
    let state = try TestHome.enrolled()
    try state.succeed("lock")
    try importing(Self.chrome, "--apply", into: state).expect(
      status: 4, error: "errSecInteractionNotAllowed")
  }

  @Test(
    "what makes no sense is said before a core is asked",
    arguments: [
      [], ["--from", "csv"], ["--from", "pass", "x.csv"], ["/nonexistent.csv"],
      ["x.csv", "--replace"], ["--from", "nonsense"],
      ["x.csv", "--access", "nonsense"], ["x.csv", "--access", "app-password"],
      ["x.csv", "--accessible", "nonsense"],
      ["x.csv", "--access", "presence", "--accessible", "when-unlocked"],
    ])
  func usage(arguments: [String]) throws {
    try run("authcore", ["--json", "--home", "/nonexistent/home", "import"] + arguments).expect(
      status: 64)
  }

  @Test("standard input is read, and is not the passcode's too")
  func standardInput() throws {
    let state = try TestHome()
    let piped = try state.authcore("import", "-", "--apply", secret: Self.chrome)
    #expect(piped.json["added"]?.number == 3, "\(piped.account)")
    try state.authcore("--passcode-fd", "0", "import", "-", secret: Self.chrome).expect(status: 64)
  }

  @Test(
    "what is said of group and protection holds for all that is added, and of what is there it finds that"
  )
  func protection() throws {
    let state = try TestHome.enrolled()
    let group = ["--group", "web", "--accessible", "after-first-unlock"]
    let applied = try importing(Self.chrome, ["--apply"] + group, into: state)
    #expect(applied.json["added"]?.number == 3, "\(applied.account)")
    let list = try state.authcore("item", "list", "--group", "web")
    let items = try #require(list.json["items"]?.array, "\(list.account)")
    #expect(items.allSatisfy { $0["accessible"]?.string == "after-first-unlock" })
    #expect(items.count == 3)
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    // Names are taken in that group only.
    let identical = ["identical", "identical", "identical"]
    #expect(states(try importing(Self.chrome, group, into: state)) == identical)
    #expect(states(try importing(Self.chrome, [], into: state)) == ["new", "new", "new"])
    let guarded = try importing(Self.chrome, ["--apply", "--access", "presence"], into: state)
    #expect(guarded.json["added"]?.number == 3, "\(guarded.account)")
    let find = try state.authcore("item", "find", "--server", "example.org")
    #expect(find.json["items"]?.array?.first?["access"]?.string == "presence", "\(find.account)")
    try state.authcore("item", "get", "--server", "example.org").expect(status: 2)
  }

  @Test(
    "the store of pass is imported by its owner's gpg, through the command",
    .enabled(if: PrivatePasswordStore.isInstalled, "gpg is not there"))
  func passwordStore() throws {
    let state = try TestHome()
    let store = try PrivatePasswordStore()
    try store.insert("web/mail", "pw-6630\nlogin: ann\nurl: https://example.org/x\n")
    try store.insert("router", "pw-6631")
    try store.insert("binary", [0, 255, 10, 1])
    let environment = Dictionary(
      uniqueKeysWithValues: store.environment.map { variable in
        let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
    func importing(_ arguments: String...) throws -> CommandRun {
      try state.authcore(["import", "--from", "pass"] + arguments, environment: environment)
    }
    let dry = try importing()
    #expect(dry.status == 0 && states(dry) == ["new", "new", "new"], "\(dry.account)")
    let applied = try importing("--apply")
    #expect(applied.json["added"]?.number == 3, "\(applied.account)")
    #expect(applied.json["source"]?.string == "pass")
    for run in [dry, applied] { #expect(!(run.text + run.errors).contains("pw-663")) }
    let mail = try state.authcore("item", "get", "--server", "example.org", "--account", "ann")
    #expect(mail.secret == "pw-6630")
    let binary = try state.authcore("item", "get", "--service", "binary", json: false)
    #expect(binary.output == Data([0, 255, 10, 1]), "\(binary.account)")
    #expect(states(try importing()) == ["identical", "identical", "identical"])
  }

  @Test(
    "the session's keyring is imported over its bus",
    .enabled(if: PrivateKeyring.isInstalled, "gnome-keyring is not there"))
  func secretService() throws {
    let state = try TestHome()
    let keyring = try PrivateKeyring()
    try keyring.store([
      ("Wi-Fi", ["service": "wifi", "username": "home"], Array("pw-5521".utf8)),
      ("odd", ["application": "odd"], [0, 255]),
    ])
    let environment = ["DBUS_SESSION_BUS_ADDRESS": keyring.address]
    let applied = try state.authcore(
      "import", "--from", "secret-service", "--apply", environment: environment)
    #expect(applied.json["added"]?.number == 2, "\(applied.account)")
    #expect(!applied.text.contains("5521"))
    let get = try state.authcore("item", "get", "--service", "wifi", "--account", "home")
    #expect(get.secret == "pw-5521")
    let again = try state.authcore("import", "--from", "secret-service", environment: environment)
    #expect(states(again) == ["identical", "identical"], "\(again.account)")
    try keyring.lock()
    let locked = try state.succeed("import", "--from", "secret-service", environment: environment)
    #expect(states(locked).isEmpty, "\(locked.account)")
    #expect(locked.json["leftOut"]?.array?.count == 1)
    try state.authcore(
      "import", "--from", "secret-service",
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
    ).expect(status: 2, error: "errSecNotAvailable")
  }
}

/// Small inputs beside the project.
enum SharedCases {
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["AUTHCORE_SHARED"] ?? "../shared"
  ).appendingPathComponent("cases/import")

  static let areThere = FileManager.default.fileExists(atPath: folder.path)

  static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
