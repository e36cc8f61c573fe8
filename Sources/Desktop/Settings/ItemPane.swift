import Protocol
import WindowContents
import Windows

/// One item. Its secret is shown and copied after a proof.
@MainActor
final class ItemPane {
  let content = PreferencesPage()
  weak var page: ItemsPage?
  private let secret = PreferencesGroup(title: "")
  private let secretRow = PreferencesRow(title: localized("Secret"))
  private let text = Label("", .monospace)
  private let details = PreferencesGroup(title: "")
  private let removal = PreferencesGroup(title: "")
  private lazy var showButton = Button(localized("Show")) { [weak self] in self?.showOrHide() }
  private var rows: [PreferencesRow] = []
  private var item: ItemAttributes?
  /// Set while the secret is shown.
  private var opened: ShownItem?
  /// Hides the secret.
  private var timer: MainLoop.Timer?
  /// Updates a one-time code.
  private var nextSecond: MainLoop.Timer?
  private let clipboard: WindowClipboard

  /// How long a secret is shown, or stays on the clipboard.
  private static let seconds = 45

  init() {
    clipboard = WindowClipboard(of: content)
    let back = Button(localized("Back")) { [weak self] in self?.page?.back() }
    let remove = Button(localized("Remove Item"), .destructive) { [weak self] in self?.confirm() }
    secretRow.add(showButton)
    secretRow.add(Button(localized("Copy")) { [weak self] in self?.copy() })
    secret.setSuffix(back)
    secret.add(secretRow)
    text.setMargin(12)
    secret.add(text)
    remove.align(horizontally: .start)
    removal.add(remove)
    for group in [secret, details, removal] { content.add(group) }
    hide()
  }

  /// Shows an item without its secret.
  func show(_ item: ItemAttributes) {
    hide()
    self.item = item
    secret.title = ItemTexts.name(item)
    for row in rows { details.remove(row) }
    rows = ItemTexts.details(item).map { PreferencesRow(title: $0.0, subtitle: $0.1) }
    for row in rows { details.add(row) }
    // A certificate has no secret.
    secretRow.isVisible = item.itemClass != .certificate
    // Items that others share are not removed here.
    removal.isVisible = item.group == commandApplication
    showButton.focus()
  }

  var isShowingSecret: Bool { opened != nil }

  /// Leaves nothing of the secret in the window or in this value.
  func hide() {
    for timer in [timer, nextSecond] { timer?.cancel() }
    (timer, nextSecond) = (nil, nil)
    opened = nil
    text.text = ""
    text.isVisible = false
    secretRow.subtitle = localized("Hidden")
    showButton.title = localized("Show")
  }

  private func showOrHide() {
    guard let item, opened == nil else { return hide() }
    open(
      item, localized("Show an Item"),
      reason: localized("Show the secret of %s", ItemTexts.fullName(item))
    ) { [weak self] in self?.reveal($0) }
  }

  private func reveal(_ opened: ShownItem) {
    // The person may have moved on.
    guard page?.isShowing == true, opened.attributes.identifier == item?.identifier else { return }
    self.opened = opened
    showButton.title = localized("Hide")
    timer = MainLoop.after(.seconds(Self.seconds)) { [weak self] in self?.hide() }
    draw()
  }

  private func draw() {
    guard let readable = opened?.readable() else { return }
    let shown = ItemTexts.secret(readable.bytes.bytes) ?? ""
    // A screen reader repeats a text that is set again.
    if text.text != shown { text.text = shown }
    text.isVisible = !shown.isEmpty
    secretRow.subtitle = ItemTexts.state(readable)
    guard case .code(_, secondsLeft: .some) = readable else { return }
    nextSecond = MainLoop.after(.seconds(1)) { [weak self] in self?.draw() }
  }

  private func copy() {
    guard let item else { return }
    // The owner has been proved already.
    if let opened { return put(opened) }
    open(
      item, localized("Copy an Item"),
      reason: localized("Copy the secret of %s", ItemTexts.fullName(item))
    ) { [weak self] in self?.put($0) }
  }

  private func put(_ opened: ShownItem) {
    let name = ItemTexts.fullName(opened.attributes)
    let text = opened.readable().bytes
    clipboard.put(text.bytes, for: .seconds(Self.seconds)) { [weak self] wasThere in
      guard let self else { return }
      if !self.isShowingSecret { self.hide() }
      if wasThere { self.page?.window?.window.toast(localized("%s is off the clipboard.", name)) }
    }
    secretRow.subtitle = localized("On the clipboard for %s seconds", "\(Self.seconds)")
  }

  /// Removes the secret from the clipboard.
  func takeBack() { clipboard.takeBack() }

  private func open(
    _ item: ItemAttributes, _ title: String, reason: String,
    _ done: @escaping @MainActor @Sendable (ShownItem) -> Void
  ) {
    page?.window?.request(
      title: title, reason: reason, { (core) throws(Failure) in try core.open(item) }, done: done)
  }

  private func confirm() {
    guard let item else { return }
    page?.window?.confirm(
      localized("Remove %s?", ItemTexts.fullName(item)),
      localized("Its secret is gone with it. This cannot be undone."), localized("Remove")
    ) { [weak self] in self?.page?.remove(item) }
  }
}

/// Texts about items. Attributes are shown without control characters.
enum ItemTexts {
  /// Its label, or else its service, server or account.
  static func name(_ item: ItemAttributes) -> String { names(item).first ?? item.identifier }

  /// The names besides ``name(_:)``.
  static func subtitle(_ item: ItemAttributes) -> String {
    names(item).dropFirst().joined(separator: " · ")
  }

  /// Its name in a sentence.
  static func fullName(_ item: ItemAttributes) -> String {
    names(item).isEmpty ? item.identifier : names(item).joined(separator: " / ")
  }

  private static func names(_ item: ItemAttributes) -> [String] {
    [item.label, item.service, item.server, item.account].map(\.withoutSteering)
      .filter { !$0.isEmpty }
  }

  /// Its attributes, with their titles.
  static func details(_ item: ItemAttributes) -> [(String, String)] {
    let texts = [
      (localized("Label"), item.label), (localized("Service"), item.service),
      (localized("Server"), item.server), (localized("Account"), item.account),
      (localized("Comment"), item.values[text: .comment]),
    ].map { ($0.0, $0.1.withoutSteeringLines) }.filter { !$0.1.isEmpty }
    return texts + [
      (localized("Opened by"), guards(item.accessControl)),
      (localized("Added"), Days.text(item.createdAt)),
    ]
  }

  private static func guards(_ control: AccessControl?) -> String {
    guard let control else { return localized("An unlocked device") }
    let words: [(AccessControl.Constraints, String)] = [
      (.presence, localized("A finger or the passcode")), (.biometryAny, localized("A finger")),
      (.biometryCurrent, localized("A finger that was enrolled when it was stored")),
      (.passcode, localized("The passcode")),
    ]
    var parts = words.filter { control.constraints.contains($0.0) }.map(\.1)
    if control.junction == .or { parts = [parts.joined(separator: " / ")] }
    if control.needsAppPassword { parts.append(localized("A password of its own")) }
    return parts.joined(separator: " + ")
  }

  static func state(_ readable: ShownItem.Readable) -> String {
    switch readable {
    case .code(_, secondsLeft: nil): return localized("One-time code, good once")
    case .code(_, let seconds?):
      return localized(
        "One-time code, good for %s second", "One-time code, good for %s seconds",
        count: Int(seconds))
    case .secret(let held):
      guard secret(held.bytes) == nil else { return localized("Shown") }
      return localized(
        "%s byte that is no text", "%s bytes that are no text", count: held.bytes.count)
    }
  }

  /// A secret as text; nil if it is no text.
  static func secret(_ secret: borrowing SecretBytes) -> String? {
    let bytes = secret.bytes.indices.map { secret.bytes[$0] }
    return String(validating: bytes, as: UTF8.self)?.withoutSteeringLines
  }
}
