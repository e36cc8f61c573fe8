import CGTK

/// A text that wraps, and is never interpreted as markup.
package final class Label: Widget {
  package enum Look: String {
    case plain = "body"
    case title = "title-2"
    case heading = "heading"
    case dim = "dim-label"
    case warning = "warning"
    case error = "error"
    case success = "success"
    /// Letters of one width that are easy to distinguish.
    case monospace = "monospace"
  }

  private var look: Look

  package init(_ text: String = "", _ look: Look = .plain, centered: Bool = false) {
    self.look = look
    unsafe super.init(gtk_label_new(text))
    unsafe gtk_label_set_wrap(object.opaque, 1)
    unsafe gtk_label_set_wrap_mode(object.opaque, PANGO_WRAP_WORD_CHAR)
    unsafe gtk_label_set_xalign(object.opaque, centered ? 0.5 : 0)
    unsafe gtk_label_set_justify(object.opaque, centered ? GTK_JUSTIFY_CENTER : GTK_JUSTIFY_LEFT)
    addStyle(look.rawValue)
  }

  package var text: String {
    get { unsafe String(cString: gtk_label_get_text(object.opaque)) }
    set { unsafe gtk_label_set_text(object.opaque, newValue) }
  }

  package func set(_ text: String, _ look: Look) {
    self.text = text
    removeStyle(self.look.rawValue)
    self.look = look
    addStyle(look.rawValue)
  }

  /// Sets the maximum width in letters.
  package func limitWidth(letters: Int32) {
    unsafe gtk_label_set_max_width_chars(object.opaque, letters)
  }

  /// Sets the width in letters of average width, at any text size.
  func setWidth(letters: Int32) {
    unsafe gtk_label_set_width_chars(object.opaque, letters)
    limitWidth(letters: letters)
  }

  /// Reserves room for lines at any text size, so that the window need not grow.
  package func reserve(lines: Int) {
    guard
      let layout = unsafe gtk_widget_create_pango_layout(
        pointer, String(repeating: "\n", count: max(0, lines - 1)))
    else { return }
    var height: Int32 = 0
    unsafe pango_layout_get_pixel_size(layout, nil, &height)
    unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    setSize(height: height)
  }

  /// Limits the lines, with an ellipsis at the end.
  func limitLines(_ lines: Int32) {
    unsafe gtk_label_set_lines(object.opaque, lines)
    unsafe gtk_label_set_ellipsize(object.opaque, PANGO_ELLIPSIZE_END)
  }
}

package final class Button: Widget {
  package enum Look: String {
    case plain = ""
    /// The answer that is suggested.
    case suggested = "suggested-action"
    /// An action that cannot be undone.
    case destructive = "destructive-action"
    case flat = "flat"
  }

  package init(_ title: String, _ look: Look = .plain, _ press: @escaping @MainActor () -> Void) {
    unsafe super.init(gtk_button_new_with_label(title))
    if look != .plain { addStyle(look.rawValue) }
    Signal.connect(object, "clicked", press)
  }

  /// A button with an icon of the theme. Screen readers say `name`.
  package init(icon: String, name: String, _ press: @escaping @MainActor () -> Void) {
    unsafe super.init(gtk_button_new_from_icon_name(icon))
    addStyle(Look.flat.rawValue)
    unsafe gtk_widget_set_tooltip_text(pointer, name)
    setAccessibleName(name)
    align(vertically: .center)
    Signal.connect(object, "clicked", press)
  }

  package var title: String {
    get {
      unsafe gtk_button_get_label(object.as(GtkButton.self)).map { unsafe String(cString: $0) }
        ?? ""
    }
    set { unsafe gtk_button_set_label(object.as(GtkButton.self), newValue) }
  }
}
