package import Protocol

/// Asks a person: shows the prompts of requests and answers them, on a terminal, in a window, or with
/// what was given beforehand (docs/architecture.md).
///
/// All calls come from the thread that made the request, while the request is under way.
package protocol PromptAgent: AnyObject {
  /// A request is about to be sent.
  /// - Throws: `appCancel` if it is not to be.
  func requestBegins() throws(Failure)
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
  /// Stops the program if the request that is over was withdrawn for that (Ctrl-Z: a job that is not
  /// in the foreground gets no touch), until the shell continues it.
  /// - Returns: whether it was, and the request is to be sent again if it failed.
  /// - Throws: `notInteractive` if the program goes on in the background.
  func suspend() throws(Failure) -> Bool
}

extension PromptAgent {
  package func requestBegins() throws(Failure) {}
  package var wakesAt: ContinuousClock.Instant? { nil }
  package func timePassed() {}
  package func suspend() throws(Failure) -> Bool { false }

  /// Sends a request, and sends it again when the program goes on that was suspended meanwhile.
  /// - Parameter send: sends it with this agent, and waits for its reply.
  /// - Returns: the reply.
  /// - Throws: what `send` throws, and `notInteractive` if the program goes on in the background.
  package func carryOut<Reply: ~Copyable>(
    _ send: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    while true {
      do throws(Failure) {
        try requestBegins()
        let reply = try send()
        // It was quicker than its withdrawal.
        _ = try suspend()
        return reply
      } catch {
        guard error.code == .appCancel, try suspend() else { throw error }
      }
    }
  }
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

  /// What a program is told that was suspended while it asked, and goes on if nobody is asked.
  package static var wentToBackground: Failure {
    Failure(
      .notInteractive, "The command was asking, and went on in the terminal's background",
      hint: "Run it again in the foreground.")
  }
}
