import DBus

/// When a device locks because of what happens to the screens of its owner, and whether one of them
/// keeps it open (CLI.md, "The time until locking"). A value: what logind says goes in.
struct ScreenRules: Sendable {
  /// Desktops that set LockedHint whenever they lock, as login managers call them: GNOME's shell, and
  /// Plasma. Of any other it is known once its session has been seen locked.
  private static let lockingDesktops: Set<String> = [
    "gnome", "gnome-classic", "gnome-wayland", "gnome-xorg", "ubuntu", "ubuntu-wayland",
    "ubuntu-xorg", "kde", "plasma", "plasmawayland", "plasmax11",
  ]
  /// Clocks that are read one after the other differ by less, in nanoseconds.
  private static let clockTolerance: UInt64 = 1_000_000_000

  /// Whether a session is seen that is unlocked and will say when it locks.
  private(set) var keepsOpen = false
  /// The sessions that were seen and unlocked.
  private var open: Set<String> = []
  /// Those that have been locked since they began.
  private var haveLocked: Set<String> = []
  /// Whether logind answered when it was last asked.
  private(set) var isReached = false
  private var suspended: UInt64?

  /// Takes what logind says; nil: it does not.
  /// - Parameters:
  ///   - screens: what the owner sees.
  ///   - total: for how long the machine has been suspended since it was started, in nanoseconds.
  /// - Returns: whether the device is to be locked: a screen was locked, its session ended or another
  ///   one took its place; the machine was or will be suspended; logind was there, and is no more.
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

  /// Whether the machine was suspended since this was last asked, by whatever.
  mutating func hasSlept(before total: UInt64) -> Bool {
    defer { suspended = total }
    return suspended.map { total > $0 + Self.clockTolerance } ?? false
  }
}
