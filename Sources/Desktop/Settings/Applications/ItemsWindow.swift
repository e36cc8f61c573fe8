import Protocol
import WindowContents
import Windows

/// What the items of one application are called. No secret comes here.
@MainActor
final class ItemsWindow {
  private let window: Window

  init(over parent: SettingsWindow, title: String, _ found: FoundItems) {
    window = Window(
      of: parent.application, title: title, width: 420, height: 480, over: parent.window)
    let list = PreferencesGroup(title: title)
    for item in found.items {
      list.add(
        PreferencesRow(title: ItemTexts.name(item), subtitle: ItemTexts.subtitle(item)))
    }
    if found.next > 0 { list.description = localized("There are more than these.") }
    let page = PreferencesPage()
    page.add(list)
    page.expand(vertically: true)
    window.setContent(Stack(.down, [HeaderBar(), page]))
    window.escape = { [weak self] in self?.window.close() }
  }

  func present() {
    window.present()
    // Until it is closed the window keeps this value, and this value the window.
    window.keep(self)
  }
}
