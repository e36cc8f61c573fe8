import Protocol
import WindowContents
import Windows

/// Asks for the name of a finger.
@MainActor
final class NameQuestion {
  private let alert: Alert
  private let row: TextRow
  private let group: PreferencesGroup

  /// `done` gets a name that a finger can have.
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
      [
        .init(localized("Cancel")) {},
        .init(accept, .suggested) { done(row.text) },
      ])
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
    // The dialog keeps this value, which keeps it: until it is answered.
    alert.keep(self)
  }

  private func check() {
    let problem = Self.problem(row.text)
    alert.setEnabled(problem == nil, answer: 1)
    group.description = problem ?? ""
  }

  /// Why a finger cannot be called so.
  private static func problem(_ text: String) -> String? {
    if text.isEmpty { return localized("A finger needs a name.") }
    if text.count > Finger.mostNameCharacters || text.utf8.count > Finger.longestName {
      return localized("A name has at most %s characters.", "\(Finger.mostNameCharacters)")
    }
    return text.unicodeScalars.contains(where: \.isSteering)
      ? localized("A name has no characters that cannot be seen.") : nil
  }
}
