import Synchronization

/// Counts how much of something each user holds. A value.
///
/// A bound for each user leaves room for the others. If all together hold too much, only users who
/// hold little, and root, get more.
struct UserBudget: Equatable, Sendable {
  let ofUser: Int
  let total: Int
  /// More, for users who hold little and for root.
  let reserve: Int
  /// A user who holds at most this holds little.
  let little: Int

  private(set) var held = 0
  private(set) var heldByUser: [UInt32: Int] = [:]

  /// Changes what `user` holds.
  /// - Returns: whether that is within the bounds; if not, nothing changes.
  mutating func change(by count: Int, for user: UInt32) -> Bool {
    let own = heldByUser[user, default: 0] + count
    let bound = own <= little || user == 0 ? total + reserve : total
    guard count <= 0 || (own <= ofUser && held + count <= bound) else { return false }
    held += count
    heldByUser.count(user, by: count)
    return true
  }
}

final class UserLedger: Sendable {
  private let budget: Mutex<UserBudget>

  init(_ budget: UserBudget) { self.budget = Mutex(budget) }

  var held: Int { budget.withLock { $0.held } }

  /// What one client holds, given back with the last reference to it.
  final class Account: Sendable {
    private let ledger: UserLedger
    private let user: UInt32
    private let count = Mutex(0)

    init(_ ledger: UserLedger, user: UInt32) {
      self.ledger = ledger
      self.user = user
    }

    deinit { _ = note(0) }

    /// Sets what the client holds.
    /// - Returns: whether it may; if not, nothing changes.
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

/// What the service's users may hold: for each kind the share of one user, the total, and a reserve
/// for those who hold little and for root. docs/administration.md has the same table, and a test
/// adds it up against the limits of the unit.
enum ServiceBudget {
  /// Users whose cores run at once. Each has a process of about 10 MB.
  static let users = 128

  /// Connections, from the moment they are accepted.
  static let places = UserBudget(ofUser: 2048 + 128, total: 65_536, reserve: 16_384, little: 128)
  /// The same for a process that may open fewer descriptors than the unit allows, for example in a
  /// container. Every number is scaled down, but one user may hold half of all.
  static func places(within descriptors: Int) -> UserBudget {
    let whole = places.total + places.reserve
    let room = (descriptors - users * descriptorsOfCore) / descriptorsOfPlace
    guard room < whole else { return places }
    func part(_ count: Int) -> Int { max(1, count * max(room, whole / 64) / whole) }
    let total = part(places.total)
    return UserBudget(
      ofUser: min(places.ofUser, total / 2), total: total, reserve: part(places.reserve),
      little: part(places.little))
  }
  /// Descriptors of one connection: its socket, its process (pidfd), and the process that a door acts
  /// for.
  static let descriptorsOfPlace = 3
  /// Descriptors of one core: state folder, database, and the sockets of enclave and driver.
  static let descriptorsOfCore = 64

  /// Bytes that were sent to clients and not taken.
  static let unsent = UserBudget(
    ofUser: 64 << 20, total: 768 << 20, reserve: 512 << 20, little: 4 << 20)

  /// Locked memory of the process: the users' and the service's own.
  static let lockedMemory = SecretBudget.ofService.most + (2 << 20)

  static let threadsOfCore = 8
}

extension Dictionary where Value == Int {
  /// Changes the count of a key, and forgets a key whose count is 0.
  mutating func count(_ key: Key, by change: Int) {
    let count = self[key, default: 0] + change
    self[key] = count > 0 ? count : nil
  }
}
