import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Local authentication, through the command", .timeLimit(.minutes(60)))
struct AuthenticationTests {
  @Test("L6: an empty reason is an error")
  func emptyReason() throws {
    let state = try TestHome()
    try state.authcore("auth", "--reason", "").expect(status: 64, error: "invalidReason")
  }

  @Test("L2: whether the device can is told with the reason why not, in the order of the contract")
  func canEvaluate() throws {
    let state = try TestHome()
    func can(_ policy: String, driver: Bool) throws -> CommandRun {
      let sensor = driver ? ["--driver", try state.ownerTouch()] : []
      return try state.authcore(sensor + ["auth", "--can", "--policy", policy])
    }
    #expect(try can("owner", driver: true).errorName == "passcodeNotSet")
    #expect(try can("biometrics", driver: false).errorName == "biometryNotAvailable")
    #expect(try can("biometrics", driver: true).errorName == "biometryNotEnrolled")
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    let readerless = try can("owner", driver: false)
    #expect(readerless.json["can"]?.bool == true, "\(readerless.account)")
    #expect(readerless.json["biometryType"]?.string == "none")
    // A reader counts even without a finger.
    #expect(try can("owner", driver: true).json["biometryType"]?.string == "touchID")
    try state.enroll(Array(Prints.owner.get().prefix(5)))
    let able = try can("biometrics", driver: true).expectSuccess()
    #expect(able.json["biometryType"]?.string == "touchID")
    // Before the first unlock of a new core nothing can be matched.
    try state.succeed("quit")
    #expect(try can("biometrics", driver: true).errorName == "biometryLockout")
  }

  @Test("L4: the fallback of biometrics is the application's, the owner policy's is the passcode")
  func fallback() throws {
    let state = try TestHome.enrolled()
    try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "auth", "--policy", "biometrics",
      "--reason", "x"
    ).expect(status: 1, error: "userFallback")
    let owner = try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "fallback", "auth", "--reason", "x",
      passcode: TestHome.passcode)
    #expect(owner.json["by"]?.string == "passcode", "\(owner.account)")
  }

  @Test("L10: cancelling is told apart")
  func cancel() throws {
    let state = try TestHome.enrolled()
    try state.authcore(
      "--driver", state.ownerTouch(), "--answer", "cancel", "auth", "--reason", "x"
    ).expect(status: 1, error: "userCancel")
  }

  @Test("L10: no touch ends as a timeout, and a passcode at hand is not volunteered")
  func timeout() throws {
    let state = try TestHome.enrolled()
    try state.authcore(
      "--driver", state.tape(["noise too-dry", "wait 250ms"]), "auth", "--reason", "x",
      passcode: TestHome.passcode
    ).expect(status: 1, error: "timedOut")
  }

  @Test("A4: unplugging during a touch offers the passcode")
  func unplug() throws {
    let state = try TestHome.enrolled()
    let owner = try state.succeed(
      "--driver", state.tape(["unplug"]), "auth", "--reason", "x", passcode: TestHome.passcode)
    #expect(owner.json["by"]?.string == "passcode")
    try state.authcore(
      "--driver", state.tape(["unplug"]), "auth", "--policy", "biometrics", "--reason", "x"
    ).expect(error: "biometryDisconnected")
  }

  @Test("A6: without a terminal and without a passcode a command that needs one says so")
  func notInteractive() throws {
    let state = try TestHome.withPasscode()
    let auth = try state.authcore("auth", "--reason", "x")
    #expect(auth.status == 2, "\(auth.account)")
    #expect(auth.errorName == "notInteractive")
    #expect(auth.json["error"]?["code"]?.number == -1004)
  }

  @Test("L10: a wrong passcode is authenticationFailed")
  func wrongPasscode() throws {
    let state = try TestHome.withPasscode()
    try state.authcore("auth", "--reason", "x", passcode: "wrong").expect(
      status: 1, error: "authenticationFailed")
  }

  @Test("a refused frame is no miss, and the next touch counts")
  func retries() throws {
    let state = try TestHome.enrolled()
    let touch = try Prints.owner.get()[7].path
    try state.succeed(
      "--driver",
      state.tape(["noise too-dry", "noise center", "noise too-wet", "noise lift", "touch \(touch)"]
      ), "auth", "--policy", "biometrics", "--reason", "x")
    #expect(try state.authcore("status").json["biometry"]?["failures"]?.number == 0)
  }

  @Test("prints of a synthetic driver never match a finger of a real one")
  func syntheticNeverMatchesReal() throws {
    let state = try TestHome.enrolled()
    try state.authcore("--driver", "replay", "auth", "--policy", "biometrics", "--reason", "x")
      .expect(error: "biometryNotEnrolled")
  }
}

@Suite("Contexts that outlive a request, through the programs", .timeLimit(.minutes(60)))
struct ContextLifeTests {
  /// Answers every prompt with the passcode, and counts them.
  private final class PasscodeAgent: PromptAgent {
    var passcode = TestHome.passcode
    private(set) var prompts = 0

    func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
      prompts += 1
      let bytes = Array(passcode.utf8)
      try conversation.answer(
        PromptAnswer(
          prompt: prompt.prompt, kind: .passcode, passcode: SecretBytes(copying: bytes.span)))
    }

    func tell(_ progress: Protocol.Progress.Event) {}
    var watchedDescriptors: [Int32] { [] }
    func descriptorIsReady(
      _ number: Int32, in conversation: any PromptConversation
    ) throws(Failure) {}
    func requestEnded() {}
  }

  private static let options = PromptOptions(
    reason: "to test", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 240_000,
    mayPrompt: true, touch: .person, canGivePasscode: true, prefersPasscode: false,
    mayUseAgent: false)

  private func connect(to state: TestHome) throws -> CoreConnection {
    try CoreAccess(to: .folder(state.home), program: Products.program("authcored")).connect()
  }

  /// The group that the command and this process, another application, share.
  private static let group = "contexts"

  /// Adds an item behind the passcode that stays open while the device is locked.
  private func addItem(to state: TestHome) throws {
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    try state.succeed(
      "item", "add", "--service", "vault", "--group", Self.group, "--access", "passcode",
      "--accessible", "after-first-unlock-this-device-only", secret: "gold")
  }

  /// Why the item does not open in a context, or nil if it does.
  private func refusal(
    _ connection: CoreConnection, in context: UInt64, _ agent: PasscodeAgent
  ) -> FailureCode? {
    var query = ItemQuery()
    query.service = "vault"
    query.group = Self.group
    do throws(Failure) {
      let got: GotItem = try connection.ask(
        GetItem(query: query), Self.options, in: context, agent: agent)
      let isGold = got.secret.isEqual(to: Array("gold".utf8).span)
      #expect(isGold)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("E4 ATTACKS 4: one passcode serves a connection until something ends its context")
  func life() throws {
    let state = try TestHome()
    try addItem(to: state)
    let connection = try connect(to: state)
    let stranger = try connect(to: state)
    let agent = PasscodeAgent()
    var expected = 0

    func isOver(after end: (borrowing AuthenticationContext) throws -> Void) throws -> Bool {
      let context = try connection.openContext()
      for _ in 0..<3 { #expect(refusal(connection, in: context.number, agent) == nil) }
      expected += 1
      #expect(agent.prompts == expected, "one prompt for each context")
      #expect(refusal(stranger, in: context.number, agent) == .invalidContext)
      try end(context)
      return refusal(connection, in: context.number, agent) == .invalidContext
    }

    let isOverByItself = try isOver { context in
      let _: Done = try connection.request(InvalidateContext(context: context.number))
    }
    #expect(isOverByItself)
    let isOverByLock = try isOver { _ in
      try state.succeed("lock")
    }
    #expect(isOverByLock)
    let isOverByChange = try isOver { _ in
      try state.succeed("passcode", "change", passcode: TestHome.passcode, newPasscode: "rose 77")
      agent.passcode = "rose 77"
    }
    #expect(isOverByChange)
    #expect(agent.prompts == expected, "what is over prompts for nothing")
  }

  @Test("a context ends when the device locks by itself, however busy its client is")
  func lockAfter() throws {
    let state = try TestHome()
    // Another core adds the item: on a busy machine this one would lock the device first.
    try addItem(to: state)
    try state.succeed("quit")
    let server = try state.serve(lockAfter: 2)
    let connection = try connect(to: state)
    let agent = PasscodeAgent()
    let deadline = ContinuousClock.now + .seconds(300)
    var context = try connection.openContext()
    // Again if the device was locked before the first answer.
    while refusal(connection, in: context.number, agent) != nil, ContinuousClock.now < deadline {
      try state.succeed("unlock", passcode: TestHome.passcode)
      context = try connection.openContext()
    }
    let prompts = agent.prompts
    var refused: FailureCode?
    while refused == nil, ContinuousClock.now < deadline {
      refused = refusal(connection, in: context.number, agent)
    }
    #expect(refused == .invalidContext)
    #expect(prompts > 0 && agent.prompts == prompts, "what is over prompts for nothing")
    try state.succeed("quit")
    server.waitUntilExit()
  }
}
