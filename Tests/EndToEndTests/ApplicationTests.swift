import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Items of several programs", .timeLimit(.minutes(60)))
struct ApplicationTests {
  let state: TestHome
  /// A copy of the command at another place.
  let copy: URL

  init() throws {
    state = try TestHome()
    copy = state.folder.url.resolvingSymlinksInPath().appendingPathComponent("other")
    try Self.install(at: copy)
  }

  private static func install(at place: URL) throws {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Products.program("authcore")), to: place)
  }

  /// Runs the copy, with the core that the command started.
  private func other(_ arguments: String..., secret: String = "") throws -> CommandRun {
    try run(copy.path, ["--json", "--home", state.home] + arguments, input: Data(secret.utf8))
  }

  private func expectSecret(_ secret: String, of run: CommandRun) {
    #expect(run.secret == secret, "\(run.account)")
  }

  @Test("K2: a copy of the command elsewhere is another application; what it adds is its own")
  func separation() throws {
    try state.succeed("item", "add", "--service", "mail", secret: "mine")
    try other("item", "get", "--service", "mail").expect(error: "errSecItemNotFound")
    let add = try other("item", "add", "--service", "mail", secret: "theirs").expectSuccess()
    #expect(add.json["item"]?["group"]?.string == copy.path, "\(add.account)")
    expectSecret("theirs", of: try other("item", "get", "--service", "mail"))
    #expect(try other("item", "remove", "--service", "mail").status == 0)
    expectSecret("mine", of: try state.authcore("item", "get", "--service", "mail"))
    // The application is whatever lies at that place: the file may change.
    #expect(try other("item", "add", "--service", "news", secret: "kept").status == 0)
    try Self.install(at: copy)
    expectSecret("kept", of: try other("item", "get", "--service", "news"))
    try state.authcore("item", "get", "--service", "news", "--group", copy.path).expect(
      status: 4, error: "errSecMissingEntitlement")
  }

  @Test("K2: a group is shared by the programs that name it, and items move in and out of it")
  func groups() throws {
    let add = try state.authcore(
      "item", "add", "--service", "mail", "--group", "post", secret: "ours")
    #expect(add.json["item"]?["group"]?.string == "post", "\(add.account)")
    #expect(try state.authcore("item", "get", "--service", "mail").status == 3)
    expectSecret("ours", of: try other("item", "get", "--service", "mail", "--group", "post"))
    try other("item", "update", "--service", "mail", "--group", "post", "--set-group", copy.path)
      .expectSuccess()
    expectSecret("ours", of: try other("item", "get", "--service", "mail"))
    #expect(try state.authcore("item", "get", "--service", "mail", "--group", "post").status == 3)
  }

  @Test("K2: the owner shares an item with a program, which opens it and cannot change it")
  func sharing() throws {
    try state.setUp()
    try state.succeed("item", "add", "--service", "mail", secret: "gold")
    func share(_ more: String..., passcode: String?) throws -> CommandRun {
      let arguments = ["item", "share", "--service", "mail", "--with", copy.path] + more
      return try state.authcore(arguments + (passcode.map { ["--passcode-file", $0] } ?? []))
    }
    try share(passcode: nil).expect(error: "notInteractive")
    try other("item", "get", "--service", "mail").expect(status: 3)
    let file = try state.folder.write("passcode", "\(TestHome.passcode)\n")
    let shared = try share(passcode: file).expectSuccess()
    #expect(
      shared.json["item"]?["sharedWith"]?.array?.compactMap(\.string) == [copy.path],
      "\(shared.account)")
    expectSecret("gold", of: try other("item", "get", "--service", "mail"))
    let all = try other("item", "get", "--service", "mail", "--all")
    #expect(all.json["items"]?.array?.count == 1, "\(all.account)")
    for change in [
      try other("item", "update", "--service", "mail", "--set-label", "x"),
      try other("item", "remove", "--service", "mail"),
      try other("item", "share", "--service", "mail", "--with", "/bin/sh"),
    ] {
      #expect(change.errorName == "errSecItemNotFound", "\(change.account)")
    }
    #expect(try share("--end", passcode: nil).status == 0)
    #expect(try other("item", "get", "--service", "mail").status == 3)
    try state.authcore("item", "share", "--service", "mail", "--with", "/nothing/here").expect(
      status: 64)
  }

  @Test("K2: what another program shares is not in the way of an import, nor replaced by it")
  func importing() throws {
    try state.succeed("item", "add", "--service", "mail", secret: "theirs")
    try state.succeed("item", "share", "--service", "mail", "--with", copy.path)
    expectSecret("theirs", of: try other("item", "get", "--service", "mail"))
    let file = try state.folder.write(
      "passwords.csv", Data("name,url,username,password\nmail,,,own\n".utf8))
    let imported = try other("import", file.path, "--apply", "--replace")
    #expect(imported.json["added"]?.number == 1, "\(imported.account)")
    expectSecret("theirs", of: try state.authcore("item", "get", "--service", "mail"))
    let again = try other("import", file.path)
    #expect(again.json["identical"]?.number == 1, "\(again.account)")
  }
}

@Suite("The applications of the keychain, through the command", .timeLimit(.minutes(60)))
struct ApplicationCommandTests {
  @Test("app list names who keeps something, and app forget takes it away")
  func life() throws {
    let state = try TestHome()
    #expect(try state.authcore("app", "list").json["applications"]?.array?.isEmpty == true)
    try state.succeed("item", "add", "mail", "ann", secret: "mine")
    try state.succeed("item", "share", "mail", "--with", "/usr/bin/env")
    let list = try state.authcore("app", "list")
    let names = list.json["applications"]?.array?.compactMap { $0["name"]?.string }
    #expect(names?.first == (try? Self.canonical("/usr/bin/env")), "\(list.account)")
    #expect(names?.last == "authcore", "\(list.account)")
    let text = try state.authcore("app", "list", json: false).text
    #expect(text.contains("authcore: 1 item"), "\(text)")
    #expect(text.contains("/env: 1 shared with it"), "\(text)")

    try state.authcore("app", "forget", "/usr/bin/env").expect(error: "notInteractive")
    let env = try Self.canonical("/usr/bin/env")
    let forgotten = try state.authcore("app", "forget", env, "--yes")
    #expect(forgotten.json["removed"]?.number == 1, "\(forgotten.account)")
    let found = try state.authcore("item", "find", "mail")
    #expect(!found.text.contains("/env"), "\(found.account)")
    try state.authcore("app", "forget", env, "--yes").expect(status: 3, error: "errSecItemNotFound")
    #expect(try state.authcore("app", "forget", "family", "--yes").errorName == "errSecParam")
  }

  @Test("where a passcode is set the owner is asked before an application is forgotten")
  func presence() throws {
    let state = try TestHome.withPasscode()
    try state.succeed("item", "add", "mail", secret: "mine")
    try state.authcore("app", "forget", "authcore", "--yes").expect(
      status: 2, error: "notInteractive")
    #expect(try state.authcore("item", "get", "mail", json: false).text == "mine")
    let asked = try state.authcore(
      "app", "forget", "authcore", "--yes", passcode: TestHome.passcode)
    #expect(asked.json["removed"]?.number == 1, "\(asked.account)")
    #expect(try state.authcore("item", "get", "mail").status == 3)
  }

  private static func canonical(_ path: String) throws -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}

@Suite("An application on a terminal", .timeLimit(.minutes(60)))
struct ApplicationPromptTests {
  private func run(
    _ state: TestHome, _ arguments: String..., steps: [TerminalRun.Step] = [],
    in shell: TerminalRun.Shell = .foreground, environment: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun(
      ["prompting", "Chores", "Add a chore"] + arguments, steps, in: shell, program: "exercise",
      environment: ["AUTHCORE_HOME": state.home].merging(environment) { $1 })
  }

  private let passcode = TerminalRun.Step(seen: "Passcode", typed: TestHome.passcode + "\n")

  @Test("A6: asks on the terminal, says who asks, and shows nothing of what is typed")
  func asks() throws {
    let state = try TestHome.withPasscode()
    for shell in [TerminalRun.Shell.foreground, .redirected] {
      let run = try run(state, steps: [passcode], in: shell)
      #expect(run.status == 0, "\(run)")
      // The path's middle is left out if it is long.
      #expect(run.shown.contains("A program calling itself “Chores” (/"), "FINDINGS A6: \(run)")
      #expect(run.shown.contains("/exercise) wants you to confirm that it is you."), "\(run)")
      #expect(run.shown.contains("It says: “Add a chore”"))
      #expect((run.shown + run.output).contains("proved by the passcode"))
      #expect(!run.shown.contains("horse") && run.isTerminalAsBefore)
    }
  }

  @Test("A6: over SSH the passcode is asked for, and in the terminal's background nothing")
  func elsewhere() throws {
    let state = try TestHome.withPasscode()
    let remote = try run(state, steps: [passcode], environment: ["SSH_TTY": "/dev/pts/9"])
    #expect(remote.status == 0, "\(remote)")
    let background = try run(state, in: .background)
    #expect(background.status == 1 && background.shown.contains("notInteractive"), "\(background)")
    #expect(!background.shown.contains("Chores"))
  }

  @Test("A6: without a terminal nobody is asked")
  func noTerminal() throws {
    let state = try TestHome.withPasscode()
    let run = try TestSupport.run(
      "exercise", ["prompting", "Chores", "Add a chore"], environment: ["AUTHCORE_HOME": state.home]
    )
    #expect(run.status == 1 && run.text.hasPrefix("notInteractive"), "\(run.account)")
    #expect(run.errors == "")
  }

  @Test("Ctrl-C at the prompt is the program's Ctrl-C, and the terminal is as it was")
  func interrupt() throws {
    let state = try TestHome.withPasscode()
    let run = try run(state, steps: [.init(seen: "Passcode", typed: "half\u{3}")], in: .trapping)
    #expect(run.status == 130, "\(run)")
    #expect(run.shown.contains("the shell got it too"))
    #expect(run.isTerminalAsBefore)
  }

  @Test("Ctrl-Z suspends it with the prompt taken away; it asks again in the foreground")
  func suspended() throws {
    let state = try TestHome.withPasscode()
    let run = try run(
      state,
      steps: [
        .init(seen: "Passcode", typed: "\u{1A}"), .init(seen: "keys are shown", typed: ""),
        passcode,
      ],
      in: .suspendedOnce)
    #expect(run.status == 0, "\(run)")
    #expect(run.shown.contains("proved by the passcode"))
    #expect(run.isTerminalAsBefore)
  }

  @Test("Ctrl-Z and bg: it goes on, and nobody is asked in the background")
  func left() throws {
    let state = try TestHome.withPasscode()
    let run = try run(
      state, steps: [.init(seen: "Passcode", typed: "\u{1A}")], in: .suspendedAndLeft)
    #expect(run.status == 1 && run.shown.contains("notInteractive"), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test("a request that another thread cancels ends, and the terminal is as it was")
  func cancelled() throws {
    let state = try TestHome.withPasscode()
    let fifo = state.folder.file("fifo")
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let run = try run(
      state, fifo,
      steps: [.init(seen: "Passcode", .run { close(unsafe open(fifo, O_WRONLY)) })])
    #expect(run.status == 1 && run.shown.contains("appCancel"), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test("a terminal that is closed ends it, and its core serves the next one")
  func hangUp() throws {
    let state = try TestHome.withPasscode()
    let closed = try run(state, steps: [.init(seen: "Passcode", .hangUp)])
    #expect(closed.status != 0, "\(closed)")
    #expect(try run(state, steps: [passcode]).status == 0)
  }
}
