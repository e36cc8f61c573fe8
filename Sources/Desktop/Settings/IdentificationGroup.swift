import CoreClient
import Protocol
import WindowContents
import Windows

/// “Which finger is it?”: each touch lights up the row of its finger, until the person stops it, no
/// touch comes, or one is not recognized. A touch counts as an attempt.
@MainActor
final class IdentificationGroup: PromptPresenter {
  let content = PreferencesGroup(title: localized("Which Finger Is It?"))
  weak var page: FingersPage?
  private let row = PreferencesRow(title: IdentificationGroup.invitation)
  private let finger = FingerprintView(name: localized("Fingerprint"), side: 40)
  private lazy var button = Button(localized("Touch")) { [weak self] in self?.toggle() }
  private var answers: PromptAnswers?
  private var isRunning = false

  private static var invitation: String { localized("See which finger a touch belongs to") }

  init() {
    row.add(finger)
    row.add(button)
    content.add(row)
  }

  func show(_ snapshot: Snapshot) {
    content.isVisible = !snapshot.fingers.isEmpty || isRunning
  }

  private func toggle() {
    guard !isRunning else {
      isRunning = false
      // Between two touches there is no prompt.
      guard let answers else { return stop("") }
      answers.cancel()
      return
    }
    isRunning = true
    button.title = localized("Stop")
    row.subtitle = localized(PromptTexts.touch)
    test()
  }

  private func test() {
    page?.window?.request(
      title: "", reason: localized("See which finger it is"), presenter: self,
      failed: { [weak self] _ in self?.stop("") },
      { (core) throws(Failure) -> FingerTested in
        try core.request(TestFinger(options: core.prompting))
      }
    ) { [weak self] in self?.tested($0) }
  }

  private func tested(_ result: FingerTested) {
    guard result.isMatch, let name = result.finger else {
      return stop(localized("Not recognized."))
    }
    page?.light(up: name)
    row.subtitle = localized("That is %s.", name.withoutSteering)
    guard isRunning else { return stop(row.subtitle) }
    // Time to lift the finger.
    MainLoop.after(.seconds(1)) { [weak self] in
      guard let self, self.isRunning else { return }
      self.test()
    }
  }

  private func stop(_ text: String) {
    isRunning = false
    answers = nil
    button.title = localized("Touch")
    row.subtitle = text
    if text.isEmpty { finger.show(.idle) }
  }

  func show(_ prompt: Prompt, answers: PromptAnswers) {
    self.answers = answers
    guard prompt.awaitsTouch, isRunning else {
      return answers.give(PromptAnswer(prompt: prompt.prompt, kind: .cancel))
    }
    finger.show(.awaitingTouch)
    answers.give(PromptAnswer(prompt: prompt.prompt, kind: .shown))
  }

  func tell(_ event: Progress.Event) {
    switch event {
    case .matched: finger.show(.matched)
    case .missed: finger.show(.missed)
    case .awaitingTouch, .retry, .taken, .refused, .sensorLost: break
    }
    if let text = ProgressTexts.text(event, countsTries: false) { row.subtitle = localized(text) }
  }

  func end() { answers = nil }
}

/// Asks for the name of a finger.
@MainActor
final class NameQuestion {
  private let alert: Alert
  private let row: TextRow
  private let group: PreferencesGroup

  /// `done` gets a valid name.
  init(
    over parent: Window, heading: String, body: String, accept: String, name: String,
    done: @escaping @MainActor (String) -> Void
  ) {
    let row = TextRow(title: localized("Name"), text: name)
    let group = PreferencesGroup(title: "")
    group.add(row)
    self.row = row
    self.group = group
    alert = Alert(
      over: parent, heading: heading, body: body, content: group,
      [.init(localized("Cancel")) {}, .init(accept, .suggested) { done(row.text) }])
    row.changed = { [weak self] in self?.check() }
    row.submit = { [weak self] in
      guard let self, Self.problem(self.row.text) == nil else { return }
      self.alert.close()
      done(self.row.text)
    }
  }

  func present() {
    alert.present()
    row.focus()
    // The dialog keeps this value until it is answered.
    alert.keep(self)
  }

  private func check() {
    let problem = Self.problem(row.text)
    alert.setEnabled(problem == nil, answer: 1)
    group.description = problem ?? ""
  }

  /// Why a name is invalid.
  private static func problem(_ text: String) -> String? {
    if text.isEmpty { return localized("A finger needs a name.") }
    if text.count > Finger.mostNameCharacters || text.utf8.count > Finger.longestName {
      return localized("A name has at most %s characters.", "\(Finger.mostNameCharacters)")
    }
    return text.unicodeScalars.contains(where: \.isSteering)
      ? localized("A name has no characters that cannot be seen.") : nil
  }
}
