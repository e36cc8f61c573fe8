import Foundation
import TestSupport
import Testing

@Suite("SSH agent: on whose terminal it asks", .timeLimit(.minutes(60)))
struct SSHAgentTerminalTests {
  private let state: TestHome
  private let deploy: URL

  init() throws {
    state = try TestHome.enrolled()
    deploy = try state.makeKey("deploy", "--access", "presence")
  }

  private static let passcode = TestHome.passcode + "\n"

  /// A sensor that no finger touches.
  private var waiting: String { get throws { try state.tape([String]()) + ",hold=1" } }

  private func add(
    to agent: RunningAgent, _ steps: TerminalRun.Step..., in shell: TerminalRun.Shell = .foreground
  ) throws -> TerminalRun {
    try TerminalRun(
      ["-T", deploy.path], steps, in: shell, program: "/usr/bin/ssh-add",
      environment: ["SSH_AUTH_SOCK": agent.socket])
  }

  @Test(
    "FINDINGS A1: on its caller's terminal an agent writes that a touch is awaited, and reads not")
  func writesAlone() throws {
    let agent = try RunningAgent(state, driver: state.ownerTouch())
    let touched = try add(to: agent)
    #expect(touched.status == 0 && touched.shown.contains("Touch the reader.\r\n"), "\(touched)")
    #expect(touched.shown.contains("The key is \"deploy\"."), "\(touched)")
    agent.end()
    let idle = try RunningAgent(state, driver: waiting, ["--timeout", "0.5"])
    let typed = try add(to: idle, .init(seen: "Touch the reader.", typed: Self.passcode))
    #expect(typed.status == 1 && typed.isTerminalAsBefore, "\(typed)")
    #expect(typed.shown.contains(TestHome.passcode), "nothing hid what was typed: \(typed)")
    #expect(!typed.shown.contains("Passcode") && !typed.shown.contains("Esc"), "\(typed)")
    let behind = try add(to: idle, in: .background)
    #expect(behind.status == 1 && !behind.shown.contains("Touch the reader"), "\(behind)")
  }

  @Test("FINDINGS A1: what only a passcode opens is refused, and the log names the way out")
  func refused() throws {
    let agent = try RunningAgent(state)
    let run = try add(to: agent)
    #expect(run.status == 1 && !run.shown.contains("Passcode"), "\(run)")
    try agent.waitUntilItSays("not signed")
    let line = try #require(agent.lines.last)
    for way in ["authcore-agent", "authcore unlock", "foreground of a terminal"] {
      #expect(line.contains(way), "\(line)")
    }
    // The same agent, on a terminal of its own, is still asked there (SSHAgentTroubleTests).
  }

  /// What it says of a passcode that was typed, and of a failure.
  private static let received = "the far end got b'\(TestHome.passcode)\\r' and the answer 5"

  /// `ssh -A`, as far as the agent and the terminal see it: hands on a login that its far end asked
  /// for, and what is typed.
  private static let forwarding = """
    import base64, os, socket, struct, sys, termios, tty
    def text(data): return struct.pack(">I", len(data)) + data
    key = base64.b64decode(open(sys.argv[1]).read().split()[1])
    login = (text(bytes(32)) + bytes([50]) + text(b"ann") + text(b"ssh-connection")
        + text(b"publickey") + bytes([1]) + text(b"ecdsa-sha2-nistp256") + text(key))
    agent = socket.socket(socket.AF_UNIX)
    agent.connect(os.environ["SSH_AUTH_SOCK"])
    before = termios.tcgetattr(0)
    tty.setraw(0)
    agent.sendall(text(bytes([13]) + text(key) + text(login) + bytes(4)))
    os.write(1, b"asked\\r\\n")
    answer = agent.recv(64)
    received = b""
    while not received.endswith(b"\\r"): received += os.read(0, 64)
    termios.tcsetattr(0, termios.TCSANOW, before)
    print("the far end got", received, "and the answer", answer[4])
    """

  @Test(
    "FINDINGS A1: a forwarded login prompts nowhere on its session, and its far end gets every key",
    arguments: [true, false])
  func forwarded(hasReader: Bool) throws {
    let agent = try RunningAgent(state, driver: hasReader ? waiting : nil, ["--timeout", "0.5"])
    let run = try TerminalRun(
      ["-c", Self.forwarding, deploy.path],
      [.init(seen: "asked", typed: TestHome.passcode + "\r")], program: "/usr/bin/python3",
      environment: ["SSH_AUTH_SOCK": agent.socket])
    #expect(run.status == 0, "\(run)")
    #expect(run.shown.contains(Self.received), "\(run)")
    for words in ["Passcode", "Touch", "Esc"] { #expect(!run.shown.contains(words), "\(run)") }
    try agent.waitUntilItSays("not signed")
    #expect(try agent.lines.last?.contains(#""result":"refused""#) == true)
  }

  @Test(
    "FINDINGS A1: an agent in the background of its caller's terminal writes, and is not stopped")
  func backgroundJob() throws {
    let socket = state.folder.file("agent")
    let script = """
      stty tostop
      set -m
      "$1" --home "$2" --driver "$3" agent ssh --socket "$4" 2>/dev/null &
      until [ -S "$4" ]; do :; done
      ssh-add -T "$5"; status=$?
      kill %1; wait; stty -tostop; exit $status
      """
    let run = try TerminalRun(
      [
        "-c", script, "sh", Products.program("authcore"), state.home, state.ownerTouch(), socket,
        deploy.path,
      ], program: "/bin/sh", environment: ["SSH_AUTH_SOCK": socket])
    #expect(run.status == 0 && run.shown.contains("Touch the reader."), "\(run)")
    #expect(run.isTerminalAsBefore)
  }

  @Test(
    "FINDINGS A1: an agent in front of a terminal that another program reads takes no passcode",
    // The other one is a stranger to the agent, or what it descends from.
    arguments: ["python3 -c \"$4\" \"$5\"; kill $!", "exec python3 -c \"$4\" \"$5\""])
  func ownTerminalShared(reader: String) throws {
    let socket = state.folder.file("agent")
    let script = """
      (exec "$1" --home "$2" agent ssh --socket "$3" </dev/null 2>errors) &
      until [ -S "$3" ]; do :; done
      \(reader)
      """
    let run = try TerminalRun(
      [
        "-c", "cd '\(state.folder.path)'; " + script, "sh", Products.program("authcore"),
        state.home, socket, Self.forwarding, deploy.path,
      ], [.init(seen: "asked", typed: TestHome.passcode + "\r")], program: "/bin/sh",
      environment: ["SSH_AUTH_SOCK": socket])
    #expect(run.shown.contains(Self.received), "\(run)")
    #expect(!run.shown.contains("Passcode"), "\(run)")
  }
}
