import CSystemCalls

/// When a process that waits gives back memory that it can have again: the pages of its programs,
/// which are those of files, and freed memory. What the next request needs of them the kernel maps
/// again from its cache.
package struct IdleMemory: Sendable {
  /// How long nothing may have happened before.
  private static let patience: UInt64 = 5_000_000_000
  /// What happens so long after anything else is alone: a look at whether all is well, which takes
  /// hardly any memory and is no reason to wake up once more.
  private static let solitude: UInt64 = 30_000_000_000

  /// Since when nothing has happened (CLOCK_MONOTONIC); nil: it has been given back.
  private var since: UInt64?
  private var lastUse: UInt64

  /// Something has just happened.
  package init(at now: UInt64 = Deadline.now) {
    since = now
    lastUse = now
  }

  /// How long `poll(2)` may wait, in milliseconds, where it would otherwise wait for `longest`;
  /// negative: for ever.
  package func limit(_ longest: Int32 = -1, at now: UInt64 = Deadline.now) -> Int32 {
    guard let since else { return longest }
    let left = since + Self.patience - min(now, since + Self.patience)
    let milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
    return longest < 0 ? milliseconds : min(milliseconds, longest)
  }

  /// Something has happened.
  package mutating func wasUsed(at now: UInt64 = Deadline.now) {
    if since != nil || now < lastUse + Self.solitude { since = now }
    lastUse = now
  }

  /// Nothing happened while `poll(2)` waited. Gives memory back when it is time to, once.
  /// - Returns: whether it did.
  @discardableResult
  package mutating func timePassed(at now: UInt64 = Deadline.now) -> Bool {
    guard let since, now >= since + Self.patience else { return false }
    Self.giveBack()
    self.since = nil
    return true
  }

  /// Gives it back. Any thread; others may run, and take again what they run.
  package static func giveBack() { ac_give_back_memory() }
}
