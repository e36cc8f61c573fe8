/// Whose touch a request may wait for. What a tape plays is nobody's.
package enum AwaitedTouch: UInt8, CaseIterable, WireField {
  /// None: the client runs in the background of its terminal, or its request must not prompt.
  case none = 1
  /// Only what a tape plays: nobody is at the reader who could be asked.
  case played = 2
  /// That of the person who sees the client's prompt.
  case person = 3
  /// Anybody's: nobody sees a prompt, and the client says that one is awaited all the same
  /// (`--unattended`).
  case unattended = 4
}

/// How a request that may prompt wants to be prompted for.
package struct PromptOptions: Equatable, WireField {
  /// What the person is asked to permit; shown in the prompt. It has visible characters; empty where
  /// the request says enough. In its place the prompt for an item says how that is called.
  package let reason: String
  /// Empty: no fallback button (`localizedFallbackTitle`).
  package let fallbackTitle: String?
  package let cancelTitle: String?
  /// How long anybody waits for a touch or an answer at most, in milliseconds: a day.
  package static let longestTimeoutMilliseconds: UInt32 = 86_400_000

  /// Waiting for a touch; 0: as long as the core usually waits. Longer than
  /// ``longestTimeoutMilliseconds`` counts as that.
  package let timeoutMilliseconds: UInt32
  /// A person in the client's foreground, or something that was given, answers prompts (A6).
  package let mayPrompt: Bool
  package let touch: AwaitedTouch
  /// A terminal, a descriptor or a file can give one.
  package let canGivePasscode: Bool
  /// `unlock`: a passcode was given and is to be used at once.
  package let prefersPasscode: Bool
  /// Where the client can ask nobody itself, the agent of the person's session may: false where the
  /// request must not prompt, and where the person sits elsewhere.
  package let mayUseAgent: Bool
  /// How the application calls itself, for an agent to say beside the name that the core knows it
  /// by.
  package let applicationName: String?

  package init(
    reason: String, fallbackTitle: String?, cancelTitle: String?, timeoutMilliseconds: UInt32,
    mayPrompt: Bool, touch: AwaitedTouch, canGivePasscode: Bool, prefersPasscode: Bool,
    mayUseAgent: Bool, applicationName: String? = nil
  ) {
    self.reason = reason
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
    self.timeoutMilliseconds = timeoutMilliseconds
    self.mayPrompt = mayPrompt
    self.touch = touch
    self.canGivePasscode = canGivePasscode
    self.prefersPasscode = prefersPasscode
    self.mayUseAgent = mayUseAgent
    self.applicationName = applicationName
  }

  /// For requests that must not prompt: one that would have to fails.
  package static let none = PromptOptions(
    reason: "", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 0, mayPrompt: false,
    touch: .none, canGivePasscode: false, prefersPasscode: false, mayUseAgent: false)

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      reason, fallbackTitle, cancelTitle, timeoutMilliseconds, mayPrompt, touch, canGivePasscode,
      prefersPasscode, mayUseAgent, applicationName)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      reason, fallbackTitle, cancelTitle, timeoutMilliseconds, mayPrompt, touch, canGivePasscode,
      prefersPasscode, mayUseAgent, applicationName
    ) = try decoder.read()
  }
}

/// What is typed into a prompt.
package enum PromptedSecret: UInt8, CaseIterable, WireField {
  /// The owner's passcode.
  case passcode = 1
  /// The password that was chosen for the item or the key.
  case appPassword = 2
}

/// Core → client: show this. The client answers with ``PromptAnswer``; a capture starts only after
/// `shown`.
package struct Prompt: WireMessage, Equatable {
  package static var number: UInt8 { 8 }

  /// Numbers the prompts of a request.
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

  package init(
    prompt: UInt32, awaitsTouch: Bool, fallback: PromptFallback, fallbackTitle: String?,
    cancelTitle: String?, reason: String, refusedPasscodes: UInt32,
    secret: PromptedSecret = .passcode
  ) {
    self.prompt = prompt
    self.awaitsTouch = awaitsTouch
    self.fallback = fallback
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
    self.reason = reason
    self.refusedPasscodes = refusedPasscodes
    self.secret = secret
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason, refusedPasscodes, secret)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (prompt, awaitsTouch, fallback, fallbackTitle, cancelTitle, reason, refusedPasscodes, secret) =
      try decoder.read()
  }
}

/// Ends the request of this id, which then fails with `appCancel`. Has no reply of its own.
package struct Cancel: WireMessage, Equatable {
  package static var number: UInt8 { 10 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}
