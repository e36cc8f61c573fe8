import CGTK

/// A text. It wraps, is read aloud, and never taken for markup.
package final class Label: Widget {
  package enum Look: String {
    case plain = "body"
    case title = "title-2"
    case heading = "heading"
    case dim = "dim-label"
    case warning = "warning"
    case error = "error"
    case success = "success"
    /// Letters of one width, which are told from each other.
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

  /// The widest it becomes by itself, in letters.
  package func limitWidth(letters: Int32) {
    unsafe gtk_label_set_max_width_chars(object.opaque, letters)
  }

  /// Is as wide as so many letters of average width, whatever it says and whatever their size.
  package func setWidth(letters: Int32) {
    unsafe gtk_label_set_width_chars(object.opaque, letters)
    limitWidth(letters: letters)
  }

  /// Has room for so many lines from the beginning, whatever the size of the text: the window need
  /// not grow when more is said.
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

  /// At most so many lines; what is left out ends with an ellipsis.
  package func limitLines(_ lines: Int32) {
    unsafe gtk_label_set_lines(object.opaque, lines)
    unsafe gtk_label_set_ellipsize(object.opaque, PANGO_ELLIPSIZE_END)
  }
}

/// Something to press.
package final class Button: Widget {
  package enum Look: String {
    case plain = ""
    /// What is meant to be pressed.
    case suggested = "suggested-action"
    /// What cannot be undone.
    case destructive = "destructive-action"
    case flat = "flat"
  }

  package init(_ title: String, _ look: Look = .plain, _ press: @escaping @MainActor () -> Void) {
    unsafe super.init(gtk_button_new_with_label(title))
    if look != .plain { addStyle(look.rawValue) }
    Signal.connect(object, "clicked", press)
  }

  /// A button with a picture of the icon theme's; `name` is said of it.
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
