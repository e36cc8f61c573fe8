import LinuxSystem
import Protocol
import Synchronization

/// The user numbers that users may give to what they run in their own namespaces (subuid(5)). To a
/// service that counts by users, a user with 65,536 of them would be as many users.
///
/// A range says nothing about who is in it: LXD maps people by `root:1000:1`, and a directory may
/// have given out its numbers before. So only a number without an account is refused.
enum SubordinateUsers {
  private static let file = "/etc/subuid"
  /// Bytes that are read: some ten thousand users.
  private static let limit = 1 << 20

  /// The prefix of systemd-machined's names for the numbers of containers (nss-systemd(8)); no real
  /// account has it.
  private static let ofContainer = "vu-"

  /// The questions that this process is asking now.
  private static let lookups = Lookups()

  /// Limits the questions for each owner of a range: while a directory is silent each question
  /// holds a thread, and a user with many numbers would take all threads.
  private final class Lookups: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private static let most = 4

    func begin(of owner: String) -> Bool {
      counts.withLock { counts in
        guard counts[owner, default: 0] < Self.most else { return false }
        counts.count(owner, by: 1)
        return true
      }
    }

    func end(of owner: String) { counts.withLock { $0.count(owner, by: -1) } }
  }

  /// - Parameters:
  ///   - user: who asks for a keychain.
  ///   - folder: where the service keeps it, if it does.
  /// - Throws: `unsupported` if the number is in another user's range and has no account, `busy` if
  ///   that cannot be found out.
  static func refuse(_ user: UInt32, keepingIn folder: String) throws(Failure) {
    try refuse(
      user, by: SmallFile.contents(of: file, limit: limit) ?? [],
      keepsState: StateAdoption.isAnyState(in: folder), account: UserAccount.name)
  }

  /// - Parameters:
  ///   - user: who asks for a keychain.
  ///   - bytes: the file of ranges.
  ///   - keepsState: whether the service keeps one for them, which must stay accessible.
  ///   - account: asks the user database who has a number.
  /// - Throws: as ``refuse(_:keepingIn:)``.
  static func refuse(
    _ user: UInt32, by bytes: [UInt8], keepsState: @autoclosure () -> Bool,
    account: (UInt32) throws(SystemCallError) -> String?
  ) throws(Failure) {
    guard let owner = owner(of: user, in: bytes), !keepsState() else { return }
    guard lookups.begin(of: owner) else {
      throw Failure(
        .busy,
        "user \(user) is in a range of \(owner.withoutSteering)'s in \(file), and the user database has not answered yet for others of it",
        hint: "try again")
    }
    defer { lookups.end(of: owner) }
    do throws(SystemCallError) {
      if let name = try account(user), !name.hasPrefix(ofContainer) { return }
    } catch {
      // Neither answer is safe: a person would be refused, or a range admitted while the directory
      // is silent. A user who waits has nothing here yet.
      throw Failure(
        .busy,
        "user \(user) is in a range of \(owner.withoutSteering)'s in \(file), and the user database does not say whether it has an account: \(error.reason)",
        hint:
          "try again; getent passwd \(user) asks the same (the service itself has no network)")
    }
    throw Failure(
      .unsupported,
      "user \(user) is a subordinate user of \(owner.withoutSteering)'s, and no keychain is kept for it",
      hint: "run the program as that user, outside of a container with users of its own")
  }

  /// The other user whose range contains a number, by the lines `name:first:count`; nil if none. A
  /// number's own range does not count.
  static func owner(of user: UInt32, in bytes: [UInt8]) -> String? {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let first = UInt64(fields[1]), let count = UInt64(fields[2]),
        UInt64(user) >= first, UInt64(user) - first < count, UInt32(fields[0]) != user
      else { continue }
      return String(fields[0])
    }
    return nil
  }
}
