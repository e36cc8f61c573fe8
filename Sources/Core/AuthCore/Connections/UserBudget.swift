import Synchronization

/// How much of something each user holds of what a process has for all. A value.
///
/// The bound of one user leaves the others theirs. While all together hold too much, only a user who
/// holds little gets more.
struct UserBudget: Equatable, Sendable {
  /// What one user may hold.
  let ofUser: Int
  /// What all users may hold.
  let total: Int
  /// What may be held beyond that by users who hold little, and by root.
  let reserve: Int
  /// How much is little.
  let little: Int

  private(set) var held = 0
  private(set) var heldByUser: [UInt32: Int] = [:]

  /// Nobody holds anything.
  init(ofUser: Int, total: Int, reserve: Int, little: Int) {
    (self.ofUser, self.total, self.reserve, self.little) = (ofUser, total, reserve, little)
  }

  /// Notes that `user` holds so much more, or less.
  /// - Returns: whether that is within the bounds; if it is not, nothing is noted.
  mutating func change(by count: Int, for user: UInt32) -> Bool {
    let own = heldByUser[user, default: 0] + count
    let bound = own <= little || user == 0 ? total + reserve : total
    guard count <= 0 || (own <= ofUser && held + count <= bound) else { return false }
    held += count
    heldByUser[user] = own > 0 ? own : nil
    return true
  }
}

/// Keeps a ``UserBudget``. Any thread.
final class UserLedger: Sendable {
  private let budget: Mutex<UserBudget>

  init(_ budget: UserBudget) { self.budget = Mutex(budget) }

  /// What all users hold.
  var held: Int { budget.withLock { $0.held } }

  /// What one client holds; given back with the last reference to it.
  final class Account: Sendable {
    private let ledger: UserLedger
    private let user: UInt32
    private let count = Mutex(0)

    init(_ ledger: UserLedger, user: UInt32) {
      self.ledger = ledger
      self.user = user
    }

    deinit { _ = note(0) }

    /// Notes that the client holds so much.
    /// - Returns: whether it may; if not, what was noted before stays.
    func note(_ held: Int) -> Bool {
      count.withLock { count in
        guard ledger.budget.withLock({ $0.change(by: held - count, for: user) }) else {
          return false
        }
        count = held
        return true
      }
    }
  }
}
