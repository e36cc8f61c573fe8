import CGTK
import WindowContents

/// A scrolling page of groups.
package final class PreferencesPage: Widget {
  package init() { unsafe super.init(adw_preferences_page_new()) }

  package func add(_ group: PreferencesGroup) {
    unsafe adw_preferences_page_add(
      object.as(AdwPreferencesPage.self), group.object.as(AdwPreferencesGroup.self))
  }
}

/// Rows under a heading.
package final class PreferencesGroup: Widget {
  package init(title: String) {
    self.title = title
    unsafe super.init(adw_preferences_group_new())
    unsafe adw_preferences_group_set_title(group, title.asMarkup)
  }

  private var group: UnsafeMutablePointer<AdwPreferencesGroup> {
    unsafe object.as(AdwPreferencesGroup.self)
  }

  package var title: String {
    didSet { unsafe adw_preferences_group_set_title(group, title.asMarkup) }
  }

  /// A text below the heading.
  package var description: String = "" {
    didSet { unsafe adw_preferences_group_set_description(group, description.asMarkup) }
  }

  package func add(_ row: Widget) { unsafe adw_preferences_group_add(group, row.pointer) }

  package func remove(_ row: Widget) { unsafe adw_preferences_group_remove(group, row.pointer) }

  /// Puts a widget beside the heading.
  package func setSuffix(_ widget: Widget) {
    unsafe adw_preferences_group_set_header_suffix(group, widget.pointer)
  }
}

/// A row of a group, with a title, a subtitle and widgets.
package final class PreferencesRow: Widget {
  package init(title: String, subtitle: String = "", icon: String? = nil) {
    (self.title, self.subtitle) = (title, subtitle)
    unsafe super.init(adw_action_row_new())
    setTexts()
    unsafe adw_action_row_set_subtitle_lines(row, 0)
    unsafe adw_action_row_set_title_lines(row, 0)
    if let icon { unsafe adw_action_row_set_icon_name(row, icon) }
  }

  private var row: UnsafeMutablePointer<AdwActionRow> { unsafe object.as(AdwActionRow.self) }

  package var title: String { didSet { setTexts() } }

  package var subtitle: String { didSet { setTexts() } }

  private func setTexts() {
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    unsafe adw_action_row_set_subtitle(row, subtitle.asMarkup)
  }

  package func add(_ suffix: Widget) {
    unsafe gtk_widget_set_valign(suffix.pointer, GTK_ALIGN_CENTER)
    unsafe adw_action_row_add_suffix(row, suffix.pointer)
  }

  /// Pressing the row presses this widget.
  package func setActivated(_ widget: Widget) {
    unsafe adw_action_row_set_activatable_widget(row, widget.pointer)
  }

  /// Whether the row is lit.
  package var isLit = false {
    didSet { if isLit { addStyle("lit") } else { removeStyle("lit") } }
  }
}

/// A row with a switch.
package final class SwitchRow: Widget {
  private let toggle: ObjectReference

  package init(title: String, subtitle: String = "", isOn: Bool) {
    guard let toggle = unsafe gtk_switch_new() else {
      preconditionFailure("GTK makes every widget it is asked for")
    }
    self.toggle = unsafe ObjectReference(sinking: toggle)
    unsafe super.init(adw_action_row_new())
    let row = unsafe object.as(AdwActionRow.self)
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    unsafe adw_action_row_set_subtitle(row, subtitle.asMarkup)
    unsafe adw_action_row_set_subtitle_lines(row, 0)
    unsafe gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
    unsafe adw_action_row_add_suffix(row, toggle)
    unsafe adw_action_row_set_activatable_widget(row, toggle)
    unsafe gtk_switch_set_active(self.toggle.opaque, isOn ? 1 : 0)
  }

  package var isOn: Bool { unsafe gtk_switch_get_active(toggle.opaque) != 0 }
}

/// A row with a text field, for what is no secret.
package final class TextRow: Widget {
  /// Called for Enter.
  package var submit: (@MainActor () -> Void)?
  package var changed: (@MainActor () -> Void)?

  package init(title: String, text: String = "") {
    unsafe super.init(adw_entry_row_new())
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    unsafe gtk_editable_set_text(object.opaque, text)
    Signal.connect(object, "entry-activated") { [weak self] in self?.submit?() }
    Signal.connect(object, "changed") { [weak self] in self?.changed?() }
  }

  package var text: String {
    get { unsafe String(cString: gtk_editable_get_text(object.opaque)) }
    set { unsafe gtk_editable_set_text(object.opaque, newValue) }
  }
}

final class ProgressBar: Widget {
  init(name: String) {
    unsafe super.init(gtk_progress_bar_new())
    setAccessibleName(name)
  }

  /// 0…1.
  var share: Double {
    get { unsafe gtk_progress_bar_get_fraction(object.opaque) }
    set { unsafe gtk_progress_bar_set_fraction(object.opaque, newValue) }
  }
}

/// A row in which one of several texts is chosen.
package final class ChoiceRow: Widget {
  /// Called when the person chooses another text.
  package var changed: (@MainActor (Int) -> Void)?
  private var isShowing = false

  package init(title: String) {
    unsafe super.init(adw_combo_row_new())
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    Signal.connect(object, property: "selected") { [weak self] in
      guard let self, !self.isShowing else { return }
      self.changed?(self.selected)
    }
  }

  private var row: UnsafeMutablePointer<AdwComboRow> { unsafe object.as(AdwComboRow.self) }

  private var selected: Int { Int(unsafe adw_combo_row_get_selected(row)) }

  package func show(_ texts: [String], chosen: Int) {
    isShowing = true
    defer { isShowing = false }
    let list = unsafe gtk_string_list_new(nil)
    for text in texts { unsafe gtk_string_list_append(list, text) }
    unsafe adw_combo_row_set_model(row, list)
    unsafe g_object_unref(UnsafeMutableRawPointer(list))
    unsafe adw_combo_row_set_selected(row, guint(chosen))
  }
}
