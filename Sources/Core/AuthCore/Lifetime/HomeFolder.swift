import Glibc
import LinuxSystem
import Protocol

/// The state folder of a core: ours, closed to others, and held open.
struct HomeFolder: ~Copyable, Sendable {
  /// As it was given, absolute.
  let path: String
  private let folder: Descriptor

  /// Opens the folder, and creates it and what leads to it where it is missing.
  /// - Throws: `storageFailed` when it cannot be had, `coreFailed` when others own it or may enter
  ///   it.
  init(_ path: String, ofService isService: Bool = false) throws(Failure) {
    try Self.create(path, isService)
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw Self.failure("open", path, isService) }
    let folder = Descriptor(owning: number)
    try Self.checkOwner(of: number, path, isService)
    self.path = path
    self.folder = folder
  }

  private static func create(_ path: String, _ isService: Bool) throws(Failure) {
    var parent = ""
    for name in path.split(separator: "/").dropLast() {
      parent += "/" + name
      // A parent that is there, or cannot be made, shows in the call for the folder itself.
      unsafe mkdir(parent, 0o700)
    }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw failure("create", path, isService)
    }
  }

  private static func failure(
    _ verb: String, _ path: String, _ isService: Bool = false
  ) -> Failure {
    let error = SystemCallError(verb)
    let remedy =
      error.number == ENOTDIR
      ? "it is, or lies in, a file: move that away"
      : returning(path)
    return Failure(
      .storageFailed, "Cannot \(verb) the state folder \(path): \(error.reason)",
      hint: isService ? remedy : "choose another one with --home, or mend its permissions")
  }

  private static func returning(_ path: String) -> String {
    "give it to the service's user: chown -R \(geteuid()) \(path)"
  }

  private static func checkOwner(
    of folder: Int32, _ path: String, _ isService: Bool
  ) throws(Failure) {
    var facts = stat()
    guard unsafe fstat(folder, &facts) == 0 else { throw failure("examine", path) }
    guard facts.st_uid == geteuid() else {
      throw Failure(
        .coreFailed,
        "The state folder \(path) belongs to another user (\(facts.st_uid)), not to \(geteuid())",
        hint: isService ? returning(path) : "choose a folder of your own with --home")
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw Failure(
        .coreFailed, "Others may enter the state folder \(path)",
        hint: "close it to them: chmod 700 \(path)")
    }
  }

  /// The number of the open folder, to reach what lies in it.
  var number: Int32 { folder.number }

  /// Whether `path` still leads to the open `folder` and the socket still lies in it. Where not, no
  /// client can find this core.
  static func isReachable(_ path: String, _ folder: Int32) -> Bool {
    var held = stat()
    var found = stat()
    guard unsafe fstat(folder, &held) == 0, unsafe stat(path, &found) == 0,
      held.st_dev == found.st_dev, held.st_ino == found.st_ino
    else { return false }
    return unsafe faccessat(folder, StateFolder.socket, F_OK, 0) == 0
  }

  /// A folder inside, for an engine that lives in the core.
  borrowing func makeFolder(_ name: String) throws(Failure) -> String {
    let inner = path + "/" + name
    guard unsafe mkdirat(folder.number, name, 0o700) == 0 || errno == EEXIST else {
      throw Self.failure("create", inner)
    }
    return inner
  }
}
