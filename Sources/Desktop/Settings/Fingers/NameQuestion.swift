import Protocol
import WindowContents
import Windows

/// Asks for the name of a finger.
@MainActor
final class NameQuestion {
  private let alert: Alert
  private let row: TextRow

  /// `done` gets a name that a finger can have.
  init(
    over parent: Window, heading: String, body: String, accept: String, name: String,
    done: @escaping @MainActor (String) -> Void
  ) {
    let row = TextRow(title: localized("Name"), text: name)
    let group = PreferencesGroup(title: "")
    group.add(row)
    self.row = row
    alert = Alert(
      over: parent, heading: heading, body: body, content: group,
      [
        .init(localized("Cancel")) {},
        .init(accept, .suggested) { done(row.text) },
      ])
    row.changed = { [weak self] in self?.check() }
    row.submit = { [weak self] in
      guard let self, Self.isName(self.row.text) else { return }
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

  private func check() { alert.setEnabled(Self.isName(row.text), answer: 1) }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.count <= Finger.mostNameCharacters
      && text.utf8.count <= Finger.longestName && !text.unicodeScalars.contains(where: \.isSteering)
  }
}
