package import Protocol

/// Shows prompts to a person and answers them, on behalf of one connection (ARCHITECTURE.md,
/// "Prompts").
///
/// All calls come from the thread that made the request, while the request is under way.
package protocol PromptAgent: AnyObject {
  /// A prompt appears, in place of an earlier one of the same request.
  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure)
  /// Something happened that the person should see.
  func tell(_ progress: Progress.Event)
  /// Descriptors on which something may happen that the agent wants to hear of: keys, signals.
  var watchedDescriptors: [Int32] { get }
  /// One of them can be read.
  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure)
  /// When the agent wants to be called if nothing happens until then; nil: it need not be.
  var wakesAt: ContinuousClock.Instant? { get }
  /// That moment has come.
  func timePassed()
  /// The request is over, however it ended: takes every prompt away.
  func requestEnded()
}

extension PromptAgent {
  package var wakesAt: ContinuousClock.Instant? { nil }
  package func timePassed() {}
}

/// What an agent can say while a request is under way.
package protocol PromptConversation: AnyObject {
  /// Answers a prompt. An answer to one that is over is ignored by the core.
  func answer(_ answer: borrowing PromptAnswer) throws(Failure)
  /// Ends the request, which then fails with `appCancel`.
  func cancelRequest() throws(Failure)
}

extension Failure {
  /// What a request fails with that another thread, or the program itself, wants no more.
  package static var requestCancelled: Failure {
    Failure(.appCancel, "The request was cancelled")
  }
}
