import CoreClient
import Protocol
import WindowContents
import Windows

/// Asks for a new item and its secret, which is typed twice or pasted.
@MainActor
final class NewItemWindow {
  private let window: Window
  private let service = TextRow(title: localized("Service"))
  private let account = TextRow(title: localized("Account"))
  private let first = PasscodeEntry(name: localized("Secret"))
  private let second = PasscodeEntry(name: localized("The same again"))
  private let asks: SwitchRow?
  private let remark = Label("", .dim, centered: true)
  private let clipboard: WindowClipboard
  private let done: @MainActor (ItemAttributes, CarriedSecret) -> Void

  /// `canAsk`: whether there is a passcode, so that an item can ask for a proof.
  init(
    over parent: SettingsWindow, canAsk: Bool,
    done: @escaping @MainActor (ItemAttributes, CarriedSecret) -> Void
  ) {
    self.done = done
    let title = localized("Add an Item")
    window = Window(of: parent.application, title: title, width: 420, over: parent.window)
    asks =
      canAsk
      ? SwitchRow(
        title: localized("Ask each time"),
        subtitle: localized("It opens by a touch or the passcode, on this device alone."),
        isOn: true) : nil
    clipboard = WindowClipboard(of: first)
    lay()
    window.escape = { [weak self] in self?.window.close() }
    first.submit = { [weak self] in self?.second.focus() }
    second.submit = { [weak self] in self?.check() }
    service.submit = { [weak self] in self?.account.focus() }
    account.submit = { [weak self] in self?.first.focus() }
  }

  private func lay() {
    let add = Button(localized("Add"), .suggested) { [weak self] in self?.check() }
    let cancel = Button(localized("Cancel")) { [weak self] in self?.window.close() }
    let paste = Button(localized("Paste the Secret")) { [weak self] in self?.paste() }
    let group = PreferencesGroup(title: "")
    group.add(service)
    group.add(account)
    if let asks { group.add(asks) }
    remark.limitWidth(letters: 42)
    let body = Stack(
      .down, spacing: 12, [group, first, second, paste, remark, Stack(ofButtons: [cancel, add])])
    body.setMargin(24)
    window.setContent(Stack(.down, [HeaderBar(showsClose: false), ScrolledArea(body)]))
    remark.isVisible = false
  }

  func present() {
    window.present(keeping: self)
    service.focus()
  }

  private func paste() {
    clipboard.read { [weak self] text in
      guard let self else { return }
      guard text.count > 0 else {
        return self.refuse(localized("There is no text on the clipboard."))
      }
      for entry in [self.first, self.second] {
        entry.removeAll()
        entry.append(text.bytes)
      }
      self.remark.isVisible = false
    }
  }

  private func check() {
    let names = [service.text, account.text]
    guard names.contains(where: { !$0.isEmpty }) else {
      return refuse(localized("Say what it is for."), focus: service)
    }
    guard names.allSatisfy({ $0.utf8.count <= AttributeValue.longestText }) else {
      return refuse(
        localized("A name has at most %s bytes.", "\(AttributeValue.longestText)"), focus: service)
    }
    guard !first.isTooLong, !second.isTooLong else {
      return forget(
        localized("That is longer than can be typed. In a terminal: authcore item add < FILE"))
    }
    guard first.count > 0 else {
      return refuse(localized("Type the secret, or paste it."), focus: first)
    }
    let secret = first.take()
    let again = second.take()
    guard secret.isEqual(to: again.bytes) else {
      return forget(localized("The two are not the same."))
    }
    var attributes = ItemAttributes()
    attributes.service = service.text
    attributes.account = account.text
    if asks?.isOn == true { attributes.accessControl = try? AccessControl(.presence) }
    done(attributes, CarriedSecret(secret))
    window.close()
  }

  private func forget(_ text: String) {
    first.removeAll()
    second.removeAll()
    refuse(text, focus: first)
  }

  private func refuse(_ text: String, focus widget: Widget? = nil) {
    remark.set(text, .error)
    remark.isVisible = true
    widget?.focus()
  }
}
