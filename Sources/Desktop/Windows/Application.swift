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

/// The loop of the main thread, which runs everything that touches a window.
///
/// Blocking work has threads of its own, and comes back with ``perform(_:)``.
package enum MainLoop {
  /// Has `body` run on the main thread, after what it does at the moment. Any thread.
  package static func perform(_ body: @escaping @MainActor @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    unsafe g_idle_add_full(G_PRIORITY_DEFAULT, Work.once, work, Work.release)
  }

  /// Has `body` run on the main thread once so long has passed, unless the timer is cancelled before.
  @MainActor @discardableResult
  package static func after(
    _ delay: Duration, _ body: @escaping @MainActor @Sendable () -> Void
  ) -> Timer {
    Timer(milliseconds: UInt32(clamping: Int64(delay / .milliseconds(1))), body)
  }

  /// A moment to come. GLib keeps it until then.
  @MainActor
  package final class Timer {
    private var isDone = false

    fileprivate init(milliseconds: UInt32, _ body: @escaping @MainActor @Sendable () -> Void) {
      let work = unsafe Unmanaged.passRetained(
        Work {
          guard !self.isDone else { return }
          self.isDone = true
          body()
        }
      ).toOpaque()
      unsafe g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, Work.once, work, Work.release)
    }

    /// Nothing happens any more.
    package func cancel() { isDone = true }
  }

  /// What GLib keeps for the main thread, and gives up when it is done.
  private final class Work: Sendable {
    private let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

    /// Called by GLib on the thread of its main context with a value of this class.
    static let once: GSourceFunc = { data in
      guard let data = unsafe data else { return 0 }
      let work = unsafe Unmanaged<Work>.fromOpaque(data).takeUnretainedValue()
      MainActor.assumeIsolated { work.body() }
      return 0
    }

    /// Gives up the reference that GLib was handed.
    static let release: GDestroyNotify = { data in
      guard let data = unsafe data else { return }
      unsafe Unmanaged<Work>.fromOpaque(data).release()
    }
  }
}
