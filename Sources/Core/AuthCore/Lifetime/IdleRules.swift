import Glibc

/// When an idle core locks the device, and when it ends. A value without a clock: times are
/// nanoseconds since boot.
struct IdleRules: Equatable, Sendable {
  /// What to do.
  enum Action: Equatable, Sendable {
    case lock
    /// Find out whether the core holds something worth keeping; end it if not.
    case endUnlessNeeded
    /// Ask again after so many nanoseconds at most.
    case wait(UInt64)
  }

  /// What is known of the core; times are nanoseconds since boot.
  struct Activity: Equatable, Sendable {
    /// When the owner was last proved to be there: a match, or a correct passcode.
    var lastProof: UInt64
    /// When a client last did anything.
    var lastActivity: UInt64
    var hasClients: Bool
    /// Seconds without proof of the owner after which the device is locked.
    var lockAfter: UInt32
    /// How many clients have come since the start.
    var arrivals: UInt64 = 0
  }

  private static let second: UInt64 = 1_000_000_000
  private static let endAfter = 60 * second
  /// The longest wait: a suspended machine counts time that a waiting thread does not notice.
  static let longestWait = 60 * second

  private let endsByItself: Bool
  /// When the device was locked last. It is locked again after the same time: locking what is
  /// locked changes nothing, and whatever unlocked it unseen is not open for ever.
  private var lastLock: UInt64 = 0
  private var lastCheck: UInt64?

  /// - Parameter endsByItself: whether the core was started on demand.
  init(endsByItself: Bool) { self.endsByItself = endsByItself }

  /// What to do at `now`. Only proof of the owner puts the lock off: requests and connections do
  /// not.
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

/// Time since boot, suspended time included, so that a laptop that slept for an hour has been idle
/// for an hour.
struct BootClock: Sendable {
  /// Nanoseconds since boot. Any thread.
  let now: @Sendable () -> UInt64

  /// CLOCK_BOOTTIME of the kernel (`clock_gettime(2)`).
  static let system = BootClock {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
