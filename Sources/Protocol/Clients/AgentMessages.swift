/// Makes this connection the agent of its user: it is sent the prompts of requests whose own client
/// can ask nobody, one at a time, each as an ``AgentPrompt`` under the id of this request, with the
/// ``Progress`` under it. It answers with ``PromptAnswer`` under the same id. Stays unanswered while
/// the connection serves so; ended by ``Cancel``. Failures: `errSecMissingEntitlement` for whatever
/// is not the `authcore-agent` that lies beside the core, `busy` where there are too many.
package struct BecomeAgent: WireMessage, Equatable {
  package static var number: UInt8 { 62 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// Core → agent, under the id of ``BecomeAgent``: show this, in place of the prompt before. One that
/// is not shown within 5 s is shown by nobody, and the connection ends.
package struct AgentPrompt: WireMessage, Equatable {
  package static var number: UInt8 { 63 }

  /// Who asks, as the kernel says; empty where it does not.
  package let application: String
  /// How that application calls itself.
  package let claimedName: String?
  /// Numbers the prompts of this agent.
  package let prompt: UInt32
  /// Else it asks for the ``secret``.
  package let awaitsTouch: Bool
  package let fallback: PromptFallback
  package let fallbackTitle: String?
  package let cancelTitle: String?
  package let reason: String
  /// Wrong ones given in this request.
  package let refusedPasscodes: UInt32
  /// What is asked for, or can be typed in place of the touch.
  package let secret: PromptedSecret

  package init(application: String, claimedName: String?, _ prompt: Prompt) {
    self.application = application
    self.claimedName = claimedName
    self.prompt = prompt.prompt
    awaitsTouch = prompt.awaitsTouch
    fallback = prompt.fallback
    fallbackTitle = prompt.fallbackTitle
    cancelTitle = prompt.cancelTitle
    reason = prompt.reason
    refusedPasscodes = prompt.refusedPasscodes
    secret = prompt.secret
  }

  /// The prompt as a client's own is.
  package var content: Prompt {
    Prompt(
      prompt: prompt, awaitsTouch: awaitsTouch, fallback: fallback, fallbackTitle: fallbackTitle,
      cancelTitle: cancelTitle, reason: reason, refusedPasscodes: refusedPasscodes, secret: secret)
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      application, claimedName, prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason)
    encoder.write(refusedPasscodes, secret)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      application, claimedName, prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason
    ) = try decoder.read()
    (refusedPasscodes, secret) = try decoder.read()
  }
}

/// Core → agent, under the id of ``BecomeAgent``: the last prompt is over.
package struct AgentPromptEnded: WireMessage, Equatable {
  package static var number: UInt8 { 65 }

  /// Why it is.
  package enum Outcome: UInt8, CaseIterable, WireField {
    /// What was asked for is proved.
    case proved = 1
    /// It is not, and no further try is left.
    case refused = 2
    /// Nobody needs an answer any more.
    case withdrawn = 3
  }

  package let prompt: UInt32
  package let outcome: Outcome

  package init(prompt: UInt32, outcome: Outcome) {
    self.prompt = prompt
    self.outcome = outcome
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(prompt, outcome)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (prompt, outcome) = try decoder.read()
  }
}
