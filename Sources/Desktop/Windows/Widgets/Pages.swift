import CGTK
import WindowContents

/// Pages of a window, chosen in its upper edge, or below where it is narrow.
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
    // The weak reference is to a widget of the same window.
    Signal.connect(self.title, property: "title-visible") { [weak title = self.title] in
      guard let title else { return }
      let isNarrow = unsafe adw_view_switcher_title_get_title_visible(title.opaque)
      unsafe adw_view_switcher_bar_set_reveal(barReference.opaque, isNarrow)
    }
  }

  package func add(_ page: Widget, title: String, icon: String) {
    _ = unsafe adw_view_stack_add_titled_with_icon(
      pages.opaque, page.pointer, title, title, icon)
  }

  /// Has `body` called when another page is shown.
  package func onChange(_ body: @escaping @MainActor () -> Void) {
    Signal.connect(pages, property: "visible-child", body)
  }

  /// Whether this is the page that is shown.
  package func shows(_ page: Widget) -> Bool {
    unsafe adw_view_stack_get_visible_child(pages.opaque) == page.pointer
  }
}
