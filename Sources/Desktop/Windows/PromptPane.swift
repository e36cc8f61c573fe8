import CoreClient
import Protocol
import WindowContents

/// The content of a prompt: who asks and why, the fingerprint, advice about the next touch, and a
/// field for the passcode, which can be typed while a touch is awaited.
@MainActor
final class PromptPane {
  let content = Stack(.down, spacing: 12)
  /// Called with the person's answer.
  var answer: @MainActor (consuming PromptAnswer) -> Void = { _ in }

  private let headline = Label("", .title, centered: true)
  private let remarks = Label("", centered: true)
  private let finger = FingerprintView(name: localized("Fingerprint"))
  private let progress = ProgressBar(name: localized("How much of the finger is known"))
  private let advice = Label("", .dim, centered: true)
  private let entry: PasscodeEntry
  private let capsLock = Label(localized("Caps Lock is on."), .warning, centered: true)
  private lazy var accept = Button(localized("Continue"), .suggested) { [weak self] in
    self?.press(.enter)
  }
  private lazy var cancel = Button(localized("Cancel")) { [weak self] in self?.press(.escape) }
  private var machine = PromptMachine(.init(hasTerminal: true))
  private var prompt: Prompt?
  private let isOwn: Bool
  private let countsTries: Bool

  /// - Parameters:
  ///   - isOwn: whether the program with this window asks. Its window then says what for.
  ///   - secret: what is typed here.
  ///   - countsTries: whether to say how many tries are left.
  init(isOwn: Bool, asking secret: PromptedSecret, countsTries: Bool = true) {
    self.isOwn = isOwn
    self.countsTries = countsTries
    entry = PasscodeEntry(name: localized(PromptTexts.title(of: secret)))
    headline.isVisible = !isOwn
    headline.limitLines(8)
    headline.limitWidth(letters: 30)
    remarks.limitWidth(letters: 42)
    // This sets the window's width, so that its height suffices for texts of any size.
    advice.setWidth(letters: 42)
    advice.reserve(lines: 2)
    lay()
    entry.submit = { [weak self] in self?.press(.enter) }
    entry.changed = { [weak self] in self?.typedChanged() }
    entry.capsLockChanged = { [weak self] _ in self?.showCapsLock() }
  }

  private func lay() {
    content.setMargin(24)
    let buttons = Stack(ofButtons: [cancel, accept])
    let texts: [Widget] = [headline, remarks]
    for widget in texts + [finger, progress, advice, entry, capsLock, buttons] {
      content.append(widget)
    }
    for widget in [progress, capsLock, finger, entry] as [Widget] { widget.isVisible = false }
  }

  /// Shows a prompt, in place of an earlier one of the same request, and tells the core so.
  func show(_ prompt: Prompt) {
    self.prompt = prompt
    perform(machine.show(prompt))
  }

  private func lay(_ prompt: Prompt) {
    introduce(prompt)
    finger.isVisible = prompt.awaitsTouch
    if prompt.awaitsTouch { finger.show(.awaitingTouch) }
    advice.set(
      Self.invitation(prompt), prompt.refusedPasscodes > 0 && !prompt.awaitsTouch ? .error : .dim)
    let takesPasscode = !prompt.awaitsTouch || prompt.fallback == .passcode
    entry.isVisible = takesPasscode
    entry.isEnabled = true
    entry.removeAll()
    cancel.title = prompt.cancelTitle?.withoutSteering ?? localized("Cancel")
    accept.isVisible = takesPasscode || prompt.fallback == .application
    accept.title = Self.acceptTitle(prompt)
    typedChanged()
    showCapsLock()
    if takesPasscode { entry.focus() } else { cancel.focus() }
  }

  /// Says who asks, by what the core knows, and what for. A program that shows its own prompt words
  /// it itself.
  private func introduce(_ prompt: Prompt) {
    let said =
      isOwn
      ? [prompt.reason.withoutSteering].filter { !$0.isEmpty }
      : PromptTexts.remarks(on: prompt) { localized($0) }
    remarks.text = said.joined(separator: "\n")
    remarks.isVisible = !said.isEmpty
    guard !isOwn else { return }
    headline.text = PromptTexts.headline(of: prompt) { localized($0) }
  }

  private static func invitation(_ prompt: Prompt) -> String {
    if prompt.awaitsTouch {
      return localized(prompt.fallback == .passcode ? PromptTexts.touchOrType : PromptTexts.touch)
    }
    // GTK names an empty label after its class.
    guard prompt.refusedPasscodes > 0 else { return "\u{00A0}" }
    return localized(PromptTexts.refusal(of: prompt.secret))
  }

  private static func acceptTitle(_ prompt: Prompt) -> String {
    if let title = prompt.fallbackTitle, !title.isEmpty, prompt.awaitsTouch {
      return title.withoutSteering
    }
    return prompt.fallback == .application && prompt.awaitsTouch
      ? localized("Another Way") : localized("Continue")
  }

  /// Shows what happened during the prompt.
  func tell(_ event: Progress.Event) {
    switch event {
    case .awaitingTouch: return
    case .matched: finger.show(.matched)
    case .missed: finger.show(.missed)
    case .taken(let touch):
      finger.show(.covered(touch.coverage, touch.picture))
      progress.isVisible = true
      progress.share = touch.coverage
    case .retry, .refused, .sensorLost: break
    }
    guard let text = ProgressTexts.text(event, countsTries: countsTries) else { return }
    advice.set(localized(text), Label.Look(ProgressTexts.tone(of: event)))
  }

  /// Acts as if Cancel were pressed.
  func cancelPrompt() { press(.escape) }

  private func press(_ key: Key) { perform(machine.type(key, typed: entry.count)) }

  /// The field itself keeps what is typed.
  private func perform(_ actions: [PromptMachine.Action]) {
    guard let prompt else { return }
    for action in actions {
      switch action {
      case .answer(let kind): answer(PromptAnswer(prompt: prompt.prompt, kind: kind))
      case .answerWithTypedPasscode: answerWithTyped(prompt)
      case .show(.touch(let prompt)), .show(.passcode(let prompt)): lay(prompt)
      case .show(.checking): advice.set(localized(PromptTexts.checking), .dim)
      case .removeAll: entry.removeAll()
      case .listen, .append, .removeLast, .answerWithGiven, .show(.working): break
      }
    }
  }

  /// An entry that is longer than any passcode is not sent: it would count as a wrong one.
  private func answerWithTyped(_ prompt: Prompt) {
    guard !entry.isTooLong else {
      entry.removeAll()
      return advice.set(localized(PromptTexts.tooLong), .error)
    }
    do throws(Failure) {
      let typed = try PromptAnswer(prompt: prompt.prompt, prompt.secret, typed: entry.take())
      entry.isEnabled = false
      answer(typed)
    } catch {
      advice.set(localized(PromptTexts.tooLong), .error)
    }
  }

  private func typedChanged() {
    let falls = prompt?.awaitsTouch == true && prompt?.fallback != .hidden
    accept.isEnabled = entry.count > 0 || falls
  }

  private func showCapsLock() { capsLock.isVisible = entry.isVisible && entry.isCapsLocked }
}

extension Label.Look {
  fileprivate init(_ tone: ProgressTexts.Tone) {
    switch tone {
    case .neutral: self = .dim
    case .good: self = .success
    case .doubtful: self = .warning
    case .bad: self = .error
    }
  }
}
