/// What the service has for its users: of each kind what one user may hold, what all may, and what is
/// kept for those who hold little and for root. The table in docs/administration.md says the same, and
/// a test adds it up against the limits of the unit.
enum ServiceBudget {
  /// Users whose cores run at once. Each has a process of about 10 MB beside it.
  static let users = 128

  /// Connections, from the moment they are accepted.
  static let places = UserBudget(ofUser: 2048 + 128, total: 65_536, reserve: 16_384, little: 128)
  /// The same for a process that may open fewer descriptors than the unit allows, in a container for
  /// example: every number in proportion, but one user may still hold half of all.
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
  /// Descriptors of one connection: its socket, and the process at the other end.
  static let descriptorsOfPlace = 2
  /// Descriptors of one core: the state folder, the database, and the ways to its enclave and driver.
  static let descriptorsOfCore = 64

  /// Bytes that clients have been sent and not taken.
  static let unsent = UserBudget(
    ofUser: 64 << 20, total: 768 << 20, reserve: 512 << 20, little: 4 << 20)

  /// Locked memory of the process: what all users may fill, and what the service needs for itself.
  static let lockedMemory = SecretBudget.ofService.most + (2 << 20)

  /// Threads of one core: the enclave's mailbox, keychain, policy, and what ends it.
  static let threadsOfCore = 8
}
