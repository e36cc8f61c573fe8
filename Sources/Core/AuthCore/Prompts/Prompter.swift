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
