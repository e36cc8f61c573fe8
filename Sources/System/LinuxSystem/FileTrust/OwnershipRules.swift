import Glibc
import Protocol

/// Who may own and write what lies on the path of a plugin. A pure function of `stat(2)`'s answer.
struct OwnershipRules: Sendable {
  /// Where on the path something lies.
  enum Place: Sendable { case file, ownFolder, ancestor }

  /// Why something on the path is not trusted, and what mends it.
  struct Objection: Equatable, Sendable {
    let reason: String
    let hint: String

    func failure(loading path: String) -> Failure {
      Failure(.untrustedPlugin, "Cannot load \(path): \(reason)", hint: hint)
    }
  }

  let user: uid_t
  /// Whether a group is the user's own and nobody else's; asked where a group may write.
  let isPrivate: @Sendable (gid_t) -> Bool

  /// The rules for what this process loads.
  static var ofCaller: OwnershipRules {
    let user = geteuid()
    return OwnershipRules(user: user) { PrivateGroup.ofMachine().belongs($0, to: user) }
  }

  /// - Returns: nil where nobody but root and the caller has a say.
  func objection(to status: stat, at path: String, as place: Place) -> Objection? {
    let thing = place == .file ? "it" : "its folder \(path)"
    guard status.st_uid == 0 || status.st_uid == user else {
      return Objection(
        reason: "\(thing) belongs to user \(status.st_uid), not to root or the caller",
        hint: "copy the plugin to a folder of your own, or let root own \(path)")
    }
    // In a sticky folder nobody can replace what is another's (the temporary folder); new names can
    // appear there.
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
