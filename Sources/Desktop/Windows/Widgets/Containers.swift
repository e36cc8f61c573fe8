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

/// One of several widgets at a time; the change between them is drawn.
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
