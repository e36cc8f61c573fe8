import Protocol
import WindowContents
import Windows

/// The reader, connected or why not, and what else is to be known of this machine.
@MainActor
final class ReadersPage {
  let content = PreferencesPage()
  private let reader = PreferencesGroup(title: localized("Reader"))
  private let safety = PreferencesGroup(title: localized("Protection"))
  private var rows: [(PreferencesGroup, PreferencesRow)] = []

  init() {
    content.add(reader)
    content.add(safety)
  }

  func show(_ snapshot: Snapshot) {
    for (group, row) in rows { group.remove(row) }
    rows = []
    let status = snapshot.status
    let found = ReaderTexts.reader(status)
    add(
      to: reader, found.title, found.subtitle,
      found.isConnected ? "auth-fingerprint-symbolic" : "dialog-warning-symbolic")
    for (title, subtitle) in ReaderTexts.protection(status) {
      add(to: safety, title, subtitle, nil)
    }
  }

  private func add(
    to group: PreferencesGroup, _ title: String, _ subtitle: String, _ icon: String?
  ) {
    let row = PreferencesRow(title: title, subtitle: subtitle, icon: icon)
    group.add(row)
    rows.append((group, row))
  }
}
