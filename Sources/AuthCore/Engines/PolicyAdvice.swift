package import EngineKit
package import Wire

/// The policy engine: what is the next step?
package struct PolicyAdvice: Sendable {
  /// The engine's file.
  package let path: String
  private let exchange: @Sendable (consuming SecretBytes) throws(Failure) -> SecretBytes

  /// The engine behind the mailbox `exchange`.
  package init(
    path: String,
    exchange: @escaping @Sendable (consuming SecretBytes) throws(Failure) -> SecretBytes
  ) {
    self.path = path
    self.exchange = exchange
  }

  /// What the policy advises. Any thread.
  package func step(_ question: PolicyQuestion) throws(Failure) -> PolicyStep.Action {
    let reply = try exchange(question.encoded())
    return try EngineAnswer.decode(reply, as: PolicyStep.self, from: "policy").action
  }
}
