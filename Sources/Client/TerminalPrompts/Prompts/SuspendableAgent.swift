package import CoreConnections
package import Protocol

/// An agent whose request is withdrawn when the person suspends the program (Ctrl-Z): a job that is
/// not in the foreground gets no touch.
package protocol SuspendableAgent: PromptAgent {
  /// A request is about to be sent.
  /// - Throws: `appCancel` where it is not to be.
  func requestBegins() throws(Failure)
  /// Stops the program where the request that is over was withdrawn for that, until the shell
  /// continues it.
  /// - Returns: whether it was, and the request is to be sent again if it failed.
  /// - Throws: `notInteractive` where the program goes on in the background.
  func suspend() throws(Failure) -> Bool
}

extension SuspendableAgent {
  /// Sends a request, and sends it again when the program goes on that was suspended meanwhile.
  /// - Parameter send: sends it with this agent, and waits for its reply.
  /// - Returns: the reply.
  /// - Throws: what `send` throws, and `notInteractive` where the program goes on in the background.
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

extension Failure {
  /// What a program is told that was suspended while it asked, and goes on where nobody is asked.
  package static var wentToBackground: Failure {
    Failure(
      .notInteractive, "The command was asking, and went on in the terminal's background",
      hint: "Run it again in the foreground.")
  }
}
