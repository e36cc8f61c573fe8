import Synchronization

/// How much the clients of each user have been sent and not taken. A value.
///
/// A page of items is 4 MiB, and a client that takes a little of it now and then is no client that is
/// gone: many of them would fill the memory of the process with what they let lie.
struct UnsentBudget: Equatable, Sendable {
  /// Bytes for the clients of one user.
  var ofUser = 64 << 20
  /// Bytes for all clients.
  var total = 256 << 20

  private(set) var held = 0
  private(set) var heldByUser: [UInt32: Int] = [:]

  /// The bounds of a process.
  init() {}

  /// Other bounds.
  init(ofUser: Int, total: Int) { (self.ofUser, self.total) = (ofUser, total) }

  /// Notes that of the clients of `user` so many bytes more lie here, or fewer.
  /// - Returns: whether what lies here is within both bounds; where it would not be, nothing is noted.
  mutating func change(by count: Int, for user: UInt32) -> Bool {
    let own = heldByUser[user, default: 0] + count
    guard count <= 0 || (own <= ofUser && held + count <= total) else { return false }
    held += count
    heldByUser[user] = own > 0 ? own : nil
    return true
  }
}

/// Keeps the ``UnsentBudget`` of one process. Any thread.
final class UnsentLedger: Sendable {
  private let budget: Mutex<UnsentBudget>

  init(_ budget: UnsentBudget = UnsentBudget()) { self.budget = Mutex(budget) }

  /// Bytes that lie here.
  var held: Int { budget.withLock { $0.held } }

  /// What lies here of one client.
  final class Account: Sendable {
    private let ledger: UnsentLedger
    private let user: UInt32
    private let count = Mutex(0)

    init(_ ledger: UnsentLedger, user: UInt32) {
      self.ledger = ledger
      self.user = user
    }

    deinit { _ = note(0) }

    /// Notes that so many bytes lie here.
    /// - Returns: whether they may; where not, what was noted before stays.
    func note(_ bytes: Int) -> Bool {
      count.withLock { count in
        guard ledger.budget.withLock({ $0.change(by: bytes - count, for: user) }) else {
          return false
        }
        count = bytes
        return true
      }
    }
  }
}
