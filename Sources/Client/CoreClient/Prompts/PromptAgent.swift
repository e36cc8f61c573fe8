import Glibc
import LinuxSystem
package import Protocol

/// Asks a person: shows the prompts of requests and answers them, on a terminal, in a window, or
/// with given answers (docs/architecture.md).
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
  /// Descriptors that the agent watches: keys, signals.
  var watchedDescriptors: [Int32] { get }
  /// One of them can be read.
  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure)
  /// When to call ``timePassed()`` if nothing happens until then; nil for never.
  var wakesAt: ContinuousClock.Instant? { get }
  /// That moment has come.
  func timePassed()
  /// The request is over, however it ended: takes every prompt away.
  func requestEnded()
  /// Stops the program until the shell continues it, if the request was withdrawn for that (Ctrl-Z:
  /// a job in the background gets no touch).
  /// - Returns: whether it was stopped, and the request is to be sent again if it failed.
  /// - Throws: `notInteractive` if the program goes on in the background.
  func suspend() throws(Failure) -> Bool
}

extension PromptAgent {
  package func requestBegins() throws(Failure) {}
  package var wakesAt: ContinuousClock.Instant? { nil }
  package func timePassed() {}
  package func suspend() throws(Failure) -> Bool { false }

  /// Sends a request, and sends it again if the program was suspended meanwhile.
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
        // The reply was quicker than the withdrawal.
        _ = try suspend()
        return reply
      } catch {
        guard error.code == .appCancel, try suspend() else { throw error }
      }
    }
  }
}

/// The file that `AUTHCORE_ASKED` names, which gets a line for each prompt: tests count there how
/// often a person is asked.
enum AskedRecord {
  static func note(_ prompt: Prompt) {
    guard let path = EnvironmentVariable.value(of: "AUTHCORE_ASKED"), !path.isEmpty else { return }
    let number = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    let line = "\(prompt.matter) \(prompt.reason.withoutSteering)\n"
    _ = DescriptorBytes.write(Array(line.utf8).span, to: file.number)
  }
}

/// What an agent can do while a request is under way.
package protocol PromptConversation: AnyObject {
  /// Answers a prompt. An answer to one that is over is ignored by the core.
  func answer(_ answer: borrowing PromptAnswer) throws(Failure)
  /// Ends the request, which then fails with `appCancel`.
  func cancelRequest() throws(Failure)
}

extension Failure {
  /// The failure of a request that the program cancelled.
  static var requestCancelled: Failure {
    Failure(.appCancel, "The request was cancelled")
  }

  /// The failure of a program that was suspended while it asked and goes on in the background.
  static var wentToBackground: Failure {
    Failure(
      .notInteractive, "The command was asking, and went on in the terminal's background",
      hint: "Run it again in the foreground.")
  }
}
