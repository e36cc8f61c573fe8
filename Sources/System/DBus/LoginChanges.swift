import LinuxSystem

/// Watches logind while somebody wants to know when a session becomes another's, ends, or a lid is
/// closed. Any thread.
///
/// One thread of its own, as long as somebody watches: an idle process has none.
package final class LoginChanges: Sendable {
  /// Names one who watches.
  package struct Watch: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct State: Sendable {
    var watchers: [Watch: @Sendable (_ isSignaled: Bool) -> Void] = [:]
    var last: UInt64 = 0
    var isRunning = false
    /// Whether what changes is noticed, or cannot be.
    var isReady = false
  }

  private let address: BusConnection.Address
  private let intervalMicroseconds: UInt64
  private let state = Guarded(State())

  /// Everything that logind says.
  private static let rule =
    "type='signal',sender='org.freedesktop.login1',path_namespace='/org/freedesktop/login1'"
  private static let patience: UInt64 = 2_000_000

  /// Watches nothing yet.
  /// - Parameters:
  ///   - address: of the bus.
  ///   - intervalMicroseconds: after which whoever watches is called without a signal, too: logind
  ///     says nothing of a lid that it does nothing about.
  package init(
    at address: BusConnection.Address = .system, intervalMicroseconds: UInt64 = 5_000_000
  ) {
    (self.address, self.intervalMicroseconds) = (address, intervalMicroseconds)
  }

  /// Has `body` called, on another thread, after whatever may have changed from here on, until
  /// ``end(_:)``. It may be called once more after that. It is told false if only the interval is
  /// over and logind, which can be heard, has said nothing.
  package func watch(_ body: @escaping @Sendable (_ isSignaled: Bool) -> Void) -> Watch {
    let (watch, mustStart) = state.update { state in
      state.last += 1
      let watch = Watch(number: state.last)
      state.watchers[watch] = body
      defer { state.isRunning = true }
      return (watch, !state.isRunning)
    }
    if mustStart { SystemThread.start(name: "seats") { [self] in run() } }
    state.wait { $0.isReady ? () : nil }
    return watch
  }

  /// Calls that one no more.
  package func end(_ watch: Watch) { state.update { $0.watchers[watch] = nil } }

  /// Waits until nobody watches and the thread is gone.
  package func waitUntilQuiet() { state.wait { $0.isRunning ? nil : () } }

  private func run() {
    var notices = open()
    state.update { $0.isReady = true }
    var isSignaled = true
    while callWatchers(isSignaled) { (notices, isSignaled) = wait(notices) }
  }

  /// - Returns: whether there are any; else the next one has another thread started.
  private func callWatchers(_ isSignaled: Bool) -> Bool {
    let watchers = state.update { state in
      if state.watchers.isEmpty { (state.isRunning, state.isReady) = (false, false) }
      return Array(state.watchers.values)
    }
    for body in watchers { body(isSignaled) }
    return !watchers.isEmpty
  }

  private func open() -> BusNotices? {
    do throws(BusError) {
      let bus = try BusConnection(to: address, patience: Self.patience)
      try bus.awaitReadiness()
      return try BusNotices(of: bus, matching: Self.rule)
    } catch {
      return nil
    }
  }

  /// - Returns: where to wait next, nil if the bus is gone; and whether something may have changed.
  private func wait(_ notices: BusNotices?) -> (BusNotices?, Bool) {
    guard let notices else {
      SystemThread.sleep(nanoseconds: intervalMicroseconds * 1000)
      return (open(), true)
    }
    do throws(BusError) {
      return (notices, try notices.wait(microseconds: intervalMicroseconds))
    } catch {
      return (nil, true)
    }
  }
}
