import CGTK

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
