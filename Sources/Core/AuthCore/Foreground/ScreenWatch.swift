import DBus
import Glibc
import LinuxSystem

/// Follows one user's screens at logind, from the first proof of the owner on. Any thread.
final class ScreenWatch: Sendable {
  /// How often a silent logind is asked again, and the clocks are compared otherwise.
  static let intervalMicroseconds: UInt64 = 60_000_000

  private struct State: Sendable {
    var rules = ScreenRules()
    var watch: LoginChanges.Watch?
    var hasBegun = false
    var hasEnded = false
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
  ///   - suspended: how long the machine has been suspended since boot, in nanoseconds.
  init(
    of user: UInt32, _ manager: LoginManager = LoginManager(),
    _ changes: LoginChanges = LoginChanges(intervalMicroseconds: intervalMicroseconds),
    suspended: @escaping @Sendable () -> UInt64 = { ScreenWatch.suspendedTime }
  ) {
    self.user = user
    self.manager = manager
    self.changes = changes
    self.suspended = suspended
  }

  /// Whether an unlocked screen will report when it locks.
  var keepsOpen: Bool { state.read { $0.rules.keepsOpen } }

  /// Calls `lock`, on a thread of its own, whenever a screen requires it. Only the first call
  /// counts.
  func begin(_ lock: @escaping @Sendable () -> Void) {
    let isFirst = state.update { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    // Not on the caller's thread: the bus may be slow.
    SystemThread.start(name: "screens") { [self] in
      let watch = changes.watch { [self] isSignaled in
        let total = suspended()
        // Logind reports changes, but a machine can be suspended without it.
        let isAsked = isSignaled || !state.read { $0.rules.isReached }
        let screens = isAsked ? manager.screens(of: user) : nil
        let mustLock = state.update { state in
          state.isKnown = true
          return isAsked
            ? state.rules.take(screens, suspended: total) : state.rules.hasSlept(before: total)
        }
        // An enclave that does not answer must not hold up other screens.
        if mustLock { SystemThread.start(name: "screen-lock", lock) }
      }
      let hasEnded = state.update { state in
        state.watch = state.hasEnded ? nil : watch
        return state.hasEnded
      }
      if hasEnded { changes.end(watch) }
    }
  }

  func waitUntilKnown() { state.wait { $0.isKnown ? () : nil } }

  func end() {
    let watch = state.update { state in
      state.hasEnded = true
      return state.watch.take()
    }
    if let watch { changes.end(watch) }
  }

  /// How long the machine has been suspended since boot: CLOCK_BOOTTIME less CLOCK_MONOTONIC
  /// (clock_gettime(2)).
  static var suspendedTime: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let awake = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    let now = BootClock.system.now()
    return now > awake ? now - awake : 0
  }
}

/// When a device locks because of its owner's screens, and whether one of them keeps it open. A
/// value; it is told what logind says.
struct ScreenRules: Sendable {
  /// Desktops that always set LockedHint when they lock: GNOME and Plasma, as login managers call
  /// them. Others count once their session has been seen locked.
  private static let lockingDesktops: Set<String> = [
    "gnome", "gnome-classic", "gnome-wayland", "gnome-xorg", "ubuntu", "ubuntu-wayland",
    "ubuntu-xorg", "kde", "plasma", "plasmawayland", "plasmax11",
  ]
  /// Two clocks that are read one after the other differ by less, in nanoseconds.
  private static let clockTolerance: UInt64 = 1_000_000_000

  /// Whether an unlocked session is on a screen that will report when it locks.
  private(set) var keepsOpen = false
  /// The sessions that were on a screen and unlocked.
  private var open: Set<String> = []
  /// Sessions that have been locked since they began.
  private var haveLocked: Set<String> = []
  private(set) var isReached = false
  private var suspended: UInt64?

  /// Takes logind's answer.
  /// - Parameters:
  ///   - screens: what the owner sees; nil if logind does not answer.
  ///   - total: how long the machine has been suspended since boot, in nanoseconds.
  /// - Returns: whether to lock the device: a screen was locked, its session ended or another took
  ///   its place; the machine was or will be suspended; logind has stopped answering.
  mutating func take(_ screens: UserScreens?, suspended total: UInt64) -> Bool {
    let hasSlept = hasSlept(before: total)
    guard let screens else {
      defer { (isReached, keepsOpen, open) = (false, false, []) }
      return isReached || hasSlept
    }
    isReached = true
    haveLocked.formIntersection(screens.sessions.map(\.name))
    haveLocked.formUnion(screens.sessions.filter(\.isLocked).map(\.name))
    let seen = screens.sessions.filter { $0.isActive && !$0.isLocked }
    let before = open
    open = Set(seen.map(\.name))
    keepsOpen = seen.contains {
      haveLocked.contains($0.name) || Self.lockingDesktops.contains($0.desktop.lowercased())
    }
    return hasSlept || screens.isGoingToSleep || !before.isSubset(of: open)
  }

  /// Whether the machine was suspended since the last call.
  mutating func hasSlept(before total: UInt64) -> Bool {
    defer { suspended = total }
    return suspended.map { total > $0 + Self.clockTolerance } ?? false
  }
}
