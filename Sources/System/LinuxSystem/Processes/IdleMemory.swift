import CSystemCalls

/// When an idle process gives back memory: pages of program files, and freed memory. The kernel
/// maps the pages that the next request needs again from its cache.
package struct IdleMemory: Sendable {
  /// Idle time before that.
  private static let grace: UInt64 = 5_000_000_000
  /// An event this long after any other is a lone check, which takes hardly any memory and is no
  /// reason to wake up once more.
  private static let solitude: UInt64 = 30_000_000_000

  /// The last event (CLOCK_MONOTONIC); nil: memory has been given back.
  private var since: UInt64?
  private var lastUse: UInt64

  package init(at now: UInt64 = Deadline.now) {
    since = now
    lastUse = now
  }

  /// Milliseconds that `poll(2)` may wait instead of `longest`; negative: forever.
  package func limit(_ longest: Int32 = -1, at now: UInt64 = Deadline.now) -> Int32 {
    guard let since else { return longest }
    let left = since + Self.grace - min(now, since + Self.grace)
    let milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
    return longest < 0 ? milliseconds : min(milliseconds, longest)
  }

  package mutating func wasUsed(at now: UInt64 = Deadline.now) {
    if since != nil || now < lastUse + Self.solitude { since = now }
    lastUse = now
  }

  /// Nothing happened while `poll(2)` waited. Gives memory back once, when it is time.
  /// - Returns: whether it did.
  @discardableResult
  package mutating func timePassed(at now: UInt64 = Deadline.now) -> Bool {
    guard let since, now >= since + Self.grace else { return false }
    Self.giveBack()
    self.since = nil
    return true
  }

  /// Any thread; others may run, and take back what they use.
  package static func giveBack() { ac_give_back_memory() }
}
