import CGTK
import WindowContents

/// A line of a group in which one of several texts is chosen.
package final class ChoiceRow: Widget {
  /// Another one was chosen by the person.
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

  /// The number of the one that is chosen.
  private var selected: Int { Int(unsafe adw_combo_row_get_selected(row)) }

  /// Shows these texts, of which one is chosen.
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
