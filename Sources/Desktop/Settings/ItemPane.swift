import Protocol
import WindowContents
import Windows

/// One item: what it says of itself, and its secret, which is shown and copied after a proof.
@MainActor
final class ItemPane {
  let content = PreferencesPage()
  weak var page: ItemsPage?
  private let secret = PreferencesGroup(title: "")
  private let secretRow = PreferencesRow(title: localized("Secret"))
  private let text = Label("", .monospace)
  private let details = PreferencesGroup(title: "")
  private let removal = PreferencesGroup(title: "")
  private var showButton: Button?
  private var rows: [PreferencesRow] = []
  private var item: ItemAttributes?
  /// While it is shown.
  private var opened: ShownItem?
  /// Hides it.
  private var timer: MainLoop.Timer?
  /// Draws a one-time code anew.
  private var nextSecond: MainLoop.Timer?
  private let clipboard: WindowClipboard

  /// How long a secret is shown, or on the clipboard.
  private static let seconds = 45

  init() {
    clipboard = WindowClipboard(of: content)
    let back = Button(localized("Back")) { [weak self] in self?.page?.back() }
    let show = Button(localized("Show")) { [weak self] in self?.showOrHide() }
    let copy = Button(localized("Copy")) { [weak self] in self?.copy() }
    let remove = Button(localized("Remove Item"), .destructive) { [weak self] in self?.confirm() }
    for button in [show, copy] {
      button.align(vertically: .center)
      secretRow.add(button)
    }
    showButton = show
    secret.setSuffix(back)
    secret.add(secretRow)
    text.setMargin(12)
    secret.add(text)
    remove.align(horizontally: .start)
    removal.add(remove)
    for group in [secret, details, removal] { content.add(group) }
    hide()
  }

  /// Shows an item, and no secret.
  func show(_ item: ItemAttributes) {
    hide()
    self.item = item
    secret.title = ItemTexts.name(item)
    for row in rows { details.remove(row) }
    rows = ItemTexts.details(item).map { PreferencesRow(title: $0.0, subtitle: $0.1) }
    for row in rows { details.add(row) }
    // What a certificate says is no secret, and its key is not here.
    secretRow.isVisible = item.itemClass != .certificate
    // What others share is theirs to remove.
    removal.isVisible = item.group == commandApplication
    showButton?.focus()
  }

  /// Whether a secret can be seen.
  var isShowingSecret: Bool { opened != nil }

  /// Nothing is left of the secret on the window, nor in this value.
  func hide() {
    for timer in [timer, nextSecond] { timer?.cancel() }
    (timer, nextSecond) = (nil, nil)
    opened = nil
    text.text = ""
    text.isVisible = false
    secretRow.subtitle = localized("Hidden")
    showButton?.title = localized("Show")
  }

  // MARK: What is done

  private func showOrHide() {
    guard let item, opened == nil else { return hide() }
    open(
      item, localized("Show an Item"),
      reason: localized("Show the secret of %s", ItemTexts.fullName(item))
    ) { [weak self] in self?.reveal($0) }
  }

  private func reveal(_ opened: ShownItem) {
    // The person may have gone on meanwhile.
    guard page?.isShowing == true, opened.attributes.identifier == item?.identifier else { return }
    self.opened = opened
    showButton?.title = localized("Hide")
    timer = MainLoop.after(.seconds(Self.seconds)) { [weak self] in self?.hide() }
    draw()
  }

  private func draw() {
    guard let readable = opened?.readable() else { return }
    let shown = ItemTexts.secret(readable.bytes.bytes) ?? ""
    // A screen reader says anew what is set anew.
    if text.text != shown { text.text = shown }
    text.isVisible = !shown.isEmpty
    secretRow.subtitle = ItemTexts.state(readable)
    guard case .code(_, secondsLeft: .some) = readable else { return }
    nextSecond = MainLoop.after(.seconds(1)) { [weak self] in self?.draw() }
  }

  private func copy() {
    guard let item else { return }
    // What is shown was proved to be the owner's to see.
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

  /// Leaves nothing on the clipboard of what was put there.
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

/// What is said of items. What they say themselves is shown as it is, and steers nothing.
enum ItemTexts {
  /// What a person knows it by: its label, or else what it is for.
  static func name(_ item: ItemAttributes) -> String { names(item).first ?? item.identifier }

  /// What else it is known by.
  static func subtitle(_ item: ItemAttributes) -> String {
    names(item).dropFirst().joined(separator: " · ")
  }

  /// How it is called in a sentence.
  static func fullName(_ item: ItemAttributes) -> String {
    names(item).isEmpty ? item.identifier : names(item).joined(separator: " / ")
  }

  private static func names(_ item: ItemAttributes) -> [String] {
    [item.label, item.service, item.server, item.account].map(\.withoutSteering)
      .filter { !$0.isEmpty }
  }

  /// What it says of itself, with how that is called.
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

  /// What opens it.
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

  /// What is said of a secret that is shown.
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

  /// A secret to be read; nil where it is no text.
  static func secret(_ secret: borrowing SecretBytes) -> String? {
    let bytes = secret.bytes.indices.map { secret.bytes[$0] }
    return String(validating: bytes, as: UTF8.self)?.withoutSteeringLines
  }
}
