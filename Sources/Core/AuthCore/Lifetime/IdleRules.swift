import Glibc

/// Decides when an idle core locks the device, and when it ends. A value without a clock: times are
/// nanoseconds since boot.
struct IdleRules: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    case lock
    /// Find out whether the core holds something worth keeping, and end it if not.
    case endUnlessNeeded
    /// Ask again after at most so many nanoseconds.
    case wait(UInt64)
  }

  struct Activity: Equatable, Sendable {
    /// When the owner last proved to be present: a match, or a correct passcode.
    var lastProof: UInt64
    var lastActivity: UInt64
    var hasClients: Bool
    /// Seconds without proof of the owner after which the device locks.
    var lockAfter: UInt32
    var arrivals: UInt64 = 0
  }

  private static let second: UInt64 = 1_000_000_000
  private static let endAfter = 60 * second
  /// The longest wait: a waiting thread does not notice the time that the machine was suspended.
  static let longestWait = 60 * second

  private let endsByItself: Bool
  /// When the device was last locked. It is locked again after the same time, which does no harm,
  /// in case something unlocked it unseen.
  private var lastLock: UInt64 = 0
  private var lastCheck: UInt64?

  init(endsByItself: Bool) { self.endsByItself = endsByItself }

  /// What to do at `now`. Only a proof of the owner delays the lock; requests do not.
  mutating func action(at now: UInt64, _ activity: Activity) -> Action {
    let since = max(activity.lastProof, lastLock)
    let unproved = now - min(since, now)
    let lockAfter = UInt64(activity.lockAfter) * Self.second
    if unproved >= lockAfter {
      lastLock = now
      return .lock
    }
    var next = min(Self.longestWait, lockAfter - unproved)
    if endsByItself, !activity.hasClients {
      let due = max(
        activity.lastActivity &+ Self.endAfter, lastCheck.map { $0 &+ Self.endAfter } ?? 0)
      if now >= due {
        lastCheck = now
        return .endUnlessNeeded
      }
      next = min(next, due - now)
    }
    return .wait(next)
  }
}

/// Time since boot, including suspended time: a laptop that slept for an hour was idle for an hour.
struct BootClock: Sendable {
  let now: @Sendable () -> UInt64

  /// `CLOCK_BOOTTIME` (clock_gettime(2)).
  static let system = BootClock {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
