import CoreClient
import Protocol
import WindowContents
import Windows

/// The applications that keep something here, and a way to forget each.
///
/// Names are only in sealed attributes, so the core must open all of them. It is asked when the
/// page is shown, and not every two seconds.
@MainActor
final class ApplicationsPage {
  let content = PreferencesPage()
  weak var window: SettingsWindow?
  private let list = PreferencesGroup(title: localized("Applications"))
  private var shown: [PreferencesRow] = []
  private var applications: [ApplicationHoldings]?
  private var wasLocked = false

  init() { content.add(list) }

  /// Asks the core again.
  func look() {
    window?.link.carryOut({ (connection) throws(Failure) -> FoundApplications in
      try connection.ask(FindApplications())
    }) { [weak self] result in
      switch result {
      case .success(let found): self?.show(found.applications)
      case .failure(let failure) where failure.code == .errSecInteractionNotAllowed:
        self?.showLocked()
      case .failure(let failure): self?.window?.tell(failure)
      }
    }
  }

  /// Asks again if the lock has changed what can be seen.
  func show(_ snapshot: Snapshot) {
    let isLocked = snapshot.status.isLocked
    if isLocked != wasLocked, !shown.isEmpty { look() }
    wasLocked = isLocked
  }

  private func show(_ applications: [ApplicationHoldings]) {
    guard applications != self.applications else { return }
    self.applications = applications
    fill(
      applications.isEmpty
        ? [
          PreferencesRow(
            title: localized("No application keeps anything here"),
            subtitle: localized("What programs store with authcore appears on this page."))
        ] : applications.map(row))
  }

  private func showLocked() {
    applications = nil
    fill([
      PreferencesRow(
        title: localized("Locked"),
        subtitle: localized("Unlock on the page “Passcode” to see which applications there are."),
        icon: "changes-prevent-symbolic")
    ])
  }

  private func fill(_ rows: [PreferencesRow]) {
    for row in shown { list.remove(row) }
    shown = rows
    for row in rows { list.add(row) }
  }

  private func row(_ holdings: ApplicationHoldings) -> PreferencesRow {
    let name = ApplicationTexts.name(holdings)
    let row = PreferencesRow(title: name, subtitle: ApplicationTexts.subtitle(holdings))
    if holdings.items + holdings.shared > 0 {
      row.add(
        Button(icon: "view-list-symbolic", name: localized("Show the items of %s", name)) {
          [weak self] in self?.showItems(holdings)
        })
    }
    row.add(
      Button(icon: "user-trash-symbolic", name: localized("Forget %s", name)) { [weak self] in
        self?.confirm(holdings)
      })
    return row
  }

  private func showItems(_ holdings: ApplicationHoldings) {
    let name = ApplicationTexts.name(holdings)
    window?.request(
      title: localized("Items of an Application"),
      reason: localized("Show the items of %s", holdings.application.withoutSteering),
      { (core) throws(Failure) -> FoundItems in
        try core.ask(FindItemsOfApplication(application: holdings.application))
      }
    ) { [weak self] found in
      guard let window = self?.window else { return }
      ItemsWindow(over: window, title: localized("Items of %s", name), found).present()
    }
  }

  private func confirm(_ holdings: ApplicationHoldings) {
    window?.confirm(
      localized("Forget %s?", ApplicationTexts.name(holdings)),
      localized(
        "Everything that %s keeps here is removed, and what others share with it is shared no longer. This cannot be undone.",
        holdings.application.withoutSteering),
      localized("Forget")
    ) { [weak self] in self?.forget(holdings) }
  }

  private func forget(_ holdings: ApplicationHoldings) {
    let name = ApplicationTexts.name(holdings)
    window?.request(
      title: localized("Forget an Application"),
      reason: localized("Forget the application %s", holdings.application.withoutSteering),
      { (core) throws(Failure) -> ItemsChanged in
        try core.ask(ForgetApplication(application: holdings.application))
      }
    ) { [weak self] _ in
      self?.window?.window.toast(localized("%s is forgotten.", name))
      self?.look()
    }
  }
}

private enum ApplicationTexts {
  /// The last part of a path, or the whole of another name.
  static func name(_ holdings: ApplicationHoldings) -> String {
    let name = holdings.application.withoutSteering
    guard name.hasPrefix("/"), !name.hasPrefix("//"), let end = name.split(separator: "/").last
    else { return name }
    return String(end)
  }

  /// Its full name, unless that is the title, and what it keeps.
  static func subtitle(_ holdings: ApplicationHoldings) -> String {
    var parts: [String] = []
    let whole = holdings.application.withoutSteering
    if whole != name(holdings) { parts.append(whole) }
    if holdings.items > 0 {
      parts.append(localized("%s item", "%s items", count: Int(holdings.items)))
    }
    if holdings.keys > 0 { parts.append(localized("%s key", "%s keys", count: Int(holdings.keys))) }
    if holdings.shared > 0 {
      parts.append(localized("%s shared with it", "%s shared with it", count: Int(holdings.shared)))
    }
    return parts.joined(separator: " · ")
  }
}

/// The names of an application's items. No secret comes here.
@MainActor
private final class ItemsWindow {
  private let window: Window

  init(over parent: SettingsWindow, title: String, _ found: FoundItems) {
    window = Window(
      of: parent.application, title: title, width: 420, height: 480, over: parent.window)
    let list = PreferencesGroup(title: title)
    for item in found.items {
      list.add(PreferencesRow(title: ItemTexts.name(item), subtitle: ItemTexts.subtitle(item)))
    }
    if found.next > 0 { list.description = localized("There are more than these.") }
    let page = PreferencesPage()
    page.add(list)
    page.expand(vertically: true)
    window.setContent(Stack(.down, [HeaderBar(), page]))
    window.escape = { [weak self] in self?.window.close() }
  }

  func present() {
    window.present(keeping: self)
  }
}
