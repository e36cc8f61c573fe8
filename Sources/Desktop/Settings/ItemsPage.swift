import CoreClient
import Protocol
import WindowContents
import Windows

/// The owner's items, to find, open, add and remove.
///
/// Names are only in sealed attributes, so the core must open all of them. It is asked when the
/// page is shown, and not every two seconds.
@MainActor
final class ItemsPage {
  let content = Alternatives()
  weak var window: SettingsWindow?
  private let list = PreferencesPage()
  private let search = TextRow(title: localized("Search"))
  private let group = PreferencesGroup(title: localized("Items"))
  private let pane = ItemPane()
  private var items: [ItemAttributes] = []
  private var isClosed = false
  private var status: CoreStatus?
  private var rows: [PreferencesRow] = []
  private var rowOfItem: [String: PreferencesRow] = [:]
  /// The identifier of the item that is shown.
  private var chosen: String?

  /// The most rows that are shown.
  private static let mostRows = 100

  init() {
    let finder = PreferencesGroup(title: "")
    finder.add(search)
    group.setSuffix(Button(localized("Add Item")) { [weak self] in self?.add() })
    list.add(finder)
    list.add(group)
    content.add(list)
    content.add(pane.content)
    search.changed = { [weak self] in self?.fill() }
    pane.page = self
  }

  /// Whether this is the page that is shown.
  var isShowing: Bool { window?.shows(content) == true }

  var isShowingSecret: Bool { pane.isShowingSecret }

  /// Asks the core again.
  func look() {
    window?.link.carryOut({ (connection) throws(Failure) -> [ItemAttributes] in
      try FindItems(query: ItemQuery()).all { (page) throws(Failure) in try connection.ask(page) }
    }) { [weak self] result in
      switch result {
      case .success(let items): self?.show(items, isClosed: false)
      case .failure(let failure) where failure.code == .errSecItemNotFound:
        self?.show([], isClosed: false)
      case .failure(let failure) where failure.code == .errSecInteractionNotAllowed:
        self?.show([], isClosed: true)
      case .failure(let failure): self?.window?.tell(failure)
      }
    }
  }

  /// Asks again if the lock has changed what can be seen, and hides what must not be.
  func show(_ snapshot: Snapshot) {
    let wasLocked = status?.isLocked
    status = snapshot.status
    guard snapshot.status.isLocked != wasLocked else { return }
    if snapshot.status.isLocked { back() }
    guard wasLocked != nil else { return }
    fill()
    look()
  }

  /// The page is shown. What is typed is searched for.
  func appear() { if chosen == nil { search.focus() } }

  /// Another page is shown.
  func leave() { pane.hide() }

  /// The window closes. Takes the secret off the clipboard.
  func close() { pane.takeBack() }

  func back() {
    guard let chosen else { return }
    self.chosen = nil
    pane.hide()
    content.show(list)
    rowOfItem[chosen]?.focus()
  }

  private func show(_ items: [ItemAttributes], isClosed: Bool) {
    guard items != self.items || isClosed != self.isClosed || rows.isEmpty else { return }
    self.items = items
    self.isClosed = isClosed
    fill()
  }

  private func fill() {
    let hits = hits()
    for row in rows { group.remove(row) }
    rowOfItem = [:]
    rows = isClosed || status?.isLocked == true ? [lockedRow()] : []
    for item in hits.prefix(Self.mostRows) {
      let row = row(item)
      rowOfItem[item.identifier] = row
      rows.append(row)
    }
    if rows.isEmpty { rows = [emptyRow()] }
    for row in rows { group.add(row) }
    group.description =
      hits.count > Self.mostRows
      ? localized("There are %s more: search for them.", "\(hits.count - Self.mostRows)") : ""
  }

  private func hits() -> [ItemAttributes] {
    guard !search.text.isEmpty else { return items }
    let search = ItemSearch(search.text)
    return items.filter { search.closeness(of: $0) != nil }
  }

  private func row(_ item: ItemAttributes) -> PreferencesRow {
    let row = PreferencesRow(title: ItemTexts.name(item), subtitle: ItemTexts.subtitle(item))
    let open = Button(icon: "go-next-symbolic", name: localized("Open")) { [weak self] in
      self?.choose(item)
    }
    row.add(open)
    row.setActivated(open)
    return row
  }

  private func emptyRow() -> PreferencesRow {
    guard items.isEmpty else { return PreferencesRow(title: localized("No item is called so")) }
    return PreferencesRow(
      title: localized("Nothing is kept here"),
      subtitle: localized("Add a password, a note, or what a site shows for one-time codes."))
  }

  private func lockedRow() -> PreferencesRow {
    let row = PreferencesRow(
      title: localized("Locked"), subtitle: localized("Unlock to see what is kept here."),
      icon: "changes-prevent-symbolic")
    row.add(Button(localized("Unlock")) { [weak self] in self?.window?.unlock() })
    return row
  }

  private func choose(_ item: ItemAttributes) {
    chosen = item.identifier
    content.show(pane.content)
    pane.show(item)
  }

  private func add() {
    guard let window else { return }
    let canAsk = status?.isPasscodeSet == true
    NewItemWindow(over: window, canAsk: canAsk) { [weak self] attributes, secret in
      self?.window?.request({ (core) throws(Failure) -> ItemAdded in
        try core.ask(AddItem(attributes: attributes, secret: secret.bytes.duplicate()))
      }) { [weak self] added in
        self?.changed(localized("%s is added.", ItemTexts.fullName(added.attributes)))
      }
    }.present()
  }

  func remove(_ item: ItemAttributes) {
    window?.request({ (core) throws(Failure) -> ItemsChanged in
      try core.ask(RemoveItems(query: ItemQuery(naming: item), allowsSeveral: false))
    }) { [weak self] _ in
      self?.back()
      self?.changed(localized("%s is removed.", ItemTexts.fullName(item)))
    }
  }

  private func changed(_ text: String) {
    window?.window.toast(text)
    look()
  }
}
