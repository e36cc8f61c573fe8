import LinuxSystem
import Protocol
import Synchronization

/// Who holds how much of the locked memory. A value.
///
/// Every message may hold a secret, and lies in the process's one locked region (`SecretArena`) until
/// it is answered. What clients leave there is bounded, each user's and each program's share too, so
/// that the rest suffices for what the core does with the one message whose turn it is. In the
/// service the shares of all users fit into the region together: none takes another's.
struct SecretBudget: Equatable, Sendable {
  /// Bytes that all clients may hold.
  var total = 640 << 10
  /// Bytes that the connections of one user may hold.
  var ofUser = 640 << 10
  /// Bytes that the connections of one process may hold.
  var ofProcess = 256 << 10
  /// Bytes beyond both that short messages may hold: answers to prompts get in when items do not.
  var reserve = 64 << 10
  /// The longest message that counts as short.
  var short = 4 << 10

  private(set) var held = 0
  private(set) var heldByUser: [UInt32: Int] = [:]
  private(set) var heldByProcess: [Int32: Int] = [:]

  /// Where several users share the memory: each has a share of their own, and root one.
  static var ofService: SecretBudget {
    var budget = SecretBudget()
    budget.ofUser = 384 << 10
    budget.total = (ServiceBudget.users + 1) * (budget.ofUser + budget.reserve)
    return budget
  }

  /// Bytes that all clients may hold with the reserve.
  var most: Int { total + reserve }

  /// Takes `count` bytes for a client, for a short message or another one, if all three bounds allow.
  /// - Returns: whether they do.
  mutating func take(_ count: Int, for client: PeerCredentials, isShort: Bool) -> Bool {
    let more = isShort ? reserve : 0
    let ofThisUser = heldByUser[client.user, default: 0] + count
    let ofThisProcess = heldByProcess[client.process, default: 0] + count
    guard held + count <= total + more, ofThisUser <= ofUser + more,
      ofThisProcess <= ofProcess + more
    else { return false }
    held += count
    heldByUser[client.user] = ofThisUser
    heldByProcess[client.process] = ofThisProcess
    return true
  }

  /// Gives `count` bytes back that were taken for a client.
  mutating func giveBack(_ count: Int, for client: PeerCredentials) {
    held -= count
    let ofThisUser = heldByUser[client.user, default: 0] - count
    heldByUser[client.user] = ofThisUser > 0 ? ofThisUser : nil
    let ofThisProcess = heldByProcess[client.process, default: 0] - count
    heldByProcess[client.process] = ofThisProcess > 0 ? ofThisProcess : nil
  }
}

/// Keeps the ``SecretBudget`` of one core. Any thread.
final class SecretLedger: Sendable {
  /// A part of the locked memory; given back when the last reference to it goes.
  final class Share: Sendable {
    private let ledger: SecretLedger
    private let client: PeerCredentials
    private let count = Mutex(0)

    /// Nothing yet.
    init(_ ledger: SecretLedger, of client: PeerCredentials) {
      self.ledger = ledger
      self.client = client
    }

    deinit { ledger.budget.withLock { $0.giveBack(count.withLock(\.self), for: client) } }

    /// Takes room for the first `part` bytes of a message of `whole` bytes from the client, and for
    /// the copy of the secret that is made of them. One too long for the locked region lies
    /// elsewhere, and so do its copies; it counts all the same, so that few of them are there at a
    /// time. A process has room for two: the next one may come before what the last one took is
    /// given back.
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

  /// Bytes that are held.
  var held: Int { budget.withLock { $0.held } }

  /// Room for a message to a client. One too long for the locked region holds no secret.
  /// - Returns: nil where there is none.
  func room(forReply count: Int, of client: PeerCredentials) -> Share? {
    let share = Share(self, of: client)
    return share.grow(to: count <= SecretArena.largestBlock ? count : 0) ? share : nil
  }

  /// What a client is told whose message finds no room.
  static var full: Failure {
    Failure(
      .busy, "the locked memory for secrets is taken by requests that have not been answered",
      hint: "let them finish, and try again")
  }
}
