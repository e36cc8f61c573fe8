import LinuxSystem
import Wire

/// The numbers that users may give to what they run in namespaces of their own (subuid(5)). Somebody
/// with 65,536 of them would be as many users to a service that counts by users, and none of them is
/// a person.
enum SubordinateUsers {
  private static let file = "/etc/subuid"
  /// Bytes of it that are read: some ten thousand users.
  private static let limit = 1 << 20

  /// - Throws: `unsupported` where a number is another user's to give.
  static func refuse(_ user: UInt32) throws(Failure) {
    guard let owner = owner(of: user, in: SmallFile.contents(of: file, limit: limit) ?? [])
    else { return }
    throw Failure(
      .unsupported,
      "user \(user) is a subordinate user of \(owner.withoutSteering)'s, and no keychain is kept for it",
      hint: "run the program as that user, outside of a container with users of its own")
  }

  /// Whose a number is to give, by the lines `name:first:count`; nil: nobody's.
  static func owner(of user: UInt32, in bytes: [UInt8]) -> String? {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 3, let first = UInt64(fields[1]), let count = UInt64(fields[2]),
        UInt64(user) >= first, UInt64(user) - first < count
      else { continue }
      return String(fields[0])
    }
    return nil
  }
}
