import CGTK
import Glibc

/// A program with windows, on the main thread.
@MainActor
package final class Application {
  private let object: ObjectReference
  private let begin: @MainActor (Application) -> Void

  /// Whether there is a display to show windows on. Where there is none GTK is not begun.
  package static var hasDisplay: Bool { gtk_init_check() != 0 }

  /// - Parameters:
  ///   - identifier: that of its desktop file, as `org.example.Name`.
  ///   - isAlone: where it runs already, that one is called and this one ends.
  ///   - begin: called once it is started, and again where somebody else tried to start it.
  package init(
    _ identifier: String, isAlone: Bool, begin: @escaping @MainActor (Application) -> Void
  ) {
    guard
      let made = unsafe adw_application_new(
        identifier, isAlone ? G_APPLICATION_DEFAULT_FLAGS : G_APPLICATION_NON_UNIQUE)
    else { preconditionFailure("GObject makes every object it is asked for") }
    object = unsafe ObjectReference(keeping: made)
    self.begin = begin
    unsafe g_set_prgname(identifier)
  }

  /// Runs until the last window is closed, or ``quit()``.
  /// - Returns: what the process is to end with.
  package func run() -> Int32 {
    Signal.connect(object, "startup") { [unowned self] in
      Style.load()
      unsafe cgtk_set_closing_keys(self.pointer)
    }
    Signal.connect(object, "activate") { [unowned self] in self.begin(self) }
    return unsafe g_application_run(object.as(GApplication.self), 0, nil)
  }

  /// Goes on without a window until ``quit()``.
  package func stayWithoutWindows() { unsafe g_application_hold(object.as(GApplication.self)) }

  /// Ends ``run()``.
  package func quit() { unsafe g_application_quit(object.as(GApplication.self)) }

  var pointer: UnsafeMutablePointer<GtkApplication> { unsafe object.as(GtkApplication.self) }
}

/// What this module adds to libadwaita's style sheet.
enum Style {
  /// For the display; once.
  static func load() { unsafe cgtk_load_style(sheet) }

  /// A row that a touch lights up, and no more than that.
  private static let sheet = """
    row.lit { background-color: alpha(@success_color, 0.35); }
    row { transition: background-color 300ms; }
    """
}
