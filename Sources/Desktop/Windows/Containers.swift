import CGTK

/// Widgets beside or below each other.
package final class Stack: Widget {
  package enum Direction {
    case across, down
  }

  package init(_ direction: Direction, spacing: Int32 = 0, _ children: [Widget] = []) {
    unsafe super.init(
      gtk_box_new(
        direction == .across ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, spacing))
    for child in children { append(child) }
  }

  /// Buttons beside each other, all of one width.
  package convenience init(ofButtons buttons: [Button]) {
    for button in buttons { button.expand(horizontally: true) }
    self.init(.across, spacing: 12, buttons)
  }

  package func append(_ child: Widget) {
    unsafe gtk_box_append(object.as(GtkBox.self), child.pointer)
  }

  package func remove(_ child: Widget) {
    unsafe gtk_box_remove(object.as(GtkBox.self), child.pointer)
  }
}

/// Scrolls what is higher than the window.
package final class ScrolledArea: Widget {
  package init(_ child: Widget) {
    unsafe super.init(gtk_scrolled_window_new())
    unsafe gtk_scrolled_window_set_policy(object.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    unsafe gtk_scrolled_window_set_propagate_natural_height(object.opaque, 1)
    unsafe gtk_scrolled_window_set_child(object.opaque, child.pointer)
    expand(vertically: true)
  }
}

/// Shows one of several widgets, with an animated change.
package final class Alternatives: Widget {
  package init() {
    unsafe super.init(gtk_stack_new())
    unsafe gtk_stack_set_transition_type(object.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
    unsafe gtk_stack_set_vhomogeneous(object.opaque, 0)
  }

  package func add(_ child: Widget) {
    _ = unsafe gtk_stack_add_child(object.opaque, child.pointer)
  }

  package func show(_ child: Widget) {
    unsafe gtk_stack_set_visible_child(object.opaque, child.pointer)
  }
}

/// The pages of a window. A narrow window has the switcher at the bottom.
package final class Pages: Widget {
  private let pages: ObjectReference
  private let title: ObjectReference

  package init(title: String) {
    guard let pages = unsafe adw_view_stack_new(),
      let switcher = unsafe adw_view_switcher_title_new(),
      let bar = unsafe adw_view_switcher_bar_new()
    else { preconditionFailure("GTK makes every widget it is asked for") }
    self.pages = unsafe ObjectReference(sinking: pages)
    self.title = unsafe ObjectReference(sinking: switcher)
    let barReference = unsafe ObjectReference(sinking: bar)
    unsafe super.init(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
    unsafe adw_view_switcher_title_set_stack(self.title.opaque, self.pages.opaque)
    unsafe adw_view_switcher_title_set_title(self.title.opaque, title)
    unsafe adw_view_switcher_bar_set_stack(barReference.opaque, self.pages.opaque)
    let header = HeaderBar()
    unsafe adw_header_bar_set_title_widget(header.object.opaque, self.title.as(GtkWidget.self))
    unsafe gtk_box_append(object.as(GtkBox.self), header.pointer)
    unsafe gtk_widget_set_vexpand(self.pages.as(GtkWidget.self), 1)
    unsafe gtk_box_append(object.as(GtkBox.self), self.pages.as(GtkWidget.self))
    unsafe gtk_box_append(object.as(GtkBox.self), barReference.as(GtkWidget.self))
    // The window owns both widgets.
    Signal.connect(self.title, property: "title-visible") { [weak title = self.title] in
      guard let title else { return }
      let isNarrow = unsafe adw_view_switcher_title_get_title_visible(title.opaque)
      unsafe adw_view_switcher_bar_set_reveal(barReference.opaque, isNarrow)
    }
  }

  package func add(_ page: Widget, title: String, icon: String) {
    _ = unsafe adw_view_stack_add_titled_with_icon(pages.opaque, page.pointer, title, title, icon)
  }

  /// Calls `body` when another page is shown.
  package func onChange(_ body: @escaping @MainActor () -> Void) {
    Signal.connect(pages, property: "visible-child", body)
  }

  /// Whether this is the page that is shown.
  package func shows(_ page: Widget) -> Bool {
    unsafe adw_view_stack_get_visible_child(pages.opaque) == page.pointer
  }
}
