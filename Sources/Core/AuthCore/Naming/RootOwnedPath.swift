import Glibc
import LinuxSystem

/// Whether a program lies where only root can have put it, as this process sees the file system.
enum RootOwnedPath {
  /// What lies at a path.
  enum Finding: Equatable, Sendable {
    /// The file that was meant; it and every folder above belong to root, and nobody else may write
    /// them. POSIX access control lists are not looked at.
    case rootOwned
    /// The file that was meant; somebody besides root may change or replace it.
    case writable
    /// Another file than was meant.
    case another
    /// Nothing that can be seen from here.
    case notSeen
  }

  /// Looks at the path of a program and at what lies there.
  static func find(_ executable: RunningExecutable) -> Finding {
    guard let file = status(of: executable.path) else { return .notSeen }
    guard UInt64(file.st_dev) == executable.device, UInt64(file.st_ino) == executable.inode else {
      return .another
    }
    guard file.st_mode & S_IFMT == S_IFREG, isRootAlone(file) else { return .writable }
    return folders(above: executable.path)
  }

  /// Whose the folders above a path are.
  private static func folders(above path: [UInt8]) -> Finding {
    var path = path[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      guard let folder = status(of: Array(path)) else { return .notSeen }
      guard folder.st_mode & S_IFMT == S_IFDIR, isRootAlone(folder) else { return .writable }
    }
    return .rootOwned
  }

  /// Whether only root can have put files there that a process has mapped. One that is gone, as after
  /// an update, is judged by its folder.
  static func areRootOwned(_ files: Set<LoadedCode.File>) -> Bool {
    // Most lie in one folder: each is looked at once.
    Set(files.map { folder(of: $0.path) }).allSatisfy { folder in
      folders(above: folder + [UInt8(ascii: "/")]) == .rootOwned
    } && files.allSatisfy(isRootOwned)
  }

  private static func isRootOwned(_ file: LoadedCode.File) -> Bool {
    guard let status = status(of: file.isGone ? folder(of: file.path) : file.path) else {
      return false
    }
    let device = UInt64(status.st_dev)
    return (device == file.device || LoadedCode.isMadeUp(device: device)) && isRootAlone(status)
      && (file.isGone || UInt64(status.st_ino) == file.inode)
  }

  private static func folder(of path: [UInt8]) -> [UInt8] {
    Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
  }

  /// Whether a file or folder is root's alone to write. One that is sticky is everybody's to add to.
  static func isRootAlone(_ status: stat) -> Bool {
    status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Not behind links: a canonical path has none. The empty path is the root's.
  private static func status(of path: [UInt8]) -> stat? {
    let path = path.isEmpty ? [UInt8(ascii: "/")] : path
    var status = stat()
    guard unsafe lstat((path + [0]).map(CChar.init(bitPattern:)), &status) == 0 else { return nil }
    return status
  }
}

/// Sees whether a process runs code that is not root's, as far as that can be seen
/// (docs/decisions/0043).
///
/// To look takes the lock of the process's memory, which its user can hold as long as they like. So
/// another thread looks, for a limited time. What was not seen counts as somebody's. A user who let
/// it wait is not looked at for a while, so that the next one does not wait for them again.
final class CodeInspector: Sendable {
  /// Users who are not looked at, and until when.
  private let paused = Guarded<[UInt32: UInt64]>([:])

  /// How long a look may take, in nanoseconds. The witness must answer before the core gives it up.
  private let limit: UInt64
  /// For how long a user who exceeds that is left out.
  static let pause: UInt64 = 60_000_000_000

  init(limit: UInt64 = 1_000_000_000) { self.limit = limit }

  /// Looks at a process.
  /// - Parameters:
  ///   - process: its number.
  ///   - user: whose it is.
  ///   - look: what looks.
  /// - Returns: whether it runs code that root did not put there, or could not be looked at in time.
  func isForeign(
    in process: Int32, of user: UInt32,
    look: @escaping @Sendable (Int32) -> LoadedCode? = { LoadedCode(of: $0) }
  ) -> Bool {
    let (began, limit) = (Deadline.now, limit)
    let mayLook = paused.update { paused in
      guard paused[user, default: 0] <= began else { return false }
      paused[user] = .max
      return true
    }
    guard mayLook else { return true }
    let found = Guarded<Bool?>(nil)
    SystemThread.start(name: "looks at code") { [paused] in
      let isForeign = look(process).map(Self.isForeign) ?? true
      let now = Deadline.now
      paused.update { $0[user] = now - began < limit ? nil : now + Self.pause }
      found.update { $0 = isForeign }
    }
    return found.wait(nanoseconds: limit) { $0 } ?? true
  }

  /// Whether something of it is not root's.
  static func isForeign(_ code: LoadedCode) -> Bool {
    !RootOwnedPath.areRootOwned(code.mapped)
  }
}
