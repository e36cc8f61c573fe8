package import DBus
import Glibc
import LinuxSystem

/// Follows the screens of one user at logind, from the first proof of the owner on. Any thread.
package final class ScreenWatch: Sendable {
  /// How often logind is looked for if it does not answer, and the clocks are compared if it does, in
  /// microseconds.
  static let intervalMicroseconds: UInt64 = 60_000_000

  private struct State: Sendable {
    var rules = ScreenRules()
    var watch: LoginChanges.Watch?
    var hasBegun = false
    var hasEnded = false
    /// Whether logind has been asked.
    var isKnown = false
  }

  private let user: UInt32
  private let manager: LoginManager
  private let changes: LoginChanges
  private let suspended: @Sendable () -> UInt64
  private let state = Guarded(State())

  /// - Parameters:
  ///   - user: whose screens.
  ///   - manager: is asked about them.
  ///   - changes: says when to ask.
  ///   - suspended: for how long the machine has been suspended since it was started, in nanoseconds.
  package init(
    of user: UInt32, _ manager: LoginManager = LoginManager(),
    _ changes: LoginChanges = LoginChanges(intervalMicroseconds: intervalMicroseconds),
    suspended: @escaping @Sendable () -> UInt64 = { ScreenWatch.suspendedTime }
  ) {
    self.user = user
    self.manager = manager
    self.changes = changes
    self.suspended = suspended
  }

  /// Whether a screen is in sight that is unlocked and will say when it locks.
  var keepsOpen: Bool { state.read { $0.rules.keepsOpen } }

  /// Calls `lock` from here on whenever the device is to be locked because of a screen, on a thread of
  /// its own. The first call counts.
  func begin(_ lock: @escaping @Sendable () -> Void) {
    let isFirst = state.update { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    // Not by whoever has just proved something: a bus may take its time.
    SystemThread.start(name: "screens") { [self] in
      let watch = changes.watch { [self] isSignaled in
        let total = suspended()
        // Logind says what changes. A machine can be suspended without it.
        let isAsked = isSignaled || !state.read { $0.rules.isReached }
        let screens = isAsked ? manager.screens(of: user) : nil
        let mustLock = state.update { state in
          state.isKnown = true
          return isAsked
            ? state.rules.take(screens, suspended: total) : state.rules.hasSlept(before: total)
        }
        // An enclave that does not answer holds up nobody's screen.
        if mustLock { SystemThread.start(name: "screen-lock", lock) }
      }
      let hasEnded = state.update { state in
        state.watch = state.hasEnded ? nil : watch
        return state.hasEnded
      }
      if hasEnded { changes.end(watch) }
    }
  }

  /// Waits until logind has been asked for the first time.
  func waitUntilKnown() { state.wait { $0.isKnown ? () : nil } }

  /// Calls nobody any more.
  func end() {
    let watch = state.update { state in
      state.hasEnded = true
      return state.watch.take()
    }
    if let watch { changes.end(watch) }
  }

  /// For how long the machine has been suspended since it was started: the clock that goes on meanwhile
  /// less the one that does not (clock_gettime(2)).
  package static var suspendedTime: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let awake = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    let now = BootClock.system.now()
    return now > awake ? now - awake : 0
  }
}
