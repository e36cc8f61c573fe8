import CoreClient
import Protocol
import WindowContents
import Windows

/// Asks for a new passcode, twice.
@MainActor
final class NewPasscodeWindow {
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
    window.isResizable = false
    let accept = Button(title, .suggested) { [weak self] in self?.check() }
    let cancel = Button(localized("Cancel")) { [weak self] in self?.close() }
    for button in [cancel, accept] { button.expand(horizontally: true) }
    self.accept = accept
    let body = Stack(
      .down, spacing: 12,
      [first, second, capsLock, remark, Stack(.across, spacing: 12, [cancel, accept])])
    body.setMargin(24)
    remark.limitWidth(letters: 42)
    window.setContent(Stack(.down, [HeaderBar(showsClose: false), body]))
    listen()
    invite()
  }

  func present() {
    window.present()
    first.focus()
    // Until it is closed the window keeps this value, and this value the window.
    window.keep(self)
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
