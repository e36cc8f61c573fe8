import DBus
import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import AuthCore

/// What this process is, door or not; its parent stands for the agent. Callers are looked at as on
/// demand.
private struct Doors: ApplicationNaming {
  let door: Door?

  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    NamedClient(
      application: commandApplication, isAgentProgram: true,
      door: peer.process == getpid() ? door : nil)
  }
}

/// A program that a door acts for: a shell that becomes `sleep` once it is told to.
private final class Caller: Sendable {
  let child: ChildProcess
  private let input: LinuxSystem.Pipe

  init() throws {
    input = try LinuxSystem.Pipe(nonBlocking: .writer)
    _ = fcntl(input.reader, F_SETFL, 0)
    var launch = ProgramLaunch(
      path: "/bin/sh", arguments: ["-c", "read line; exec /bin/sleep 600"])
    launch.standardStreams = [input.reader, nil, nil]
    child = try launch.start()
  }

  var program: [UInt8]? {
    guard let process = RunningProcess(child.identifier) else { return nil }
    return RunningExecutable(of: process)?.path
  }

  /// Returns once it runs the other program.
  func change() -> Bool {
    let before = program
    var newline: UInt8 = 10
    _ = unsafe write(input.writer, &newline, 1)
    return eventually { program != before }
  }

  func end() {
    child.kill()
    _ = child.wait()
  }

  deinit { end() }
}

extension FakeClient {
  fileprivate func status() throws -> CoreStatus {
    try send(GetStatus())
    return try receive()
  }

  /// Names a caller under a new id.
  fileprivate func name(_ pidfd: Int32?, program: ProgramFile? = nil, id: UInt32 = 900) throws {
    try stream.send(
      ClientEnvelope.encode(ActFor(program: program), request: id),
      descriptors: pidfd.map { [$0] } ?? [])
  }
}

@Suite("Doors")
struct DoorTests {
  private let policy = Guarded<Set<Door>>([])
  private let journal = Guarded<[AuditRecord]>([])

  /// One of the service's cores, whose clients are doors of this process's user.
  private func core(
    _ touches: [FakeDriver.Touch] = [], _ door: Door? = .sshAgent, foreground: Foreground? = nil,
    user: UInt32 = geteuid()
  ) -> TestCore {
    TestCore(
      touches, foreground: foreground, naming: Doors(door: door), user: user, journal: journal,
      forbiddenDoors: policy)
  }

  private func door(_ test: TestCore, for caller: Caller) throws -> FakeClient {
    let client = try test.greetedClient()
    try client.name(caller.child.pidfd)
    _ = try client.receive(ActingFor.self)
    return client
  }

  private func failure(_ client: FakeClient) throws -> Failure {
    try client.receiveAfterProgress(Failure.self).value
  }

  private let passcode = Evaluate(
    policy: .owner, options: .test(touch: .played, applicationName: "Mail"))

  @Test("X8: a prompt names the program that a door acts for, and not what the door claims")
  func prompt() throws {
    let caller = try Caller()
    let test = core()
    let client = try door(test, for: caller)
    let id = try client.send(passcode)
    let prompt = try client.receive(Prompt.self)
    let program = try #require(caller.program)
    #expect(prompt.application == String(decoding: program, as: UTF8.self))
    #expect(prompt.door == .sshAgent && prompt.claimedName == nil && !prompt.nameProtects)
    try client.answer(prompt, .passcode, "1234", request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .passcode)
    #expect(
      try client.status().doors == [RunningDoor(door: .sshAgent, caller: prompt.application)])
  }

  @Test("X8: a stranger's program acts for no other", arguments: [true, false])
  func stranger(isService: Bool) throws {
    let caller = try Caller()
    let test = isService ? core([], nil) : TestCore()
    let client = try test.greetedClient()
    try client.name(caller.child.pidfd)
    let refused = try failure(client)
    #expect(refused.code == .errSecMissingEntitlement)
    #expect(refused.message.contains("only a door"), "\(refused.message)")
    #expect(try test.greetedClient().status().doors.isEmpty)
  }

  @Test("X8: a door has to say for whom before it asks for anything but the status")
  func unnamed() throws {
    let client = try core().greetedClient()
    #expect(try client.status().doors == [RunningDoor(door: .sshAgent, caller: nil)])
    try client.send(passcode)
    #expect(try client.receiveFailure() == .usage)
    try client.send(NewContext())
    #expect(try client.receiveFailure() == .usage)
    try client.ask(GetItem(query: ItemQuery()))
    #expect(try client.receiveFailure() == .usage)
  }

  @Test("X8: a program that ends or changes is refused from then on")
  func changed() throws {
    let caller = try Caller()
    let test = core()
    let client = try test.greetedClient()
    try client.name(caller.child.pidfd)
    let first = try client.receive(ActingFor.self).program
    #expect(caller.change())
    for _ in 0..<2 {
      try client.send(passcode)
      let refused = try failure(client)
      #expect(refused.code == .errSecMissingEntitlement)
      #expect(refused.message.contains("another program"), "\(refused.message)")
    }
    // Nor on another connection of the door, or after the core was started anew.
    let second = try core().greetedClient()
    try second.name(caller.child.pidfd, program: first)
    #expect(try second.receiveFailure() == .errSecMissingEntitlement)
  }

  @Test("X8: a program that changes or ends while its prompt is on view gets nothing")
  func changedMeanwhile() throws {
    for ends in [false, true] {
      let caller = try Caller()
      let test = core()
      let client = try door(test, for: caller)
      let id = try client.send(passcode)
      let prompt = try client.receive(Prompt.self)
      if ends { caller.end() } else { #expect(caller.change()) }
      try client.answer(prompt, .passcode, "1234", request: id)
      #expect(try client.receiveFailure() == .errSecMissingEntitlement)
    }
  }

  @Test("X8: a program that has ended cannot be named")
  func ended() throws {
    let caller = try Caller()
    let test = core()
    let client = try door(test, for: caller)
    caller.end()
    try client.send(passcode)
    #expect(try client.receiveFailure() == .errSecMissingEntitlement)
    let late = try test.greetedClient()
    try late.name(caller.child.pidfd)
    #expect([.usage, .errSecMissingEntitlement].contains(try late.receiveFailure()))
  }

  @Test("X8: a door acts for programs of its own user alone")
  func otherUser() throws {
    let caller = try Caller()
    let client = try core(user: geteuid() + 1).greetedClient()
    try client.name(caller.child.pidfd)
    let refused = try failure(client)
    #expect(refused.code == .errSecMissingEntitlement)
    #expect(refused.message.contains("cannot act for user \(geteuid())"), "\(refused.message)")
  }

  @Test("X8: a connection acts for one program; what is no process is refused")
  func garbage() throws {
    let caller = try Caller()
    let test = core()
    let client = try test.greetedClient()
    let file = Descriptor(owning: unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC))
    for number in [nil, file.number, 0] {
      try client.name(number)
      #expect(try client.receiveFailure() == .usage)
    }
    try client.name(caller.child.pidfd)
    _ = try client.receive(ActingFor.self)
    try client.name(caller.child.pidfd)
    #expect(try client.receiveFailure() == .usage)
    // Only with the message that names a caller, and one only.
    try client.stream.send(
      ClientEnvelope.encode(GetStatus(), request: 7), descriptors: [caller.child.pidfd])
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
    let other = try test.greetedClient()
    try other.stream.send(
      ClientEnvelope.encode(ActFor(program: nil), request: 8),
      descriptors: [caller.child.pidfd, caller.child.pidfd])
    #expect(try other.receiveFailure() == .usage)
    #expect(other.isDisconnected())
  }

  @Test("X8: the policy forbids a door, also a connected one")
  func forbidden() throws {
    let caller = try Caller()
    let test = core()
    let client = try door(test, for: caller)
    let stated = try MachinePolicy("[doors]\nssh-agent = false\nage = true").forbiddenDoors
    policy.update { $0 = stated }
    try client.send(passcode)
    let refused = try failure(client)
    #expect(refused.code == .refusedByService && refused.message.contains("authcore-ssh-agent"))
    #expect(refused.hint?.contains("[doors], ssh-agent") == true)
    let other = try test.greetedClient()
    try other.name(caller.child.pidfd)
    #expect(try other.receiveFailure() == .refusedByService)
    #expect(MachinePolicy.strictest.forbiddenDoors == Set(Door.allCases))
    #expect(throws: PolicyText.Problem.self) { try MachinePolicy("[doors]\nssh = false") }
    #expect(throws: PolicyText.Problem.self) { try MachinePolicy("[doors]\nage = \"no\"") }
  }

  @Test("X8: each prompt and key use of a door is written down")
  func written() throws {
    let caller = try Caller()
    let test = core()
    let client = try door(test, for: caller)
    let id = try client.send(passcode)
    try client.answer(try client.receive(Prompt.self), .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    try client.ask(
      UseKey(query: KeyQuery(name: "work"), operation: .sign, input: [1]), .none)
    _ = try client.receiveFailure()
    let records = journal.read { $0 }
    let program = String(decoding: try #require(caller.program), as: UTF8.self)
    #expect(records.allSatisfy { $0.door == .sshAgent && $0.caller == program })
    #expect(records.contains { $0.event == .prompt && $0.outcome == "userCancel" })
    let use = try #require(records.first { $0.event == .keyUse })
    #expect(use.subject == "work" && use.outcome != "done")
    #expect(use.message.contains("key-use of “work” for \(program) through ssh-agent: "))
    #expect(use.fields.contains { $0 == ("AUTHCORE_CALLER", program) })
    #expect(use.fields.contains { $0 == ("AUTHCORE_SUBJECT", "work") })
  }

  @Test("X8: a prompt that waits for one program blocks no request that a door makes for another")
  func besides() throws {
    let (one, two) = (try Caller(), try Caller())
    let test = core()
    let first = try door(test, for: one)
    let id = try first.send(passcode)
    let prompt = try first.receive(Prompt.self)
    let second = try door(test, for: two)
    let other = try second.send(passcode)
    try second.answer(try second.receive(Prompt.self), .passcode, "1234", request: other)
    #expect(try second.receiveAfterProgress(Evaluated.self).value.evidence == .passcode)
    try first.answer(prompt, .cancel, request: id)
    #expect(try first.receiveFailure() == .userCancel)
  }

  @Test(
    "X8: prompts of one program that were turned down count on all connections of a door",
    .enabled(if: PrivateLogind.isInstalled && geteuid() != 0, "root's programs are exempt"))
  func rate() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: geteuid(), isActive: true)
    let caller = try Caller()
    try logind.place([getpid(): .session("c1"), caller.child.identifier: .session("c1")])
    let test = core([], foreground: Self.foreground(logind))
    let client = try door(test, for: caller)
    let given = Evaluate(policy: .owner, options: .test(touch: .played, canGivePasscode: true))
    for _ in 0..<5 {
      let id = try client.send(given)
      try client.answer(try client.receive(Prompt.self), .cancel, request: id)
      #expect(try client.receiveFailure() == .userCancel)
    }
    let other = try door(test, for: caller)
    try other.send(given)
    #expect(try failure(other).message.contains("turned down too often"))
  }

  private static func foreground(_ logind: PrivateLogind) -> Foreground {
    Foreground(
      LoginManager(at: logind.address),
      LoginChanges(at: logind.address, intervalMicroseconds: 3_600_000_000))
  }

  @Test(
    "A6: the caller's session decides, and not the door's",
    .enabled(if: PrivateLogind.isInstalled), arguments: [true, false])
  func foreground(isSeen: Bool) throws {
    let logind = try PrivateLogind()
    try logind.addSession("seen", user: geteuid(), isActive: true)
    try logind.addSession("hidden", user: geteuid(), isActive: false)
    let caller = try Caller()
    // The door itself is on the screen, like the agent.
    try logind.place([
      getpid(): .session("seen"), getppid(): .session("seen"),
      caller.child.identifier: .session(isSeen ? "seen" : "hidden"),
    ])
    let test = core([.match], foreground: Self.foreground(logind))
    try test.devices.install("alpha", for: .alpha)
    test.enclave.set { $0.realFingers = 1 }
    test.devices.plug(.alpha)
    let agent = try test.agent(from: getppid())
    let client = try door(test, for: caller)
    try client.send(
      Evaluate(policy: .owner, options: .test(touch: .played, canGivePasscode: false)))
    guard isSeen else {
      let refused = try failure(client)
      #expect(refused.code == .notInteractive)
      #expect(refused.message.contains("another session is on the screen"))
      return
    }
    let prompt = try agent.client.receive(Prompt.self)
    #expect(prompt.door == .sshAgent && prompt.awaitsTouch)
    try agent.client.answer(prompt, .shown, request: agent.request)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
  }
}
