import ClientProtocol
import EngineKit
import Wire

/// The prompt of one request: what the client shows. A new one is sent only when something about it changes.
struct PromptBoard {
  private struct Content: Equatable {
    let awaitsTouch: Bool
    let fallback: PromptFallback
    let refusedPasscodes: UInt32
  }

  private let call: Call
  private let options: PromptOptions
  /// How long the client may take to show a prompt: as long as a touch is waited for.
  let showMilliseconds: UInt32
  private var content: Content?
  /// The client has said that the prompt is on the screen.
  private(set) var isShown = false

  /// No prompt yet.
  init(_ call: Call, _ options: PromptOptions) {
    self.call = call
    self.options = options
    showMilliseconds =
      options.timeoutMilliseconds == 0
      ? call.core.limits.touchMilliseconds : options.timeoutMilliseconds
  }

  /// Asks for a touch.
  mutating func askForTouch(
    fallback: PolicyStep.Fallback, refusedPasscodes: UInt32
  ) throws(Failure) {
    let fallback: PromptFallback =
      switch fallback {
      case .hidden: .hidden
      case .application: .application
      case .passcode: .passcode
      }
    try show(
      Content(awaitsTouch: true, fallback: fallback, refusedPasscodes: refusedPasscodes))
  }

  /// Asks for the passcode.
  mutating func askForPasscode(refusedPasscodes: UInt32) throws(Failure) {
    try show(Content(awaitsTouch: false, fallback: .hidden, refusedPasscodes: refusedPasscodes))
  }

  private mutating func show(_ wanted: Content) throws(Failure) {
    guard wanted != content else { return }
    content = wanted
    isShown = false
    let number = call.prompts.next()
    // Before it is sent: its answer may come at once.
    call.inbox.expectAnswers(to: number)
    try call.send(
      Prompt(
        prompt: number, awaitsTouch: wanted.awaitsTouch, fallback: wanted.fallback,
        fallbackTitle: options.fallbackTitle, cancelTitle: options.cancelTitle,
        reason: options.reason, refusedPasscodes: wanted.refusedPasscodes))
  }

  /// The client said so, or did what it could only do then.
  mutating func markShown() { isShown = true }
}
