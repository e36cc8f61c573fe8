import CGTK
import LinuxSystem

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

  /// Runs blocking `work` on a thread of its own, then `body` with what it gave on the main thread.
  package static func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value,
    then body: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    SystemThread.start(name: "authcore request") {
      let value = work()
      perform { body(value) }
    }
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
