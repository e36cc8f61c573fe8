package import Protocol

/// Answers the prompts of one request: what was given on the command line first, then what the
/// person types (CLI.md, "Passcodes", "--answer").
///
/// A value without input or output, so that every rule can be tested: prompts and keys go in,
/// actions come out. It knows how much was typed and never what.
package struct PromptMachine {
  /// `--answer`.
  package enum GivenAnswer: String, CaseIterable, Sendable {
    /// Nobody wants that.
    case cancel
    /// The other way, if there is one.
    case fallback
  }

  /// What is there to answer with.
  package struct Means: Equatable {
    /// What answers every prompt in place of a person.
    package var answer: GivenAnswer?
    /// `--passcode-fd` or `--passcode-file`.
    package var hasPasscode: Bool
    /// `--app-password-fd` or `--app-password-file`.
    package var hasAppPassword: Bool
    /// Keys can be typed.
    package var hasTerminal: Bool

    /// By default nothing is there.
    package init(
      answer: GivenAnswer? = nil, hasPasscode: Bool = false, hasAppPassword: Bool = false,
      hasTerminal: Bool = false
    ) {
      self.answer = answer
      self.hasPasscode = hasPasscode
      self.hasAppPassword = hasAppPassword
      self.hasTerminal = hasTerminal
    }
  }

  /// What the owner of the machine has to do, in order.
  package enum Action: Equatable {
    /// Answer the prompt on view with this; never `.passcode`.
    case answer(PromptAnswer.Kind)
    /// Answer with the one of these that was given.
    case answerWithGiven(PromptedSecret)
    /// Answer with what has been typed.
    case answerWithTypedPasscode
    /// Let keys come in.
    case listen
    /// Keep this byte of what is being typed.
    case append(UInt8)
    /// Take back the last character.
    case removeLast
    /// Take back everything that is being typed.
    case removeAll
    /// Show this.
    case show(View)
  }

  /// What the person sees.
  package enum View: Equatable {
    /// A touch is awaited; typing chooses the passcode if `fallback` is `.passcode`.
    case touch(Prompt)
    /// A passcode or a password is asked for, or is being typed while a touch is awaited.
    case passcode(Prompt)
    /// It was typed; the answer is on its way.
    case checking
    /// The request takes its time, and nobody is asked.
    case working
  }

  private let means: Means
  private var prompt: Prompt?
  /// What was answered with what was given.
  private var given: Set<PromptedSecret> = []
  private var isTyping = false

  /// For requests that can be answered with this.
  package init(_ means: Means) { self.means = means }

  /// A prompt appears; an earlier one of the request is over.
  package mutating func show(_ prompt: Prompt) -> [Action] {
    self.prompt = prompt
    var actions: [Action] = isTyping ? [.removeAll] : []
    isTyping = false
    if means.answer == .cancel { return actions + [.answer(.cancel)] }
    if prompt.awaitsTouch {
      // Before `shown`, so that no touch and no end of a tape can come first.
      if means.answer == .fallback { return actions + [.answer(.fallback)] }
      // Nothing that is typed once the prompt is seen may be shown.
      if means.hasTerminal { actions.append(.listen) }
      return actions + [.show(.touch(prompt)), .answer(.shown)]
    }
    if means.has(prompt.secret) {
      guard given.insert(prompt.secret).inserted else { return actions + [.answer(.noPasscode)] }
      return actions + [.answerWithGiven(prompt.secret)]
    }
    guard means.hasTerminal else { return actions + [.answer(.noPasscode)] }
    return actions + [.listen, .show(.passcode(prompt)), .answer(.shown)]
  }

  /// Takes a key that is meant for the prompt. `typed` is how many bytes are kept at this moment.
  package mutating func type(_ key: Key, typed: Int) -> [Action] {
    guard let prompt else { return [] }
    switch key {
    case .escape: return [.answer(.cancel)]
    case .interrupt, .suspend: return []
    case .end: return typed > 0 ? [] : [.answer(.cancel)]
    case .byte(let byte):
      guard takesPasscode(prompt) else { return [] }
      defer { isTyping = true }
      // A prompt for the passcode is on view already.
      let isNew = !isTyping && prompt.awaitsTouch
      return isNew ? [.append(byte), .show(.passcode(prompt))] : [.append(byte)]
    case .backspace:
      return typed > 0 ? [.removeLast] + backToTouch(prompt, left: typed - 1) : []
    case .eraseAll:
      return typed > 0 ? [.removeAll] + backToTouch(prompt, left: 0) : []
    case .enter:
      if typed > 0 {
        isTyping = false
        return [.show(.checking), .answerWithTypedPasscode]
      }
      return prompt.awaitsTouch && prompt.fallback != .hidden ? [.answer(.fallback)] : []
    }
  }

  /// What is typed into the prompt on view.
  package var secret: PromptedSecret { prompt?.secret ?? .passcode }

  private func takesPasscode(_ prompt: Prompt) -> Bool {
    !prompt.awaitsTouch || prompt.fallback == .passcode
  }

  private mutating func backToTouch(_ prompt: Prompt, left: Int) -> [Action] {
    guard left == 0 else { return [] }
    isTyping = false
    return prompt.awaitsTouch ? [.show(.touch(prompt))] : []
  }

  /// The request is over: the passcode that was given may answer the next one.
  package mutating func end() {
    prompt = nil
    isTyping = false
    given = []
  }
}

extension PromptMachine.Means {
  /// Whether a secret of this kind is there.
  fileprivate func has(_ secret: PromptedSecret) -> Bool {
    switch secret {
    case .passcode: hasPasscode
    case .appPassword: hasAppPassword
    }
  }
}
