import CGTK
import WindowContents

/// A page of groups, which scrolls.
package final class PreferencesPage: Widget {
  package init() { unsafe super.init(adw_preferences_page_new()) }

  package func add(_ group: PreferencesGroup) {
    unsafe adw_preferences_page_add(
      object.as(AdwPreferencesPage.self), group.object.as(AdwPreferencesGroup.self))
  }
}

/// Rows under a heading.
package final class PreferencesGroup: Widget {
  package init(title: String, description: String = "") {
    self.title = title
    unsafe super.init(adw_preferences_group_new())
    unsafe adw_preferences_group_set_title(group, title.asMarkup)
    self.description = description
  }

  private var group: UnsafeMutablePointer<AdwPreferencesGroup> {
    unsafe object.as(AdwPreferencesGroup.self)
  }

  package var title: String {
    didSet { unsafe adw_preferences_group_set_title(group, title.asMarkup) }
  }

  /// A sentence below the heading.
  package var description: String = "" {
    didSet { unsafe adw_preferences_group_set_description(group, description.asMarkup) }
  }

  package func add(_ row: Widget) { unsafe adw_preferences_group_add(group, row.pointer) }

  package func remove(_ row: Widget) { unsafe adw_preferences_group_remove(group, row.pointer) }

  /// What stands beside the heading.
  package func setSuffix(_ widget: Widget) {
    unsafe adw_preferences_group_set_header_suffix(group, widget.pointer)
  }
}

/// A line of a group: title, a smaller text below it, and what is at its ends.
package final class PreferencesRow: Widget {
  /// `press`: what happens when the row is pressed; nil: it cannot be.
  package init(
    title: String, subtitle: String = "", icon: String? = nil,
    press: (@MainActor () -> Void)? = nil
  ) {
    (self.title, self.subtitle) = (title, subtitle)
    unsafe super.init(adw_action_row_new())
    setTexts()
    unsafe adw_action_row_set_subtitle_lines(row, 0)
    unsafe adw_action_row_set_title_lines(row, 0)
    if let icon { unsafe adw_action_row_set_icon_name(row, icon) }
    guard let press else { return }
    unsafe gtk_list_box_row_set_activatable(object.as(GtkListBoxRow.self), 1)
    Signal.connect(object, "activated", press)
  }

  private var row: UnsafeMutablePointer<AdwActionRow> { unsafe object.as(AdwActionRow.self) }

  package var title: String { didSet { setTexts() } }

  package var subtitle: String { didSet { setTexts() } }

  private func setTexts() {
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    unsafe adw_action_row_set_subtitle(row, subtitle.asMarkup)
  }

  package func add(_ suffix: Widget) { unsafe adw_action_row_add_suffix(row, suffix.pointer) }

  /// Pressing the row presses this, which a screen reader calls by its own name and the row's title.
  package func setActivated(_ widget: Widget) {
    unsafe adw_action_row_set_activatable_widget(row, widget.pointer)
  }

  /// Lights it up, or no more.
  package var isLit = false {
    didSet { if isLit { addStyle("lit") } else { removeStyle("lit") } }
  }
}
