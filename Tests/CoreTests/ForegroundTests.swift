import DBus
import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import AuthCore

@Suite("The foreground of the service", .enabled(if: PrivateLogind.isInstalled))
struct ForegroundTests {
  private static let never: UInt64 = 3_600_000_000

  private func foreground(_ logind: PrivateLogind) -> Foreground {
    Foreground(
      LoginManager(at: logind.address),
      LoginChanges(at: logind.address, intervalMicroseconds: Self.never))
  }

  /// A logind that has this process in an active session at the seat.
  private func logind() throws -> PrivateLogind {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: 4242, isActive: true)
    try logind.place([getpid(): .session("c1")])
    return logind
  }

  /// Every client is the command, and an agent.
  private struct OwnersPrograms: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: commandApplication, isAgentProgram: true)
    }
  }

  /// One of the service's cores, with a real reader.
  private func core(
    _ touches: [FakeDriver.Touch] = [], _ foreground: Foreground
  ) throws -> TestCore {
    let test = TestCore(touches, foreground: foreground, naming: OwnersPrograms())
    try test.devices.install("alpha", for: .alpha)
    test.enclave.set { $0.realFingers = 1 }
    test.devices.plug(.alpha)
    return test
  }

  @Test("A6: at the active seat a touch is awaited as the client says")
  func active() throws {
    let logind = try logind()
    let test = try core([.match], foreground(logind))
    let client = try test.greetedClient()
    let id = try client.send(Evaluate(policy: .biometrics, options: .test(touch: .person)))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
  }

  @Test("A6: a session that is not on the screen asks for nothing, whatever its client says")
  func inactive() throws {
    let logind = try logind()
    try logind.change(session: "c1", "Active", to: false)
    let test = try core([.match], foreground(logind))
    let agent = try test.agent()
    let client = try test.greetedClient()
    for options in [
      PromptOptions.test(touch: .person), .test(touch: .played, canGivePasscode: false),
      .test(mayPrompt: false, touch: .none, canGivePasscode: false),
    ] {
      try client.send(Evaluate(policy: .owner, options: options))
      let failure = try client.receiveAfterProgress(Failure.self).value
      #expect(failure.code == .notInteractive)
      #expect(failure.message.contains("another session is on the screen"), "\(failure.message)")
    }
    #expect(test.driver.captures == 0)
    try agent.client.send(Cancel(), request: agent.request)
    #expect(try agent.client.receiveFailure() == .appCancel, "no prompt came before")
  }

  @Test("a passcode that the client was given answers wherever the client runs")
  func given() throws {
    let logind = try PrivateLogind()
    let test = try core([], foreground(logind))
    let client = try test.greetedClient()
    let id = try client.send(
      Evaluate(policy: .owner, options: .test(touch: .played, canGivePasscode: true)))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .passcode, "1234", request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .passcode)
  }

  @Test(
    "L10: when the session leaves the screen the request ends with systemCancel, and its touch too")
  func leaving() throws {
    let logind = try logind()
    let test = try core([.wait], foreground(logind))
    let client = try test.greetedClient()
    let id = try client.send(Evaluate(policy: .biometrics, options: .test(touch: .person)))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture()
    try logind.change(session: "c1", "Active", to: false)
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .systemCancel)
    #expect(failure.message.contains("another session is on the screen"))
  }

  @Test("L10: a lid that is closed ends the prompt of an agent, too")
  func closing() throws {
    let logind = try logind()
    let test = try core([.wait], foreground(logind))
    let agent = try test.agent()
    let client = try test.greetedClient()
    try client.send(
      Evaluate(policy: .owner, options: .test(touch: .played, canGivePasscode: false)))
    let prompt = try agent.client.receive(Prompt.self)
    try agent.client.answer(prompt, .shown, request: agent.request)
    try logind.setLid(isClosed: true, isDocked: false)
    #expect(try client.receiveFailure() == .systemCancel)
    #expect(
      try agent.client.receiveAfterProgress(AgentPromptEnded.self).value.outcome == .withdrawn)
  }

  /// Names nobody, and takes everybody for an agent.
  private struct OtherPrograms: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: "/usr/bin/other", isAgentProgram: true)
    }
  }

  @Test("A6: a program that nobody sees awaits no touch of its own; the agent shows what it asks")
  func unseen() throws {
    let logind = try logind()
    let away = try ProgramLaunch(path: "/usr/bin/setsid", arguments: ["/bin/sleep", "600"]).start()
    defer {
      away.kill()
      _ = away.wait()
    }
    try logind.place([getpid(): .session("c1"), away.identifier: .session("c1")])
    for isDocked in [false, true] {
      try logind.setLid(isClosed: isDocked, isDocked: isDocked)
      let test = TestCore([.match], foreground: foreground(logind), naming: OtherPrograms())
      try test.devices.install("alpha", for: .alpha)
      test.enclave.set { $0.realFingers = 1 }
      test.devices.plug(.alpha)
      let client = try test.greetedClient(from: away.identifier)
      let request = Evaluate(policy: .owner, options: .test(touch: .person))
      try client.send(request)
      let refused = try client.receiveAfterProgress(Failure.self).value
      #expect(refused.code == .notInteractive, "\(refused.message)")
      #expect(test.driver.captures == 0)
      let agent = try test.agent()
      try client.send(request)
      let prompt = try agent.client.receive(Prompt.self)
      #expect(prompt.application == "/usr/bin/other")
      #expect(prompt.awaitsTouch == !isDocked)
      try agent.client.answer(prompt, .cancel, request: agent.request)
      #expect(try client.receiveFailure() == .userCancel)
    }
  }

  /// Takes every client for one program, whose name protects or is a label.
  private struct OneProgram: ApplicationNaming {
    let name: String
    let protects: Bool

    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      guard let process = RunningProcess(getpid()), let observed = ObservedProcess(of: process)
      else { return NamedClient(application: "", isAgentProgram: false) }
      let look: PeerProgram.Look = { (_: borrowing RunningProcess) in observed }
      let program = PeerProgram(process, observed, look: protects ? look : nil)
      return NamedClient(application: name, isAgentProgram: false, program: program)
    }
  }

  @Test(
    "A6: a screen lock has no terminal and runs as the user, and its touch is awaited; no label is one",
    arguments: [
      ("/usr/bin/swaylock", true, true), ("/usr/bin/swaylock", false, false),
      ("/usr/bin/mail", true, false), ("//unit/swaylock", true, false),
    ])
  func screenLock(name: String, protects: Bool, isAwaited: Bool) throws {
    let logind = try logind()
    let away = try ProgramLaunch(path: "/usr/bin/setsid", arguments: ["/bin/sleep", "600"]).start()
    defer {
      away.kill()
      _ = away.wait()
    }
    try logind.place([away.identifier: .session("c1")])
    let test = TestCore(
      [.match], foreground: foreground(logind), naming: OneProgram(name: name, protects: protects))
    try test.devices.install("alpha", for: .alpha)
    test.enclave.set { $0.realFingers = 1 }
    test.devices.plug(.alpha)
    let client = try test.greetedClient(from: away.identifier)
    let id = try client.send(Evaluate(policy: .biometrics, options: .test(touch: .person)))
    guard isAwaited else {
      #expect(try client.receiveFailure() == .notInteractive)
      return #expect(test.driver.captures == 0)
    }
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
  }

  @Test("A6: whoever runs the machine says which programs are screen locks, by their paths alone")
  func listedLocks() {
    let listed = ScreenLocks.listed(["/opt/own/lock"])
    #expect(listed.include("/opt/own/lock", protects: true))
    #expect(!listed.include("/opt/own/lock", protects: false), "anybody may replace it")
    #expect(!listed.include("/usr/bin/swaylock", protects: true))
    #expect(!ScreenLocks.known.include("/opt/own/lock", protects: true))
    #expect(!ScreenLocks.known.include("/usr/bin/swaylock/x", protects: true))
    #expect(ScreenLocks.known.unusablePaths().isEmpty)
    let troubles = ScreenLocks.listed(["/proc/self/exe", "/none", "/proc"]).unusablePaths()
    #expect(troubles.count == 2)
    #expect(troubles.first?.message.hasPrefix("/proc/self/exe leads to /") == true)
    #expect(troubles.last?.message == "/none cannot be found")
  }

  @Test("A6: of several agents the one in the client's session opens the window")
  func agentOfSession() throws {
    let logind = try logind()
    try logind.addSession("c2", user: 4242, isActive: true)
    // The parent stands for an agent at another seat, which came last.
    try logind.place([getpid(): .session("c1"), getppid(): .session("c2")])
    let test = try core([], foreground(logind))
    let near = try test.agent()
    let far = try test.agent(from: getppid())
    let client = try test.greetedClient()
    try client.send(
      Evaluate(
        policy: .owner, options: .test(reason: "near", touch: .none, canGivePasscode: false)))
    let prompt = try near.client.receive(Prompt.self)
    #expect(prompt.reason == "near")
    try near.client.answer(prompt, .cancel, request: near.request)
    #expect(try client.receiveFailure() == .userCancel)
    withExtendedLifetime(far) {}
  }

  @Test("A6: an agent that nobody sees opens no window")
  func agentOutOfSight() throws {
    let logind = try logind()
    try logind.addSession("c2", user: 4242, isActive: false)
    try logind.place([getpid(): .session("c1"), getppid(): .session("c2")])
    let test = try core([], foreground(logind))
    let agent = try test.agent(from: getppid())
    let client = try test.greetedClient()
    try client.send(Evaluate(policy: .owner, options: .test(touch: .none, canGivePasscode: false)))
    #expect(try client.receiveFailure() == .notInteractive)
    try agent.client.send(Cancel(), request: agent.request)
    #expect(try agent.client.receiveFailure() == .appCancel, "no prompt came before")
  }

  @Test("A6: after five prompts that were turned down within a minute nobody is asked for a while")
  func rate() throws {
    let logind = try logind()
    let test = try core([], foreground(logind))
    let client = try test.greetedClient()
    let request = Evaluate(
      policy: .owner,
      options: .test(touch: .played, canGivePasscode: true, applicationName: "Chores"))
    for _ in 0..<5 {
      let id = try client.send(request)
      try client.answer(try client.receive(Prompt.self), .cancel, request: id)
      #expect(try client.receiveFailure() == .userCancel)
    }
    try client.send(request)
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .notInteractive && failure.message.contains("turned down too often"))
    try client.send(Evaluate(policy: .owner, options: .test(touch: .played)))
    #expect(try client.receive(Prompt.self).matter == .presence, "a command that is typed asks")
  }

  @Test("A6: without logind no touch is awaited, no window opens, and the reason is said")
  func withoutLogind() throws {
    let nowhere = Foreground(
      LoginManager(at: .at("unix:path=/nowhere/bus")),
      LoginChanges(at: .at("unix:path=/nowhere/bus")))
    let test = try core([.match], nowhere)
    let agent = try test.agent()
    let client = try test.greetedClient()
    try client.send(
      Evaluate(
        policy: .owner, options: .test(mayPrompt: false, touch: .none, canGivePasscode: false)))
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .notInteractive && failure.message.contains("logind does not say"))
    withExtendedLifetime(agent) {}
  }
}
