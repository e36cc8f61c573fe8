package import Protocol

/// Decides how to answer the prompts of one request: first with what was given on the command line,
/// then with what the person types.
///
/// It is a value without input or output, so that every rule can be tested: prompts and keys go in,
/// actions come out. It knows how much was typed but never what.
package struct PromptMachine {
  /// `--answer`.
  package enum GivenAnswer: String, CaseIterable, Sendable {
    /// Cancels the prompt.
    case cancel
    /// Chooses the fallback, if there is one.
    case fallback
  }

  /// What is available for answers.
  package struct Means: Equatable {
    /// The answer to every prompt, in place of a person.
    package var answer: GivenAnswer?
    /// `--passcode-fd` or `--passcode-file`.
    package var hasPasscode: Bool
    /// `--app-password-fd` or `--app-password-file`.
    package var hasAppPassword: Bool
    /// Keys can be typed.
    package var hasTerminal: Bool

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

  /// What the caller has to do, in order.
  package enum Action: Equatable {
    /// Answer the prompt on view with this; never `.passcode`.
    case answer(PromptAnswer.Kind)
    /// Answer with this given secret.
    case answerWithGiven(PromptedSecret)
    /// Answer with the typed secret.
    case answerWithTypedPasscode
    /// Begin to read keys.
    case listen
    /// Keep this typed byte.
    case append(UInt8)
    /// Remove the last typed character.
    case removeLast
    /// Remove everything typed.
    case removeAll
    case show(View)
  }

  /// What the person sees.
  package enum View: Equatable {
    /// A touch is awaited; typing chooses the passcode if `fallback` is `.passcode`.
    case touch(Prompt)
    /// A passcode or password is asked for, or is typed while a touch is awaited.
    case passcode(Prompt)
    /// The typed answer is on its way.
    case checking
    /// The request takes time without asking.
    case working
  }

  private let means: Means
  private var prompt: Prompt?
  /// The given secrets that were used.
  private var given: Set<PromptedSecret> = []
  private var isTyping = false

  package init(_ means: Means) { self.means = means }

  /// Shows a prompt, which ends an earlier one of the request.
  package mutating func show(_ prompt: Prompt) -> [Action] {
    self.prompt = prompt
    var actions: [Action] = isTyping ? [.removeAll] : []
    isTyping = false
    if means.answer == .cancel { return actions + [.answer(.cancel)] }
    if prompt.awaitsTouch {
      // This precedes `shown`, so that no touch and no end of a tape can come first.
      if means.answer == .fallback { return actions + [.answer(.fallback)] }
      // Input after the prompt appears must not be echoed.
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

  /// Handles a key for the prompt, with `typed` bytes kept so far.
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

  /// The secret that is typed into the prompt on view.
  package var secret: PromptedSecret { prompt?.secret ?? .passcode }

  private func takesPasscode(_ prompt: Prompt) -> Bool {
    !prompt.awaitsTouch || prompt.fallback == .passcode
  }

  private mutating func backToTouch(_ prompt: Prompt, left: Int) -> [Action] {
    guard left == 0 else { return [] }
    isTyping = false
    return prompt.awaitsTouch ? [.show(.touch(prompt))] : []
  }

  /// Ends the request: the given passcode may answer the next one.
  package mutating func end() {
    prompt = nil
    isTyping = false
    given = []
  }
}

extension PromptMachine.Means {
  fileprivate func has(_ secret: PromptedSecret) -> Bool {
    switch secret {
    case .passcode: hasPasscode
    case .appPassword: hasAppPassword
    }
  }
}
