import Synchronization
import Wire

/// How many clients each user has connected to the service. A value.
///
/// Every client costs the process a descriptor, from the moment it is accepted, and the process has
/// so many. The bound of one user leaves the others theirs; while all together have too many, only
/// who has few gets in.
struct UserPlaces: Equatable, Sendable {
  /// Clients of one user.
  var ofUser = 2048 + 128
  /// Clients of all users.
  var total = 8192
  /// Beyond these, for users with few.
  var reserve = 2048
  /// How many are few.
  var few = 16

  private(set) var taken = 0
  private(set) var takenByUser: [UInt32: Int] = [:]

  /// The bounds of the service.
  init() {}

  /// Other bounds.
  init(ofUser: Int, total: Int, reserve: Int, few: Int) {
    (self.ofUser, self.total, self.reserve, self.few) = (ofUser, total, reserve, few)
  }

  /// Takes a place for a client of `user`.
  /// - Returns: whether there is one.
  mutating func take(for user: UInt32) -> Bool {
    let own = takenByUser[user, default: 0]
    guard own < ofUser, taken < (own < few ? total + reserve : total) else { return false }
    taken += 1
    takenByUser[user] = own + 1
    return true
  }

  /// Gives one back.
  mutating func giveBack(of user: UInt32) {
    taken -= 1
    let left = takenByUser[user, default: 1] - 1
    takenByUser[user] = left > 0 ? left : nil
  }
}

/// Keeps the ``UserPlaces`` of the service. Any thread.
final class UserPlaceLedger: Sendable {
  /// The place of one client; given back when the last reference to it goes.
  final class Place: Sendable {
    private let ledger: UserPlaceLedger
    private let user: UInt32

    fileprivate init(_ ledger: UserPlaceLedger, _ user: UInt32) {
      self.ledger = ledger
      self.user = user
    }

    deinit { ledger.places.withLock { $0.giveBack(of: user) } }
  }

  private let places: Mutex<UserPlaces>

  init(_ places: UserPlaces = UserPlaces()) { self.places = Mutex(places) }

  /// A place for a client of `user`.
  /// - Throws: `busy` where there is none.
  func place(for user: UInt32) throws(Failure) -> Place {
    guard places.withLock({ $0.take(for: user) }) else {
      throw Failure(
        .busy, "too many clients are connected to the service",
        hint: "end some of them, and try again")
    }
    return Place(self, user)
  }
}
