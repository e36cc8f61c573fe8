import CSystemCalls
package import Glibc
package import Protocol

/// A file that only root and the caller can have put in its place, and that nobody else can change.
///
/// Trust is by place: file and folders on the canonical path belong to root or the caller, and
/// nobody else may write them. So the file that was checked is the one that is loaded.
package struct TrustedFile: Equatable, Sendable {
  package let path: String
  /// The file and its state when it was checked.
  package let identity: FileIdentity

  /// Checks a file and its folders.
  /// - Parameters:
  ///   - path: followed through symbolic links.
  ///   - missing: the code of the failure for a missing file.
  /// - Throws: `missing`, or `untrustedPlugin` with the file, the reason and the command that mends
  ///   it.
  package init(checking path: String, missing: FailureCode = .driverNotFound) throws(Failure) {
    guard let canonical = CanonicalPath.of(path) else {
      throw Failure(missing, "Cannot load \(path): \(SystemCallError("realpath").reason)")
    }
    self.path = canonical
    let judge = OwnershipRules.ofCaller
    let number = unsafe ac_open_at(
      AT_FDCWD, canonical, Descriptor.pathOnly | O_NOFOLLOW | O_CLOEXEC, 0)
    guard number >= 0 else {
      throw Failure(missing, "Cannot load \(self.path): \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.untrustedPlugin, "Cannot load \(self.path): it is not a file")
    }
    identity = FileIdentity(status)
    if let objection = judge.objection(to: status, at: self.path, as: .file) {
      throw objection.failure(loading: self.path)
    }
    var place = OwnershipRules.Place.ownFolder
    var folder = self.path
    while let slash = folder.lastIndex(of: "/"), folder != "/" {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
      var status = stat()
      guard unsafe lstat(folder, &status) == 0 else {
        throw Failure(
          .untrustedPlugin,
          "Cannot load \(self.path): its folder \(folder) cannot be examined: "
            + SystemCallError("lstat").reason)
      }
      if let objection = judge.objection(to: status, at: folder, as: place) {
        throw objection.failure(loading: self.path)
      }
      place = .ancestor
    }
  }
}

extension FileIdentity {
  package init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(bitPattern: Int64(status.st_size)),
      modificationSeconds: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
      modificationNanoseconds: UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
      changeSeconds: UInt64(bitPattern: Int64(status.st_ctim.tv_sec)),
      changeNanoseconds: UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)))
  }
}

/// Who may own and write the files and folders of a plugin's path. A pure function of `stat(2)`.
struct OwnershipRules: Sendable {
  enum Place: Sendable { case file, ownFolder, ancestor }

  /// Why something on the path is not trusted, and how to mend it.
  struct Objection: Equatable, Sendable {
    let reason: String
    let hint: String

    func failure(loading path: String) -> Failure {
      Failure(.untrustedPlugin, "Cannot load \(path): \(reason)", hint: hint)
    }
  }

  let user: uid_t
  /// Whether a group is the user's own; asked if a group may write.
  let isPrivate: @Sendable (gid_t) -> Bool

  /// The rules for this process.
  static var ofCaller: OwnershipRules {
    let user = geteuid()
    return OwnershipRules(user: user) { PrivateGroup.ofMachine().belongs($0, to: user) }
  }

  /// - Returns: nil if only root and the caller can write.
  func objection(to status: stat, at path: String, as place: Place) -> Objection? {
    let thing = place == .file ? "it" : "its folder \(path)"
    guard status.st_uid == 0 || status.st_uid == user else {
      return Objection(
        reason: "\(thing) belongs to user \(status.st_uid), not to root or the caller",
        hint: "copy the plugin to a folder of your own, or let root own \(path)")
    }
    // In a sticky folder, such as the temporary folder, files cannot be replaced by other users;
    // new names can appear.
    let isSticky = status.st_mode & S_ISVTX != 0 && status.st_uid == 0
    if place == .ancestor, isSticky { return nil }
    if status.st_mode & S_IWOTH != 0 {
      return Objection(
        reason: "\(thing) can be written by everybody", hint: "run: chmod o-w \(path)")
    }
    if status.st_mode & S_IWGRP != 0, !isPrivate(status.st_gid) {
      return Objection(
        reason: "\(thing) can be written by group \(status.st_gid), which others may be in",
        hint: "run: chmod g-w \(path)")
    }
    return nil
  }
}

/// Whether a group belongs to one user only, as distributions make one for each user.
///
/// Reads only `/etc/passwd` and `/etc/group` (`passwd(5)`, `group(5)`): the name service would load
/// foreign code and ask the network. A group that these files do not prove to be private is not.
struct PrivateGroup: Sendable {
  private let users: [[Substring]]
  private let groups: [[Substring]]

  init(passwd: String, group: String) {
    users = Self.fields(passwd, atLeast: 4)
    groups = Self.fields(group, atLeast: 4)
  }

  /// An unreadable file proves nothing.
  static func ofMachine() -> PrivateGroup {
    PrivateGroup(passwd: text("/etc/passwd"), group: text("/etc/group"))
  }

  /// Whether group and user have the same id and name, and nobody else is in the group.
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
