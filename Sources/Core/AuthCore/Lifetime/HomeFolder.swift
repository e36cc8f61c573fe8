import Glibc
import LinuxSystem
import Protocol

/// The state folder of a core: owned by this user, closed to others, and held open.
struct HomeFolder: ~Copyable, Sendable {
  /// Absolute, as it was given.
  let path: String
  private let folder: Descriptor

  /// Opens the folder, and creates it and its parents if they are missing.
  /// - Throws: `storageFailed` if that fails, `coreFailed` if others own it or may enter it.
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
      // A parent that cannot be made makes the call for the folder itself fail.
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

  /// The open folder's descriptor.
  var number: Int32 { folder.number }

  /// Whether `path` still leads to the open `folder` and the socket is still in it. If not, no
  /// client can find this core.
  static func isReachable(_ path: String, _ folder: Int32) -> Bool {
    var held = stat()
    var found = stat()
    guard unsafe fstat(folder, &held) == 0, unsafe stat(path, &found) == 0,
      held.st_dev == found.st_dev, held.st_ino == found.st_ino
    else { return false }
    return unsafe faccessat(folder, StateFolder.socket, F_OK, 0) == 0
  }

  /// Makes a folder inside, for an engine in this process.
  borrowing func makeFolder(_ name: String) throws(Failure) -> String {
    let inner = path + "/" + name
    guard unsafe mkdirat(folder.number, name, 0o700) == 0 || errno == EEXIST else {
      throw Self.failure("create", inner)
    }
    return inner
  }
}

/// The lock that makes this process the only core of its folder (flock(2)), held until it ends.
enum FolderLock {
  enum Holder: ~Copyable, Sendable {
    case thisProcess(Descriptor)
    case another
  }

  private static let pauseMicroseconds: UInt32 = 10_000

  /// Takes the lock.
  /// - Throws: `busy` with `hint` if another core has it, and as ``take(in:milliseconds:)``.
  static func require(
    in home: borrowing HomeFolder, orHint hint: String
  ) throws(Failure) -> Descriptor {
    switch try take(in: home) {
    case .thisProcess(let lock): return lock
    case .another: throw Failure(.busy, "another core serves \(home.path)", hint: hint)
    }
  }

  /// Takes the lock. If another process holds it, waits to see whether it is about to serve or to
  /// end.
  /// - Throws: `coreFailed` if neither happens within `milliseconds`; `storageFailed` if the lock's
  ///   file cannot be opened.
  static func take(
    in home: borrowing HomeFolder, milliseconds: Int = 10_000
  ) throws(Failure) -> Holder {
    let number = unsafe openat(
      home.number, StateFolder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else {
      throw Failure(
        .storageFailed,
        "Cannot open \(home.path)/\(StateFolder.lock): \(SystemCallError("openat").reason)",
        hint: "check the permissions of the state folder, and whether its disk is full or read-only"
      )
    }
    let file = Descriptor(owning: number)
    for _ in 0...milliseconds / 10 {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return .thisProcess(file) }
      if ListeningSocket.isServed(in: home.number) { return .another }
      usleep(pauseMicroseconds)
    }
    throw Failure(
      .coreFailed, "another core holds the state folder \(home.path) and does not answer",
      hint: "end the process that holds \(home.path)/\(StateFolder.lock)")
  }
}

struct ListeningSocket: ~Copyable, Sendable {
  private let socket: Descriptor

  /// Makes the socket, and replaces one that an earlier core left. The caller holds the folder's
  /// lock.
  init(in home: borrowing HomeFolder) throws(Failure) {
    unsafe unlinkat(home.number, StateFolder.socket, 0)
    do throws(SystemCallError) {
      let made = try UnixSocket.listen(
        at: Self.path(in: home.number), permissions: 0o600, queue: 1024)
      // Not on each client's socket: what a client sends before it is accepted counts, too.
      try MessageWriter.receive(on: made)
      socket = made
    } catch {
      throw Failure(
        .storageFailed, "Cannot open the socket \(home.path)/\(StateFolder.socket): \(error)",
        hint: "check the permissions of the state folder, and whether its disk is full or read-only"
      )
    }
  }

  /// Whether a process listens on the socket in this open folder.
  static func isServed(in folder: Int32) -> Bool {
    do throws(SystemCallError) {
      return try UnixSocket.connect(to: path(in: folder)) != nil
    } catch {
      return false
    }
  }

  private static func path(in folder: Int32) -> String {
    UnixSocket.path(in: folder, named: StateFolder.socket)
  }

  /// Waits for the next client; after an error may return without one.
  borrowing func accept(
    closedBy line: (PeerCredentials) -> ClosingLine,
    serve: (consuming Descriptor, PeerCredentials) -> Void
  ) {
    do throws(SystemCallError) {
      try UnixSocket.accept(socket, closedBy: line, serve)
    } catch {
      // Out of descriptors, until clients leave.
      if error.number == EMFILE || error.number == ENFILE { usleep(100_000) }
    }
  }
}
