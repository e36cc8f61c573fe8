import LinuxSystem
import Protocol

/// Who shows the prompts of one evaluation: the client itself, or an agent in its place.
///
/// Used by the thread that runs the request.
protocol Prompter: AnyObject {
  /// How the request may prompt, with this one to do it.
  var options: PromptOptions { get }
  /// How long a prompt may take to be shown, in milliseconds, where that is less than the request's
  /// own time.
  var showMilliseconds: UInt32? { get }
  /// Called before a sensor is opened and before a prompt is shown: waits for its turn.
  func begin() throws(Failure)
  /// Shows a prompt, in place of the one before.
  func show(_ content: PromptContent) throws(Failure)
  /// Says what happens while a touch is awaited.
  func tell(_ event: Progress.Event) throws(Failure)
  /// A prompt was not shown in time: nothing more is asked here.
  /// - Returns: what the evaluation ends with.
  func giveUp() -> Failure
}

/// The client, which shows its prompts itself.
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
    // Before it is sent: its answer may come at once.
    call.inbox.expectAnswers(to: .ofClient(number))
    try call.send(Prompt(prompt: number, content, options, subject, for: call.link))
  }

  func tell(_ event: Progress.Event) throws(Failure) { try call.send(Progress(event)) }

  func giveUp() -> Failure { Failure(.timedOut, "the prompt was not shown") }
}

/// An agent, which shows the prompts of a client that can ask nobody itself.
final class AgentPrompter: Prompter {
  let options: PromptOptions
  private let call: Call
  private let subject: PromptSubject
  private let agent: ServingAgent
  private var hasTurn = false
  /// The prompt on view.
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

  /// Asks this agent no more.
  func drop() {
    call.core.agents.remove(agent)
    agent.link.disconnect()
  }

  /// The evaluation is over, with this failure or without one.
  func end(_ failure: Failure?) {
    guard hasTurn else { return }
    hasTurn = false
    // The next one's prompt must not overtake the end of this one's.
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
  /// The same request with somebody who sees its prompts.
  fileprivate func answeredByPerson(awaiting touch: AwaitedTouch) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: cancelTitle,
      timeoutMilliseconds: timeoutMilliseconds, mayPrompt: true, touch: touch,
      canGivePasscode: true, prefersPasscode: prefersPasscode, mayUseAgent: true,
      applicationName: applicationName)
  }
}

/// What a prompt is about, by the word of the core and of the keychain: nobody who asks has a say in it.
struct PromptSubject: Equatable, Sendable {
  let matter: PromptMatter
  /// How the item or the key is called that is meant, where that is known.
  var item: String?
  /// Whether what is proved unlocks the device for the request.
  var unlocks = false

  /// A subject that is no item.
  init(_ matter: PromptMatter) { self.matter = matter }

  /// What a message to an engine is about.
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
  /// A prompt of this content, for what a client asks.
  init(
    prompt: UInt32, _ content: PromptContent, _ options: PromptOptions, _ subject: PromptSubject,
    for client: ClientLink
  ) {
    self.init(
      prompt: prompt, awaitsTouch: content.awaitsTouch, fallback: content.fallback,
      fallbackTitle: options.fallbackTitle, cancelTitle: options.cancelTitle,
      reason: options.reason, refusedPasscodes: content.refusedPasscodes, secret: content.secret,
      matter: subject.matter, item: subject.item, unlocks: subject.unlocks,
      application: client.application, nameProtects: client.program?.nameProtects ?? false,
      claimedName: options.applicationName)
  }
}
