import Foundation
import TestSupport
import Testing

/// `authcore agent ssh` in the foreground of a terminal, and a script instead of a person.
private struct AgentAtTerminal {
  let state: TestHome
  let socket: String

  init(_ state: TestHome) {
    self.state = state
    socket = state.folder.url.appendingPathComponent("agent").path
  }

  /// Serves until a step calls ``end()``. `begin` is done first.
  func serve(
    driver: String, once begin: @escaping () throws -> Void, _ steps: TerminalRun.Step...
  ) throws {
    let run = try TerminalRun(
      ["--home", state.home, "--driver", driver, "agent", "ssh", "--socket", socket],
      [.init(seen: "serves", .run(begin))] + steps)
    #expect(run.status == 0 && run.isTerminalAsBefore, "\(run)")
  }

  /// Lists or tries keys.
  func add(_ arguments: String...) throws -> CommandRun {
    try run("/usr/bin/ssh-add", arguments, environment: ["SSH_AUTH_SOCK": socket])
  }

  /// Tries keys in one connection while the person does something.
  func trying(_ keys: URL...) -> BackgroundRun {
    BackgroundRun(
      "/usr/bin/ssh-add", ["-T"] + keys.map(\.path), environment: ["SSH_AUTH_SOCK": socket])
  }

  func end() {
    for process in state.processes where state.core != process {
      let name = FileManager.default.contents(atPath: "/proc/\(process)/comm") ?? Data()
      if String(decoding: name, as: UTF8.self).hasPrefix("authcore-ssh") { kill(process, SIGTERM) }
    }
  }
}

@Suite("SSH agent: clients, cores and readers that go away", .timeLimit(.minutes(60)))
struct SSHAgentTroubleTests {
  private let state: TestHome
  private let agent: AgentAtTerminal
  /// Behind a touch, and behind nothing.
  private let deploy: URL
  private let plain: URL

  init() throws {
    state = try TestHome.enrolled()
    agent = AgentAtTerminal(state)
    deploy = try state.makeKey("deploy", "--access", "presence")
    plain = try state.makeKey("plain")
  }

  private static let prompt = "Esc: cancel]"
  private static let passcode = TestHome.passcode + "\n"

  /// A sensor that no finger touches.
  private var waiting: String { get throws { try state.tape([String]()) + ",hold=1" } }

  private func expect(
    _ client: BackgroundRun?, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try #require(client).end()
    #expect(run.status == status, "\(run.account)", sourceLocation: sourceLocation)
  }

  /// Once the prompt has changed: `body`, and then the end of the agent.
  private func finally(_ body: @escaping () throws -> Void) -> TerminalRun.Step {
    .init(
      seen: "\u{1B}",
      .run { [agent] in
        defer { agent.end() }
        try body()
      })
  }

  /// A client in Python with 64 connections that want nothing. Its argument: the socket.
  private static let idler = """
    import socket, sys
    held = []
    for _ in range(64):
        held.append(socket.socket(socket.AF_UNIX))
        held[-1].connect(sys.argv[1])
    print("connected", flush=True)
    sys.stdin.read()
    """

  @Test("FINDINGS A11: nine processes with 64 idle connections each keep no tenth out")
  func idlers() throws {
    let agent = try RunningAgent(state)
    defer { agent.end() }
    let inputs = try (0..<9).map { _ in
      let (client, input, output) = (Process(), Pipe(), Pipe())
      client.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      client.arguments = ["-c", Self.idler, agent.socket]
      (client.standardInput, client.standardOutput) = (input, output)
      try client.run()
      #expect(!output.fileHandleForReading.availableData.isEmpty)
      return input
    }
    let list = try agent.run("/usr/bin/ssh-add", ["-L"])
    #expect(list.status == 0 && list.text.contains(" plain\n"), "\(list.account)")
    withExtendedLifetime(inputs) {}
  }

  @Test("X8: a core that is killed at a prompt is followed by another, for the same connection too")
  func restart() throws {
    var client: BackgroundRun?
    try agent.serve(
      driver: waiting, once: { client = agent.trying(deploy, plain) },
      .init(
        seen: Self.prompt,
        .run {
          let core = try #require(state.core)
          kill(core, SIGKILL)
        }),
      // The next core is locked, and is asked for the other key.
      .init(seen: "Passcode", typed: Self.passcode),
      finally {
        let tried = try #require(client).end()
        #expect(tried.status == 1 && tried.errors.contains("deploy"), "\(tried.account)")
        #expect(!tried.errors.contains("plain"), "\(tried.account)")
        #expect(try agent.add("-T", plain.path).status == 0)
      })
  }

  @Test("FINDINGS A9: a key whose prompt was cancelled is not asked for until the owner unlocks")
  func cancelled() throws {
    var (first, second): (BackgroundRun?, BackgroundRun?)
    try agent.serve(
      driver: waiting, once: { first = agent.trying(deploy) },
      .init(seen: Self.prompt, typed: "\u{1B}"),
      .init(
        seen: "not signed",
        .run {
          try expect(first, status: 1)
          try expect(agent.trying(deploy), status: 1)
          try state.succeed("lock")
          try state.succeed("unlock", passcode: TestHome.passcode)
          second = agent.trying(deploy)
        }), .init(seen: Self.prompt, typed: Self.passcode),
      finally { try expect(second, status: 0) })
  }

  @Test("X8: a client that is killed takes its prompt with it, and the next one is asked for")
  func vanished() throws {
    let client = Process()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-add")
    client.arguments = ["-T", deploy.path]
    client.environment = ["SSH_AUTH_SOCK": agent.socket]
    client.standardInput = FileHandle.nullDevice
    var next: BackgroundRun?
    try agent.serve(
      driver: waiting, once: { try client.run() },
      .init(
        seen: Self.prompt,
        .run {
          next = agent.trying(deploy)
          kill(client.processIdentifier, SIGKILL)
          client.waitUntilExit()
        }), .init(seen: "not signed", typed: ""), .init(seen: Self.prompt, typed: Self.passcode),
      finally { try expect(next, status: 0) })
  }

  @Test("X8: while a touch is awaited, others list, sign without a prompt, and wait for theirs")
  func besides() throws {
    let other = try state.makeKey("other", "--access", "presence")
    var (first, second): (BackgroundRun?, BackgroundRun?)
    try agent.serve(
      driver: waiting, once: { first = agent.trying(deploy) },
      .init(
        seen: "Touch the reader",
        .run {
          second = agent.trying(other)
          let list = try agent.add("-L")
          #expect(list.status == 0 && list.text.contains(" deploy\n"), "\(list.account)")
          #expect(try agent.add("-T", plain.path).status == 0)
        }), .init(seen: Self.prompt, typed: "\u{1B}"), .init(seen: "not signed", typed: ""),
      .init(seen: Self.prompt, typed: Self.passcode),
      finally {
        try expect(first, status: 1)
        try expect(second, status: 0)
      })
  }

  @Test("X8: if the reader is pulled out at a prompt, the passcode signs, or nothing is signed")
  func unplugged() throws {
    let stranger = try Prints.stranger.get()[0].path
    let tape = try state.tape(["touch \(stranger)", "unplug"])
    var client: BackgroundRun?
    try agent.serve(
      driver: tape, once: { client = agent.trying(deploy) },
      .init(seen: "Passcode", typed: Self.passcode),
      finally { try expect(client, status: 0) })
    let unattended = try RunningAgent(state, driver: tape)
    let refused = try unattended.run("/usr/bin/ssh-add", ["-T", deploy.path])
    #expect(refused.status == 1, "\(refused.account)")
    #expect(try unattended.lines.last?.contains("reader was disconnected") == true)
    let plugged = try unattended.run("/usr/bin/ssh-add", ["-T", plain.path])
    #expect(plugged.status == 0, "\(plugged.account)")
  }

  @Test("X8: a stopped terminal holds up its own prompt alone, and a busy program its own clients")
  func stoppedTerminal() throws {
    let agent = try RunningAgent(state, driver: state.ownerTouch())
    let environment = ["SSH_AUTH_SOCK": agent.socket]
    // It lets the terminal go on, because what it prints would wait, too.
    let client = """
      import subprocess, sys, termios
      termios.tcflow(1, termios.TCOOFF)
      ended = subprocess.run(["/usr/bin/ssh-add", "-T", sys.argv[1]], capture_output=True)
      termios.tcflow(1, termios.TCOON)
      print("ended", ended.returncode)
      """
    let stopped = try TerminalRun(
      ["-c", client, deploy.path], program: "/usr/bin/python3", environment: environment)
    #expect(stopped.shown.contains("ended 1"), "\(stopped)")
    #expect(try agent.lines.last?.contains("is stopped") == true)
    let next = try TerminalRun(
      ["-T", deploy.path], program: "/usr/bin/ssh-add", environment: environment)
    #expect(next.status == 0 && next.shown.contains("Touch the reader."), "\(next)")
    let greedy = """
      import os, socket, subprocess, sys
      held = [socket.socket(socket.AF_UNIX) for _ in range(600)]
      for one in held: one.connect(os.environ["SSH_AUTH_SOCK"])
      sys.exit(subprocess.run(["/usr/bin/ssh-add", "-l"]).returncode)
      """
    let listed = try agent.run("/usr/bin/python3", ["-c", greedy])
    #expect(listed.status == 0, "\(listed.account)")
  }

  @Test("X8: the agent removes its own socket alone, and takes no pipe as its log")
  func ownFiles() throws {
    let first = try RunningAgent(state)
    try FileManager.default.removeItem(atPath: first.socket)
    let second = try RunningAgent(state)
    first.end()
    try second.run("/usr/bin/ssh-add", ["-l"]).expectSuccess()
    let pipe = state.folder.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let refused = try run("authcore", ["agent", "ssh", "--socket", "other", "--log", pipe])
    #expect(refused.status == 64 && refused.errors.contains("--log"), "\(refused.account)")
  }

  @Test("X8: without a core the agent lists what setup wrote, signs nothing and does not hang")
  func noCore() throws {
    let home = try TestHome()
    let folder = home.folder.file(".local/share/authcore/ssh")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: deploy.path, toPath: folder + "/deploy.pub")
    for core in ["/bin/false", "/nonexistent"] {
      let agent = try RunningAgent(home, environment: ["AUTHCORE_CORE": core])
      let list = try agent.run("/usr/bin/ssh-add", ["-L"])
      #expect(list.output == (try Data(contentsOf: deploy)), "\(list.account)")
      let refused = try agent.run("/usr/bin/ssh-add", ["-T", deploy.path])
      #expect(refused.status == 1, "\(refused.account)")
      #expect(try agent.lines.last?.contains(#""result":"refused""#) == true)
      agent.end()
    }
    let agent = try RunningAgent(home)
    let list = try agent.run("/usr/bin/ssh-add", ["-l"])
    #expect(list.status == 1, "it started a core, without keys: \(list.account)")
  }
}
