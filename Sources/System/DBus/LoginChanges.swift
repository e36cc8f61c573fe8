import LinuxSystem

/// Watches logind for changes of sessions and lids, while there are watchers. Any thread.
///
/// It has a thread while there are watchers.
package final class LoginChanges: Sendable {
  /// Names a watcher.
  package struct Watch: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct State: Sendable {
    var watchers: [Watch: @Sendable (_ isSignaled: Bool) -> Void] = [:]
    var last: UInt64 = 0
    var isRunning = false
    /// Whether changes are noticed, or cannot be.
    var isReady = false
  }

  private let address: BusConnection.Address
  private let intervalMicroseconds: UInt64
  private let state = Guarded(State())

  /// Every signal of logind.
  private static let rule =
    "type='signal',sender='org.freedesktop.login1',path_namespace='/org/freedesktop/login1'"
  private static let timeout: UInt64 = 2_000_000

  /// - Parameters:
  ///   - address: of the bus.
  ///   - intervalMicroseconds: watchers are also called without a signal after this time: logind
  ///     does not report every lid.
  package init(
    at address: BusConnection.Address = .system, intervalMicroseconds: UInt64 = 5_000_000
  ) {
    (self.address, self.intervalMicroseconds) = (address, intervalMicroseconds)
  }

  /// Calls `body` on another thread after every possible change from now on, until ``end(_:)``, and
  /// perhaps once more after that. `isSignaled` is false if only the interval has passed while
  /// logind can be heard.
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

  package func end(_ watch: Watch) { state.update { $0.watchers[watch] = nil } }

  /// Waits until there are no watchers and the thread has ended.
  package func waitUntilQuiet() { state.wait { $0.isRunning ? nil : () } }

  private func run() {
    var notices = open()
    state.update { $0.isReady = true }
    var isSignaled = true
    while callWatchers(isSignaled) { (notices, isSignaled) = wait(notices) }
  }

  /// - Returns: whether there are watchers. If not, the next one starts another thread.
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
      let bus = try BusConnection(to: address, timeout: Self.timeout)
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
