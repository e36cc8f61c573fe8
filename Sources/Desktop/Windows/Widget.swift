import CGTK

/// A widget, for the main thread only.
@MainActor
package class Widget {
  let object: ObjectReference

  init(_ widget: UnsafeMutablePointer<GtkWidget>?) {
    guard let widget = unsafe widget else {
      preconditionFailure("GTK makes every widget it is asked for")
    }
    object = unsafe ObjectReference(sinking: widget)
  }

  final var pointer: UnsafeMutablePointer<GtkWidget> { unsafe object.as(GtkWidget.self) }

  package final var isVisible: Bool {
    get { unsafe gtk_widget_get_visible(pointer) != 0 }
    set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
  }

  package final var isEnabled: Bool {
    get { unsafe gtk_widget_get_sensitive(pointer) != 0 }
    set { unsafe gtk_widget_set_sensitive(pointer, newValue ? 1 : 0) }
  }

  package final func focus() { unsafe gtk_widget_grab_focus(pointer) }

  /// What screen readers say.
  final func setAccessibleName(_ name: String) {
    unsafe cgtk_set_accessible_name(pointer, name)
  }

  /// Adds a class of libadwaita's style sheet.
  final func addStyle(_ name: String) { unsafe gtk_widget_add_css_class(pointer, name) }

  final func removeStyle(_ name: String) {
    unsafe gtk_widget_remove_css_class(pointer, name)
  }

  /// Pixels on all sides.
  package final func setMargin(_ margin: Int32) {
    unsafe gtk_widget_set_margin_top(pointer, margin)
    unsafe gtk_widget_set_margin_bottom(pointer, margin)
    unsafe gtk_widget_set_margin_start(pointer, margin)
    unsafe gtk_widget_set_margin_end(pointer, margin)
  }

  package enum Alignment {
    case fill, start, center, end

    var value: GtkAlign {
      switch self {
      case .fill: GTK_ALIGN_FILL
      case .start: GTK_ALIGN_START
      case .center: GTK_ALIGN_CENTER
      case .end: GTK_ALIGN_END
      }
    }
  }

  package final func align(horizontally: Alignment = .fill, vertically: Alignment = .fill) {
    unsafe gtk_widget_set_halign(pointer, horizontally.value)
    unsafe gtk_widget_set_valign(pointer, vertically.value)
  }

  /// Lets it take the room that is left.
  package final func expand(horizontally: Bool = false, vertically: Bool = false) {
    unsafe gtk_widget_set_hexpand(pointer, horizontally ? 1 : 0)
    unsafe gtk_widget_set_vexpand(pointer, vertically ? 1 : 0)
  }

  /// Sets its minimum size in pixels at scale 1. -1 leaves a side as it is.
  final func setSize(width: Int32 = -1, height: Int32 = -1) {
    unsafe gtk_widget_set_size_request(pointer, width, height)
  }
}
