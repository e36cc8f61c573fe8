import LinuxSystem
import Protocol

/// Shows the prompts of one evaluation: the client itself, or an agent instead. Used by the
/// request's thread.
protocol Prompter: AnyObject {
  /// How the request may prompt through this prompter.
  var options: PromptOptions { get }
  /// How long a prompt may take to be shown, in milliseconds; nil for the request's own time.
  var showMilliseconds: UInt32? { get }
  /// Waits for the turn, before a sensor is opened or a prompt shown.
  func begin() throws(Failure)
  /// Shows a prompt instead of the previous one.
  func show(_ content: PromptContent) throws(Failure)
  func tell(_ event: Progress.Event) throws(Failure)
  /// A prompt was not shown in time, so this prompter is not used again.
  /// - Returns: what the evaluation ends with.
  func giveUp() -> Failure
}

final class ClientPrompter: Prompter {
  let options: PromptOptions
  private let call: Call
  private let subject: PromptSubject

  init(_ call: Call, _ options: PromptOptions, _ subject: PromptSubject) {
    self.call = call
    self.options = options
    self.subject = subject
  }

  var showMilliseconds: UInt32? { nil }

  func begin() {}

  func show(_ content: PromptContent) throws(Failure) {
    let number = UInt32(truncatingIfNeeded: call.prompts.next())
    // Before it is sent: the answer may come at once.
    call.inbox.expectAnswers(to: .ofClient(number))
    try call.send(Prompt(prompt: number, content, options, subject, for: call.link))
  }

  func tell(_ event: Progress.Event) throws(Failure) { try call.send(Progress(event)) }
  func giveUp() -> Failure { Failure(.timedOut, "the prompt was not shown") }
}

/// An agent, which shows the prompts of a client that cannot ask a person itself.
final class AgentPrompter: Prompter {
  let options: PromptOptions
  private let call: Call
  private let subject: PromptSubject
  private let agent: ServingAgent
  private var hasTurn = false
  private var prompt: UInt32?

  init(
    _ call: Call, _ options: PromptOptions, _ subject: PromptSubject, _ agent: ServingAgent,
    _ touch: AwaitedTouch
  ) {
    self.call = call
    self.subject = subject
    self.options = options.answeredByPerson(awaiting: touch)
    self.agent = agent
  }

  var showMilliseconds: UInt32? { call.core.limits.agentShowMilliseconds }

  func begin() throws(Failure) {
    guard !hasTurn else { return }
    try call.core.agents.begin(call.inbox, with: agent)
    hasTurn = true
  }

  func show(_ content: PromptContent) throws(Failure) {
    let number = call.core.agents.nextPrompt(of: call.inbox)
    prompt = number
    let message = Prompt(prompt: number, content, options, subject, for: call.link)
    guard agent.send(message) else { throw PromptAgents.lost }
  }

  func tell(_ event: Progress.Event) throws(Failure) {
    guard agent.send(Progress(event)) else { throw PromptAgents.lost }
  }

  func giveUp() -> Failure {
    drop()
    return PromptAgents.lost
  }

  func drop() {
    call.core.agents.remove(agent)
    agent.link.disconnect()
  }

  func end(_ failure: Failure?) {
    guard hasTurn else { return }
    hasTurn = false
    // The next request's prompt must not overtake the end of this one's.
    defer { call.core.agents.end(call.inbox) }
    guard let prompt else { return }
    let outcome: AgentPromptEnded.Outcome =
      switch failure?.code {
      case nil: .proved
      case .authenticationFailed, .biometryLockout: .refused
      default: .withdrawn
      }
    _ = agent.send(AgentPromptEnded(prompt: prompt, outcome: outcome))
  }
}

extension PromptOptions {
  /// The same options with a person who sees the prompts.
  fileprivate func answeredByPerson(awaiting touch: AwaitedTouch) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds, mayPrompt: true, touch: touch,
      canGivePasscode: true, prefersPasscode: prefersPasscode, mayUseAgent: true,
      applicationName: applicationName)
  }
}

/// What a prompt is about, according to the core and the keychain, and not to the client.
struct PromptSubject: Equatable, Sendable {
  let matter: PromptMatter
  /// The name of the item or key, if it is known.
  var item: String?
  /// Which item or key it is, whatever its name is; empty if it is none.
  var identity: [UInt8] = []
  /// Whether the proof also unlocks the device.
  var unlocks = false

  init(_ matter: PromptMatter) { self.matter = matter }

  init(_ engine: AddressedEngine, _ message: UInt8) {
    self.init(Self.matters[engine]?[message] ?? .access)
  }

  private static let matters: [AddressedEngine: [UInt8: PromptMatter]] = {
    var matters: [AddressedEngine: [UInt8: PromptMatter]] = [:]
    func add<Message: EngineMessage & ~Copyable>(_ type: Message.Type, _ matter: PromptMatter) {
      matters[Message.engine, default: [:]][Message.number] = matter
    }
    add(GetItem.self, .secret)
    add(UpdateItems.self, .change)
    add(ShareItem.self, .change)
    add(UseKey.self, .key)
    add(GiveBackupKey.self, .backup)
    add(BackUpItems.self, .backup)
    add(FindItemsOfApplication.self, .application)
    add(ForgetApplication.self, .application)
    add(RenameFinger.self, .fingers)
    add(RemoveFinger.self, .fingers)
    add(ChangeSettings.self, .settings)
    return matters
  }()
}

extension Prompt {
  init(
    prompt: UInt32, _ content: PromptContent, _ options: PromptOptions, _ subject: PromptSubject,
    for client: ClientLink
  ) {
    self.init(
      prompt: prompt, awaitsTouch: content.awaitsTouch, fallback: content.fallback,
      fallbackTitle: options.fallbackTitle, cancelTitle: options.cancelTitle,
      reason: options.reason, refusedPasscodes: content.refusedPasscodes, secret: content.secret,
      matter: subject.matter, item: subject.item, unlocks: subject.unlocks,
      application: client.askerName, nameProtects: client.program?.nameProtects ?? false,
      claimedName: client.door == nil ? options.applicationName : nil, door: client.door)
  }
}
