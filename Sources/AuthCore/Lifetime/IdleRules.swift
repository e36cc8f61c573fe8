/// When an idle core locks the device, and when it ends. A value without a clock: times are nanoseconds since boot.
struct IdleRules: Equatable, Sendable {
  /// What to do.
  enum Action: Equatable, Sendable {
    case lock
    /// Find out whether the core holds something worth keeping; end it if not.
    case endUnlessNeeded
    /// Ask again after so many nanoseconds at most.
    case wait(UInt64)
  }

  private static let second: UInt64 = 1_000_000_000
  private static let endAfter = 60 * second
  /// The longest wait: a suspended machine counts time that a waiting thread does not notice.
  private static let longestWait = 60 * second

  private let lockAfter: UInt64
  private let endsByItself: Bool
  private var lockedSince: UInt64?
  private var lastCheck: UInt64?

  /// - Parameters:
  ///   - lockAfter: seconds without a request.
  ///   - endsByItself: whether the core was started on demand.
  init(lockAfter: UInt32, endsByItself: Bool) {
    self.lockAfter = UInt64(lockAfter) * Self.second
    self.endsByItself = endsByItself
  }

  /// What to do at `now`, when the last request came at `last`.
  mutating func action(at now: UInt64, last: UInt64, hasClients: Bool) -> Action {
    let idle = now &- min(last, now)
    var next = Self.longestWait
    if lockedSince != last {
      if idle >= lockAfter {
        lockedSince = last
        return .lock
      }
      next = min(next, lockAfter - idle)
    }
    if endsByItself, !hasClients {
      let due = max(last &+ Self.endAfter, lastCheck.map { $0 &+ Self.endAfter } ?? 0)
      if now >= due {
        lastCheck = now
        return .endUnlessNeeded
      }
      next = min(next, due - now)
    }
    return .wait(next)
  }
}
