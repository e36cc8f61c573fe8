import CGTK4
import ChoreKeeping
import Foundation

/// The list in a window, with a row to add a chore and a message.
///
/// `authcore-agent` asks the owner. This program never sees a passcode.
@MainActor
final class ChoresWindow {
  private typealias Widget = UnsafeMutablePointer<GtkWidget>

  private let program: ChoresProgram
  private var list: Widget?
  private var entry: Widget?
  private var message: Widget?
  /// The rows that show chores.
  private var rows: [Widget] = []

  init(_ program: ChoresProgram) { self.program = program }

  func open(in application: UnsafeMutablePointer<GtkApplication>) {
    guard let window = adw_application_window_new(application),
      let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), let header = adw_header_bar_new(),
      let list = gtk_list_box_new(), let entry = adw_entry_row_new(),
      let message = gtk_label_new("")
    else { return }
    (self.list, self.entry, self.message) = (list, entry, message)
    adw_preferences_row_set_title(typed(entry), "Add a Chore")
    adw_entry_row_set_show_apply_button(typed(entry), 1)
    gtk_widget_add_css_class(list, "boxed-list")
    gtk_list_box_set_selection_mode(OpaquePointer(list), GTK_SELECTION_NONE)
    gtk_list_box_append(OpaquePointer(list), entry)
    gtk_label_set_wrap(OpaquePointer(message), 1)
    for side in [list, message] {
      gtk_widget_set_margin_start(side, 18)
      gtk_widget_set_margin_end(side, 18)
    }
    gtk_widget_set_margin_bottom(message, 18)
    for child in [header, list, message] { gtk_box_append(typed(box), child) }
    adw_application_window_set_content(typed(window), box)
    gtk_window_set_title(typed(window), "Chores")
    gtk_window_set_default_size(typed(window), 400, 320)
    let add: chores_handler = { _, data in
      guard let data else { return }
      let window = Unmanaged<ChoresWindow>.fromOpaque(data).takeUnretainedValue()
      MainActor.assumeIsolated { window.add() }
    }
    for signal in ["apply", "entry-activated"] {
      chores_connect(entry, signal, add, Unmanaged.passUnretained(self).toOpaque())
    }
    do {
      show(try program.file.load())
    } catch {
      say(error.localizedDescription)
    }
    gtk_window_present(typed(window))
  }

  /// Adds a chore. The owner is asked on another thread.
  private func add() {
    guard let entry else { return }
    let title = String(cString: gtk_editable_get_text(OpaquePointer(entry)))
    gtk_widget_set_sensitive(entry, 0)
    say("Waiting for the owner …")
    let program = program
    Task.detached { [self] in
      do {
        let list = try await program.add(title)
        onGTKThread { self.finish(list) }
      } catch {
        let text = error.localizedDescription
        onGTKThread { self.refuse(text) }
      }
    }
  }

  private func finish(_ list: ChoreList) {
    guard let entry else { return }
    gtk_editable_set_text(OpaquePointer(entry), "")
    gtk_widget_set_sensitive(entry, 1)
    say("Added.")
    show(list)
  }

  private func refuse(_ text: String) {
    if let entry { gtk_widget_set_sensitive(entry, 1) }
    say(text)
  }

  private func show(_ chores: ChoreList) {
    guard let list else { return }
    for row in rows { gtk_list_box_remove(OpaquePointer(list), row) }
    rows = chores.chores.enumerated().compactMap { index, chore in
      guard let row = adw_action_row_new() else { return nil }
      // A title is text, not markup.
      adw_preferences_row_set_use_markup(typed(row), 0)
      adw_preferences_row_set_title(typed(row), chore.title)
      gtk_list_box_insert(OpaquePointer(list), row, Int32(index))
      return row
    }
  }

  private func say(_ text: String) {
    if let message { gtk_label_set_text(OpaquePointer(message), text) }
  }

  /// Casts a widget to one of its classes.
  private func typed<Object>(_ widget: Widget) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(widget).assumingMemoryBound(to: Object.self)
  }
}

/// Runs something on GTK's thread.
private func onGTKThread(_ body: @escaping @MainActor @Sendable () -> Void) {
  g_idle_add(
    { data in
      guard let data else { return 0 }
      let work = Unmanaged<IdleWork>.fromOpaque(data).takeRetainedValue()
      MainActor.assumeIsolated { work.body() }
      return 0
    }, Unmanaged.passRetained(IdleWork(body)).toOpaque())
}

private final class IdleWork: Sendable {
  let body: @MainActor @Sendable () -> Void

  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
}
