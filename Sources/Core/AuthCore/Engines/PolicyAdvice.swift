import Protocol

/// The policy engine: what is the next step?
package struct PolicyAdvice: Sendable {
  /// The engine's file.
  package let path: String
  private let engine: EngineThread

  /// The engine on its thread.
  package init(path: String, engine: EngineThread) {
    self.path = path
    self.engine = engine
  }

  /// What the policy advises. Any thread; `inbox` is where the request that asks hears that it is
  /// interrupted.
  func step(
    _ question: PolicyQuestion, for inbox: RequestInbox? = nil
  ) throws(Failure) -> PolicyStep.Action {
    try engine.call(inbox) { () throws(Failure) in
      question.encoded()
    } read: { (reply) throws(Failure) in
      try EngineAnswer.decode(reply, as: PolicyStep.self, from: "policy").action
    }
  }
}
