import CoreClient
import Protocol
import WindowContents
import Windows

@MainActor
final class PasscodePage {
  let content = PreferencesPage()
  weak var window: SettingsWindow?
  private let passcode = PreferencesGroup(title: localized("Passcode"))
  private let lock = PreferencesGroup(title: localized("Lock"))
  private let state = PreferencesRow(title: "")
  private let lockState = PreferencesRow(title: "")
  private let lockRule = ChoiceRow(title: localized("Lock Automatically"))
  private lazy var set = Button(localized("Set Passcode"), .suggested) { [weak self] in
    self?.setPasscode()
  }
  private lazy var change = Button(localized("Change")) { [weak self] in self?.changePasscode() }
  private lazy var lockButton = Button(localized("Lock Now")) { [weak self] in
    self?.lockOrUnlock()
  }
  private let removal = PreferencesRow(
    title: localized("Remove the Passcode"),
    subtitle: localized("Removes all fingers and everything that they and the passcode protect."))
  private var status: CoreStatus?

  init() {
    state.add(set)
    state.add(change)
    removal.add(Button(localized("Remove"), .destructive) { [weak self] in self?.confirmRemoval() })
    lockState.add(lockButton)
    passcode.add(state)
    passcode.add(removal)
    lock.add(lockState)
    lock.add(lockRule)
    lockRule.changed = { [weak self] number in self?.setLockRule(number) }
    content.add(passcode)
    content.add(lock)
  }

  func show(_ snapshot: Snapshot) {
    let status = snapshot.status
    self.status = status
    state.title =
      status.isPasscodeSet ? localized("A passcode is set") : localized("No passcode is set")
    state.subtitle = PasscodeTexts.subtitle(status)
    set.isVisible = !status.isPasscodeSet
    change.isVisible = status.isPasscodeSet
    removal.isVisible = status.isPasscodeSet
    lock.isVisible = status.isPasscodeSet
    lockState.title = status.isLocked ? localized("Locked") : localized("Unlocked")
    lockState.subtitle = PasscodeTexts.lock(status)
    lockButton.title = status.isLocked ? localized("Unlock") : localized("Lock Now")
    let rules = LockRuleTexts.choices(beside: status.lockRule)
    lockRule.show(rules.map(LockRuleTexts.text), chosen: rules.firstIndex(of: status.lockRule) ?? 0)
  }

  /// Asks for the first passcode, and calls `body` when it is set.
  func setPasscode(then body: @escaping @MainActor @Sendable () -> Void = {}) {
    guard let window else { return }
    NewPasscodeWindow(over: window, title: localized("Set Passcode")) { [weak self] passcode in
      self?.window?.request({ (core) throws(Failure) -> Done in
        try core.request(SetPasscode(passcode: passcode.bytes.duplicate()))
      }) { [weak self] _ in
        self?.window?.window.toast(localized("The passcode is set."))
        body()
      }
    }.present()
  }

  private func changePasscode() {
    guard let window else { return }
    NewPasscodeWindow(over: window, title: localized("Change Passcode")) { [weak self] passcode in
      self?.window?.request(
        title: localized("Change Passcode"),
        reason: localized("Give the passcode that is replaced."),
        { (core) throws(Failure) -> Done in
          try core.request(
            ChangePasscode(replacement: passcode.bytes.duplicate(), options: core.prompting))
        }
      ) { [weak self] _ in self?.window?.window.toast(localized("The passcode is changed.")) }
    }.present()
  }

  private func confirmRemoval() {
    window?.confirm(
      localized("Remove the passcode?"),
      localized(
        "All fingers are removed, and everything that they and the passcode protect. This cannot be undone."
      ),
      localized("Remove")
    ) { [weak self] in self?.removePasscode() }
  }

  private func removePasscode() {
    window?.request(
      title: localized("Remove the Passcode"), reason: localized("Remove the passcode"),
      { (core) throws(Failure) -> ItemsChanged in
        try core.request(RemovePasscode(options: core.prompting))
      }
    ) { [weak self] changed in
      self?.window?.window.toast(
        localized(
          "The passcode is removed, and %s item with it.",
          "The passcode is removed, and %s items with it.", count: Int(changed.count)))
    }
  }

  private func setLockRule(_ number: Int) {
    guard let status else { return }
    let rules = LockRuleTexts.choices(beside: status.lockRule)
    guard rules.indices.contains(number), rules[number] != status.lockRule else { return }
    let rule = rules[number]
    window?.request(
      title: localized("Lock Automatically"), reason: localized("Change when the keychain locks"),
      { (core) throws(Failure) -> Done in try core.ask(ChangeSettings(lockRule: rule)) }
    ) { _ in }
  }

  private func lockOrUnlock() {
    guard status?.isLocked == true else {
      window?.request({ (core) throws(Failure) -> Done in try core.ask(LockDevice()) }) { _ in }
      return
    }
    unlock()
  }

  /// Unlocks by a finger or the passcode.
  func unlock() {
    window?.request(
      title: localized("Unlock"), reason: localized("Unlock what you keep here"),
      { (core) throws(Failure) -> Evaluated in
        try core.request(UnlockDevice(options: core.prompting))
      }
    ) { _ in }
  }
}

/// Asks for a new passcode, twice.
@MainActor
private final class NewPasscodeWindow {
  private let window: Window
  private let first = PasscodeEntry(name: localized("New passcode"))
  private let second = PasscodeEntry(name: localized("The same again"))
  private let remark = Label("", .dim, centered: true)
  private let capsLock = Label(localized("Caps Lock is on."), .warning, centered: true)
  private let done: @MainActor (CarriedSecret) -> Void
  private var accept: Button?

  init(
    over parent: SettingsWindow, title: String, done: @escaping @MainActor (CarriedSecret) -> Void
  ) {
    self.done = done
    window = Window(of: parent.application, title: title, width: 380, over: parent.window)
    window.keepSize()
    let accept = Button(title, .suggested) { [weak self] in self?.check() }
    let cancel = Button(localized("Cancel")) { [weak self] in self?.close() }
    self.accept = accept
    let body = Stack(
      .down, spacing: 12, [first, second, capsLock, remark, Stack(ofButtons: [cancel, accept])])
    body.setMargin(24)
    remark.limitWidth(letters: 42)
    window.setContent(Stack(.down, [HeaderBar(showsClose: false), body]))
    listen()
    invite()
  }

  func present() {
    window.present(keeping: self)
    first.focus()
  }

  private func listen() {
    first.submit = { [weak self] in self?.second.focus() }
    second.submit = { [weak self] in self?.check() }
    for entry in [first, second] {
      entry.changed = { [weak self] in self?.typed() }
      entry.capsLockChanged = { [weak self] isOn in self?.capsLock.isVisible = isOn }
    }
    capsLock.isVisible = first.isCapsLocked
    window.escape = { [weak self] in self?.close() }
    typed()
  }

  private func invite() {
    remark.set(
      localized(
        "At least %s characters, better %s or more.", "\(PasscodeRules.fewestCharacters)",
        "\(PasscodeRules.advisedCharacters)"), .dim)
  }

  private func typed() { accept?.isEnabled = first.count > 0 && second.count > 0 }

  private func check() {
    guard first.count > 0, second.count > 0 else { return }
    guard !first.isTooLong, !second.isTooLong else {
      return refuse(localized("That is longer than any passcode."))
    }
    let passcode = first.take()
    let again = second.take()
    guard passcode.isEqual(to: again.bytes) else {
      return refuse(localized("The two are not the same."))
    }
    do throws(Failure) {
      let normalized = try passcode.inNormalForm(limit: longestPasscode)
      try PasscodeRules.check(normalized)
      done(CarriedSecret(normalized))
      close()
    } catch {
      refuse(
        error.code == .passcodeTooShort
          ? localized("That is too short.") : localized("That is longer than any passcode."))
    }
  }

  private func refuse(_ text: String) {
    first.removeAll()
    second.removeAll()
    remark.set(text, .error)
    first.focus()
  }

  private func close() { window.close() }
}
