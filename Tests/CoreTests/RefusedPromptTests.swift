import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

/// Each client is another program, as hard links to one are; those of the command say for whom they
/// ask.
private final class ManyNames: ApplicationNaming {
  private let count = Guarded(0)
  private let isCommand: Bool

  init(isCommand: Bool = false) { self.isCommand = isCommand }

  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    let number = count.update { count in
      count += 1
      return count
    }
    return NamedClient(
      application: isCommand ? commandApplication : "/home/ann/link-\(number)",
      isAgentProgram: false)
  }
}

@Suite("What the owner refused is not asked again")
struct RefusedPromptTests {
  private let clock = TestClock()
  private let get = GetItem(query: ItemQuery())

  private func core(isCommand: Bool = false, isLocked: Bool) -> TestCore {
    let test = TestCore([], clock: clock.boot, naming: ManyNames(isCommand: isCommand))
    test.enclave.set { $0.isLocked = isLocked }
    if !isLocked {
      test.keychain.state.update { state in
        state.accessControl = try? AccessControl(parsing: "passcode")
        state.identity = [1]
      }
    }
    return test
  }

  private func options(_ name: String?, isSeen: Bool = true) -> PromptOptions {
    .test(touch: .none, canGivePasscode: isSeen, applicationName: name)
  }

  private func cancel(_ test: TestCore, as name: String?) throws {
    let client = try test.greetedClient()
    let id = try client.ask(get, options(name), unlocks: true)
    try client.answer(try client.receivePrompt(), .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
  }

  /// Whether a new client is asked about.
  private func isAsked(_ test: TestCore, as name: String?) throws -> Bool {
    let client = try test.greetedClient()
    try client.ask(get, options(name), unlocks: true)
    return try isPrompted(client)
  }

  private func isPrompted(
    _ client: FakeClient, else code: FailureCode = .errSecInteractionNotAllowed
  ) throws -> Bool {
    let received = try client.stream.receive(milliseconds: 600_000)
    if try ClientEnvelope.header(received.bytes.bytes).number == Prompt.number { return true }
    #expect(try ClientEnvelope.decode(received.bytes.bytes, as: Failure.self).code == code)
    return false
  }

  private func unlock(_ test: TestCore) throws {
    let client = try test.greetedClient()
    let id = try client.send(UnlockDevice(options: options(nil)))
    try client.answer(try client.receivePrompt(), .passcode, "1234", request: id)
    _ = try client.receiveAfterProgress(Evaluated.self)
    test.enclave.set { $0.isLocked = true }
  }

  @Test(
    "FINDINGS A9: after a cancelled unlock no program is asked about, until the owner unlocks"
  )
  func unlocking() throws {
    let test = core(isCommand: true, isLocked: true)
    try cancel(test, as: "Git")
    for name in ["Git", "1Password"] { #expect(try !isAsked(test, as: name)) }
    clock.advance(seconds: 300)
    try cancel(test, as: "Git")
    try unlock(test)
    #expect(try isAsked(test, as: "1Password"))
  }

  @Test("FINDINGS A9: hard links to a program that was refused are not asked about")
  func links() throws {
    let test = core(isLocked: true)
    try cancel(test, as: "Chores")
    #expect(try !isAsked(test, as: "Chores"))
    let other = try test.greetedClient()
    try other.send(Evaluate(policy: .owner, options: options("Chores")))
    #expect(try !isPrompted(other, else: .notInteractive), "after a cancelled unlock: all")
    let again = try test.greetedClient()
    try again.send(UnlockDevice(options: options("Chores")))
    #expect(try !isPrompted(again))
  }

  @Test("FINDINGS A9: a refused item is not asked for by any program, and another one is")
  func items() throws {
    let test = core(isLocked: false)
    try cancel(test, as: "Chores")
    #expect(try !isAsked(test, as: "Mail"))
    let present = try test.greetedClient()
    try present.send(Evaluate(policy: .owner, options: options("Mail")))
    #expect(try isPrompted(present))
    test.keychain.state.update { $0.identity = [2] }
    #expect(try isAsked(test, as: "Mail"))
    test.keychain.state.update { $0.identity = [1] }
    #expect(try !isAsked(test, as: "Mail"))
    clock.advance(seconds: 300)
    #expect(try isAsked(test, as: "Mail"))
  }

  @Test("FINDINGS A9: an unlocked device that is unlocked once more takes back no Cancel")
  func unlockedAgain() throws {
    let test = core(isCommand: true, isLocked: false)
    try cancel(test, as: "Git")
    let client = try test.greetedClient()
    try client.send(UnlockDevice(options: options(nil)))
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .nothing)
    #expect(try !isAsked(test, as: "Git"))
  }

  @Test("a command that is typed asks again after a Cancel, and its own Cancel refuses nobody else")
  func typed() throws {
    for isLocked in [true, false] {
      let test = core(isCommand: true, isLocked: isLocked)
      try cancel(test, as: nil)
      try cancel(test, as: nil)
      try cancel(test, as: "Git")
      #expect(try !isAsked(test, as: "Git"))
      #expect(try isAsked(test, as: nil))
    }
  }

  @Test("a command in the background is not asked about after a Cancel")
  func background() throws {
    let test = core(isCommand: true, isLocked: true)
    try cancel(test, as: "Git")
    let client = try test.greetedClient()
    try client.ask(get, options(nil, isSeen: false), unlocks: true)
    #expect(try !isPrompted(client))
  }
}
