import Glibc

/// Whether a group is a user's own and nobody else's, as distributions make one for each user.
///
/// Asked of `/etc/passwd` and `/etc/group` alone (`passwd(5)`, `group(5)`): the name service would
/// load code of others' and ask the network. A group that these files do not prove to be private is
/// none.
struct PrivateGroup: Sendable {
  private let users: [[Substring]]
  private let groups: [[Substring]]

  /// - Parameters:
  ///   - passwd: the text of `/etc/passwd`.
  ///   - group: that of `/etc/group`.
  init(passwd: String, group: String) {
    users = Self.fields(passwd, atLeast: 4)
    groups = Self.fields(group, atLeast: 4)
  }

  /// Reads both files; what cannot be read proves nothing.
  static func ofMachine() -> PrivateGroup {
    PrivateGroup(passwd: text("/etc/passwd"), group: text("/etc/group"))
  }

  /// Whether group and user have the same number and name, and nobody else is in the group.
  func belongs(_ group: gid_t, to user: uid_t) -> Bool {
    guard group == user,
      let name = users.first(where: { $0[2] == "\(user)" })?[0],
      let entry = groups.first(where: { $0[2] == "\(group)" }), entry[0] == name
    else { return false }
    let sharers = groups.filter { $0[2] == "\(group)" }
    let members = sharers.flatMap { $0[3].split(separator: ",") }
    let primary = users.filter { $0[3] == "\(group)" }.map { $0[0] }
    return (members + primary).allSatisfy { $0 == name }
  }

  private static func fields(_ text: String, atLeast count: Int) -> [[Substring]] {
    text.split(separator: "\n").map { line in
      line.split(separator: ":", omittingEmptySubsequences: false)
    }.filter { $0.count >= count }
  }

  private static func text(_ path: String) -> String {
    guard let file = unsafe fopen(path, "re") else { return "" }
    defer { unsafe fclose(file) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 {
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
