import CGTK
import WindowContents

/// A line of a group in which a text is typed that is no secret.
package final class TextRow: Widget {
  /// Enter was pressed in it.
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

/// How far something has come.
package final class ProgressBar: Widget {
  package init(name: String) {
    unsafe super.init(gtk_progress_bar_new())
    setAccessibleName(name)
  }

  /// 0…1.
  package var share: Double {
    get { unsafe gtk_progress_bar_get_fraction(object.opaque) }
    set { unsafe gtk_progress_bar_set_fraction(object.opaque, newValue) }
  }
}
