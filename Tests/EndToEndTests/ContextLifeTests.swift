import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Contexts that outlive a request, through the programs", .timeLimit(.minutes(15)))
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
    reason: "to test", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 20_000,
    mayPrompt: true, touch: .person, canGivePasscode: true, prefersPasscode: false,
    mayUseAgent: false)

  private func connect(to state: TestHome) throws -> CoreConnection {
    try CoreAccess(to: .folder(state.home), program: Products.program("authcored")).connect()
  }

  /// The group that the command and this process, which is another application, both name.
  private static let group = "contexts"

  /// An item behind the passcode, of a class that is open while the device is locked.
  private func addItem(to state: TestHome) throws {
    let set = try state.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    let add = try state.authcore(
      "item", "add", "--service", "vault", "--group", Self.group, "--access", "passcode",
      "--accessible", "after-first-unlock-this-device-only", secret: "gold")
    #expect(add.status == 0, "\(add.account)")
  }

  /// Why the item does not open in a context; nil where it does.
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
      let lock = try state.authcore("lock")
      #expect(lock.status == 0, "\(lock.account)")
    }
    #expect(isOverByLock)
    let isOverByChange = try isOver { _ in
      let change = try state.authcore(
        "passcode", "change", passcode: TestHome.passcode, newPasscode: "rose 77")
      #expect(change.status == 0, "\(change.account)")
      agent.passcode = "rose 77"
    }
    #expect(isOverByChange)
    #expect(agent.prompts == expected, "what is over prompts for nothing")
  }

  @Test("a context ends when the device locks by itself, however busy its client is")
  func lockAfter() throws {
    let state = try TestHome()
    // By a core of its own: on a busy machine the device would be locked before the item is added.
    try addItem(to: state)
    #expect(try state.authcore("quit").status == 0)
    let server = try state.serve(lockAfter: 2)
    let connection = try connect(to: state)
    let agent = PasscodeAgent()
    let deadline = ContinuousClock.now + .seconds(60)
    var context = try connection.openContext()
    // Again where the device was locked before the first answer.
    while refusal(connection, in: context.number, agent) != nil, ContinuousClock.now < deadline {
      let unlock = try state.authcore("unlock", passcode: TestHome.passcode)
      #expect(unlock.status == 0, "\(unlock.account)")
      context = try connection.openContext()
    }
    let prompts = agent.prompts
    var refused: FailureCode?
    while refused == nil, ContinuousClock.now < deadline {
      refused = refusal(connection, in: context.number, agent)
    }
    #expect(refused == .invalidContext)
    #expect(prompts > 0 && agent.prompts == prompts, "what is over prompts for nothing")
    #expect(try state.authcore("quit").status == 0)
    server.waitUntilExit()
  }
}
