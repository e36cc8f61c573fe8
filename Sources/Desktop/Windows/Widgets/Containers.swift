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
