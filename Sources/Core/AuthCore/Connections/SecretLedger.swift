import LinuxSystem
import Protocol
import Synchronization

/// Counts who holds how much of the locked memory. A value.
///
/// Every message may hold a secret, and lies in the process's one locked region (`SecretArena`)
/// until it is answered. The total, each user's and each program's share are bounded, so that
/// enough is left for the one message that is being handled. In the service the shares of all users
/// fit into the region together.
struct SecretBudget: Equatable, Sendable {
  var total = 640 << 10
  var ofUser = 640 << 10
  var ofProcess = 256 << 10
  /// More bytes, for short messages only: answers to prompts get in when items do not.
  var reserve = 64 << 10
  /// The longest message that counts as short.
  var short = 4 << 10

  private(set) var held = 0
  private(set) var heldByUser: [UInt32: Int] = [:]
  private(set) var heldByProcess: [Int32: Int] = [:]

  /// For several users: each has a share of their own, and root has one.
  static var ofService: SecretBudget {
    var budget = SecretBudget()
    budget.ofUser = 384 << 10
    budget.total = (ServiceBudget.users + 1) * (budget.ofUser + budget.reserve)
    return budget
  }

  var most: Int { total + reserve }

  /// Takes `count` bytes for a client if all three bounds allow.
  mutating func take(_ count: Int, for client: PeerCredentials, isShort: Bool) -> Bool {
    let more = isShort ? reserve : 0
    guard held + count <= total + more,
      heldByUser[client.user, default: 0] + count <= ofUser + more,
      heldByProcess[client.process, default: 0] + count <= ofProcess + more
    else { return false }
    change(by: count, for: client)
    return true
  }

  /// Gives back bytes that were taken for a client.
  mutating func giveBack(_ count: Int, for client: PeerCredentials) {
    change(by: -count, for: client)
  }

  private mutating func change(by count: Int, for client: PeerCredentials) {
    held += count
    heldByUser.count(client.user, by: count)
    heldByProcess.count(client.process, by: count)
  }
}

/// Keeps a ``SecretBudget``. Any thread.
final class SecretLedger: Sendable {
  /// A part of the locked memory, given back with the last reference to it.
  final class Share: Sendable {
    private let ledger: SecretLedger
    private let client: PeerCredentials
    private let count = Mutex(0)

    init(_ ledger: SecretLedger, of client: PeerCredentials) {
      self.ledger = ledger
      self.client = client
    }

    deinit { ledger.budget.withLock { $0.giveBack(count.withLock(\.self), for: client) } }

    /// Takes room for the first `part` bytes of a message of `whole` bytes and for the copy of the
    /// secret made of them. A message too long for the locked region lies elsewhere, as its copies
    /// do, but is counted, so that there are few at a time. A process has room for two: the next
    /// one may come before the last one's room is given back.
    /// - Returns: whether there is room; if not, what was taken before stays.
    func grow(toRequest part: Int, of whole: Int) -> Bool {
      grow(
        to: whole <= SecretArena.largestBlock ? part * 2 : min(part * 2, SecretArena.largestBlock))
    }

    fileprivate func grow(to size: Int) -> Bool {
      count.withLock { count in
        guard size > count else { return true }
        let more = size - count
        guard ledger.budget.withLock({ $0.take(more, for: client, isShort: size <= $0.short) })
        else { return false }
        count = size
        return true
      }
    }
  }

  private let budget: Mutex<SecretBudget>

  init(_ budget: SecretBudget) { self.budget = Mutex(budget) }

  var held: Int { budget.withLock { $0.held } }

  /// Takes room for a message to a client. One too long for the locked region holds no secret.
  /// - Returns: nil if there is no room.
  func room(forReply count: Int, of client: PeerCredentials) -> Share? {
    let share = Share(self, of: client)
    return share.grow(to: count <= SecretArena.largestBlock ? count : 0) ? share : nil
  }

  /// The answer to a message for which there is no room.
  static var full: Failure {
    Failure(
      .busy, "the locked memory for secrets is taken by requests that have not been answered",
      hint: "let them finish, and try again")
  }
}
