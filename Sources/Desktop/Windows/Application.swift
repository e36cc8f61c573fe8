import CGTK

@MainActor
package final class Application {
  private let object: ObjectReference
  private let begin: @MainActor (Application) -> Void

  /// Whether there is a display. Without one GTK is not started.
  package static var hasDisplay: Bool { gtk_init_check() != 0 }

  /// - Parameters:
  ///   - identifier: the name of its desktop file, such as `org.example.Name`.
  ///   - isAlone: whether to activate a running instance instead of starting another.
  ///   - begin: called after the start, and when another start activates this instance.
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
  /// - Returns: the exit code.
  package func run() -> Int32 {
    Signal.connect(object, "startup") { [unowned self] in
      Style.load()
      unsafe cgtk_set_closing_keys(self.pointer)
    }
    Signal.connect(object, "activate") { [unowned self] in self.begin(self) }
    return unsafe g_application_run(object.as(GApplication.self), 0, nil)
  }

  /// Keeps running without windows, until ``quit()``.
  package func stayWithoutWindows() { unsafe g_application_hold(object.as(GApplication.self)) }

  package func quit() { unsafe g_application_quit(object.as(GApplication.self)) }

  var pointer: UnsafeMutablePointer<GtkApplication> { unsafe object.as(GtkApplication.self) }
}

/// Additions to libadwaita's style sheet.
private enum Style {
  /// Call it once.
  static func load() { unsafe cgtk_load_style(sheet) }

  /// For a row that a touch lights up.
  private static let sheet = """
    row.lit { background-color: alpha(@success_color, 0.35); }
    row { transition: background-color 300ms; }
    """
}

/// The loop of the main thread, where all windows are used.
///
/// Blocking work has its own threads, and returns with ``perform(_:)``.
package enum MainLoop {
  /// Runs `body` on the main thread later. May be called on any thread.
  package static func perform(_ body: @escaping @MainActor @Sendable () -> Void) {
    unsafe g_idle_add_full(G_PRIORITY_DEFAULT, runOnce, Kept(body).retained, releaseKept)
  }

  /// Runs `body` on the main thread after a delay, unless the timer is cancelled.
  @MainActor @discardableResult
  package static func after(
    _ delay: Duration, _ body: @escaping @MainActor @Sendable () -> Void
  ) -> Timer {
    Timer(milliseconds: UInt32(clamping: Int64(delay / .milliseconds(1))), body)
  }

  /// A timer, which GLib keeps until it fires.
  @MainActor
  package final class Timer {
    private var isDone = false

    fileprivate init(milliseconds: UInt32, _ body: @escaping @MainActor @Sendable () -> Void) {
      let work: Work = {
        guard !self.isDone else { return }
        self.isDone = true
        body()
      }
      unsafe g_timeout_add_full(
        G_PRIORITY_DEFAULT, milliseconds, runOnce, Kept(work).retained, releaseKept)
    }

    package func cancel() { isDone = true }
  }

  fileprivate typealias Work = @MainActor @Sendable () -> Void
}

/// GLib calls it on the thread of its main context.
private let runOnce: GSourceFunc = { data in
  let work = unsafe Kept<MainLoop.Work>.value(data)
  MainActor.assumeIsolated { work?() }
  return 0
}
