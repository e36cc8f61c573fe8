import Foundation
import TestSupport
import Testing

private let hasGit = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

@Suite(
  "Git's credential helper", .timeLimit(.minutes(60)),
  .enabled(if: hasGit, "git is not installed"))
struct GitCredentialTests {
  /// Git with this helper and no other configuration.
  private struct Git {
    let state = try? TestHome()
    private let bin: TemporaryFolder
    private let options: String

    init(_ options: String = "") throws {
      bin = try TemporaryFolder()
      self.options = options
      try FileManager.default.createSymbolicLink(
        atPath: bin.file("git-credential-authcore"),
        withDestinationPath: Products.program("authcore"))
    }

    private var environment: [String: String] {
      [
        "PATH": "\(bin.url.path):/usr/bin:/bin", "AUTHCORE_HOME": state?.home ?? "",
        "GIT_CONFIG_NOSYSTEM": "1", "HOME": bin.url.path, "GIT_TERMINAL_PROMPT": "0",
      ]
    }

    /// `git credential WORD` for a server, with these lines below.
    func credential(
      _ word: String, _ lines: String..., protocol: String = "https",
      host: String = "git.example.com", usesPath: Bool = false
    ) throws -> CommandRun {
      let lines = ["protocol=\(`protocol`)", "host=\(host)"] + lines
      let settings =
        ["-c", "credential.helper=authcore\(options)"]
        + (usesPath ? ["-c", "credential.useHttpPath=true"] : [])
      return try run(
        "/usr/bin/git", settings + ["credential", word],
        input: Data((lines.joined(separator: "\n") + "\n\n").utf8), environment: environment)
    }

    /// The helper itself, with these bytes.
    func helper(_ word: String, _ bytes: Data) throws -> CommandRun {
      try run(bin.file("git-credential-authcore"), [word], input: bytes, environment: environment)
    }

    /// `git credential fill` behind a program that reads the terminal, or not.
    func fill(in shell: TerminalRun.Shell, _ steps: TerminalRun.Step...) throws -> TerminalRun {
      let input = bin.file("input")
      try Data("protocol=https\nhost=git.example.com\n\n".utf8).write(to: URL(filePath: input))
      return try TerminalRun(
        ["-c", "git -c credential.helper=authcore credential fill <'\(input)'"], steps, in: shell,
        program: "/bin/sh", environment: environment)
    }

    func authcore(_ arguments: String..., secret: String = "") throws -> CommandRun {
      try run(
        "authcore", ["--json"] + arguments, input: Data(secret.utf8), environment: environment)
    }
  }

  @Test("what Git approves it is given again, and what it rejects it is not")
  func life() throws {
    let git = try Git()
    try git.credential("fill").expect(status: 128)
    let approved = try git.credential("approve", "username=ann", "password=tü ken")
    #expect(
      approved.status == 0 && approved.text == "" && approved.errors == "", "\(approved.account)")
    let filled = try git.credential("fill")
    #expect(
      filled.text == "protocol=https\nhost=git.example.com\nusername=ann\npassword=tü ken\n",
      "\(filled.account)")
    let item = try git.authcore("item", "find", "--server", "git.example.com")
    #expect(item.json["items"]?.array?.first?["protocol"]?.string == "htps", "\(item.account)")
    #expect(try git.credential("reject", "username=ann", "password=other").status == 0)
    #expect(try git.credential("fill").text.contains("tü ken"))
    #expect(try git.credential("reject", "username=ann", "password=tü ken").status == 0)
    #expect(try git.credential("fill").status == 128)
  }

  @Test("FINDINGS A1: the helper unlocks where Git alone reads the terminal, and nowhere else")
  func terminal() throws {
    let git = try Git()
    let state = try #require(git.state)
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    _ = try git.credential("approve", "username=ann", "password=tü ken")
    try state.succeed("lock")
    let typed = TestHome.passcode + "\n"
    let refused = try git.fill(
      in: .besideReader, .init(seen: "terminal prompts disabled", typed: typed + "\u{4}"))
    #expect(refused.typed == typed && !refused.shown.contains("tü ken"), "\(refused)")
    let filled = try git.fill(in: .foreground, .init(seen: "Passcode", typed: typed))
    #expect(filled.status == 0 && filled.shown.contains("password=tü ken"), "\(filled)")
  }

  @Test("accounts, ports, protocols and paths are kept apart")
  func apart() throws {
    let git = try Git()
    for (account, password) in [("ann", "1"), ("bob", "2")] {
      _ = try git.credential("approve", "username=\(account)", "password=\(password)")
    }
    _ = try git.credential("approve", "username=ann", "password=3", host: "git.example.com:8443")
    _ = try git.credential("approve", "username=ann", "password=4", protocol: "http")
    _ = try git.credential("approve", "path=a.git", "username=ann", "password=5", usesPath: true)
    for (password, filled) in [
      ("1", try git.credential("fill", "username=ann")),
      ("2", try git.credential("fill", "username=bob")),
      ("3", try git.credential("fill", "username=ann", host: "git.example.com:8443")),
      ("4", try git.credential("fill", "username=ann", protocol: "http")),
      ("5", try git.credential("fill", "username=ann", "path=a.git", usesPath: true)),
      (nil, try git.credential("fill", "username=ann", "path=b.git", usesPath: true)),
      (nil, try git.credential("fill", "username=eve")),
    ] as [(String?, CommandRun)] {
      let line = filled.text.split(separator: "\n").first { $0.hasPrefix("password=") }
      #expect(line?.dropFirst(9) == password.map { Substring($0) }, "\(filled.account)")
    }
  }

  @Test("a password that was changed replaces the one that was there")
  func changed() throws {
    let git = try Git()
    for password in ["old", "new", "new"] {
      _ = try git.credential("approve", "username=ann", "password=\(password)")
    }
    #expect(try git.credential("fill").text.contains("password=new"))
    let items = try git.authcore("item", "find", "--server", "git.example.com")
    #expect(items.json["items"]?.array?.count == 1, "\(items.account)")
  }

  @Test("an item that a person added for a server is given, and asked for as it says")
  func guarded() throws {
    let git = try Git()
    let state = try #require(git.state)
    try state.setUp()
    try git.authcore(
      "item", "add", "--server", "git.example.com", "--account", "ann", "--access", "presence",
      secret: "token"
    ).expectSuccess()
    let nobody = try git.credential("fill")
    #expect(nobody.status == 128 && !nobody.text.contains("token"), "\(nobody.account)")
    let proof = try state.folder.write("proof", TestHome.passcode)
    let withPasscode = try run(
      "/usr/bin/git",
      [
        "-c",
        "credential.helper=!\(Products.program("authcore")) git-credential --passcode-file "
          + "\(proof)", "credential", "fill",
      ],
      input: Data("protocol=https\nhost=git.example.com\n\n".utf8),
      environment: ["AUTHCORE_HOME": state.home, "GIT_TERMINAL_PROMPT": "0"])
    #expect(withPasscode.text.contains("password=token"), "\(withPasscode.account)")
    let rejected = try git.credential("reject", "username=ann", "password=token")
    #expect(rejected.errors.contains("is guarded and stays"), "\(rejected.account)")
    try git.authcore("item", "find", "--server", "git.example.com").expectSuccess()
  }

  @Test("options behind the helper's name guard what it stores")
  func access() throws {
    let git = try Git(" --access presence")
    try #require(git.state).setUp()
    let approved = try git.credential("approve", "username=ann", "password=x")
    #expect(approved.errors == "", "\(approved.account)")
    let item = try git.authcore("item", "find", "--server", "git.example.com")
    #expect(item.json["items"]?.array?.first?["access"]?.string == "presence", "\(item.account)")
  }

  @Test("what ends, and what renews it, is kept; what has ended is not given")
  func expiry() throws {
    let git = try Git()
    let base = "protocol=https\nhost=git.example.com\n"
    let later = base + "username=ann\npassword=x\npassword_expiry_utc=9999999999\n"
    #expect(try git.helper("store", Data((later + "oauth_refresh_token=r\n").utf8)).status == 0)
    let given = try git.helper("get", Data(base.utf8))
    #expect(
      given.text
        == "username=ann\npassword=x\npassword_expiry_utc=9999999999\noauth_refresh_token=r\n",
      "\(given.account)")
    let over = base + "username=ann\npassword=x\npassword_expiry_utc=1000\n"
    #expect(try git.helper("store", Data(over.utf8)).status == 0)
    let none = try git.helper("get", Data(base.utf8))
    #expect(none.status == 0 && none.text == "", "\(none.account)")
    // So it is for Git versions that keep state for helpers.
    let state = try git.helper("get", Data(("capability[]=state\n" + base).utf8))
    #expect(state.text == "", "\(state.account)")
  }

  @Test(
    "hostile input says nothing on standard output, and changes nothing",
    arguments: [
      "protocol=https\nhost=git.example.com\r\n", "protocol=https\nhost=a\0b\n", "nonsense\n",
      "protocol=https\nhost=git.example.com\nusername=\u{85}x\npassword=y\n",
      "protocol=https\nhost=git.example.com\nusername=ann\npassword=cut off",
      "protocol=https\nhost=git.example.com\nusername=" + String(repeating: "u", count: 2000)
        + "\npassword=y\n",
      "protocol=https\nhost=git.example.com\nusername=ann\npassword="
        + String(repeating: "p", count: 200_000) + "\n",
      "protocol=https\nhost=git.example.com\nusername=ann\npassword="
        + String(repeating: "p", count: 60_000) + "\n",
    ])
  func hostile(text: String) throws {
    let git = try Git()
    let stored = try git.helper("store", Data(text.utf8))
    #expect(stored.status == 64 && stored.text == "", "\(stored.account)")
    #expect(try git.authcore("item", "list").json["items"] == .array([]))
  }

  @Test("an account that another program planted adds no line to what Git is told")
  func planted() throws {
    let git = try Git()
    try git.authcore(
      "item", "add", "--server", "git.example.com", "--account", "a\nhost=evil.example", secret: "x"
    ).expectSuccess()
    let given = try git.helper("get", Data("protocol=https\nhost=git.example.com\n".utf8))
    #expect(given.status == 0 && given.text == "", "\(given.account)")
  }

  @Test("what it does not know it passes over, without a word")
  func unknown() throws {
    let git = try Git()
    for (word, text) in [
      ("capability", ""), ("get", ""), ("get", "protocol=cert\nhost=\npath=/x\n"), ("store", "\n"),
      ("erase", "protocol=https\nhost=a.example\n"),
    ] {
      let quiet = try git.helper(word, Data(text.utf8))
      #expect(quiet.status == 0 && quiet.text == "" && quiet.errors == "", "\(quiet.account)")
    }
  }
}
