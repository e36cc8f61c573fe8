import Glibc
import LinuxSystem

/// Tells whether only root can have put a program where it lies, as this process sees the file
/// system.
enum RootOwnedPath {
  enum Finding: Equatable, Sendable {
    /// The expected file. It and every folder above belong to root, and only root may write them.
    /// POSIX access control lists are not considered.
    case rootOwned
    /// The expected file, which others than root may change or replace.
    case writable
    /// Another file.
    case another
    /// Nothing that this process can see.
    case notSeen
  }

  /// Compares a program with what lies at its path.
  static func find(_ executable: RunningExecutable) -> Finding {
    guard let file = status(of: executable.path) else { return .notSeen }
    guard UInt64(file.st_dev) == executable.device, UInt64(file.st_ino) == executable.inode else {
      return .another
    }
    guard file.st_mode & S_IFMT == S_IFREG, isRootAlone(file) else { return .writable }
    return folders(above: executable.path)
  }

  private static func folders(above path: [UInt8]) -> Finding {
    var path = path[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      guard let folder = status(of: Array(path)) else { return .notSeen }
      guard folder.st_mode & S_IFMT == S_IFDIR, isRootAlone(folder) else { return .writable }
    }
    return .rootOwned
  }

  /// Whether only root can have put the files there that a process has mapped. A file that is gone,
  /// as after an update, is judged by its folder.
  static func areRootOwned(_ files: Set<LoadedCode.File>) -> Bool {
    // Most lie in the same folder, which is checked once.
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

  /// Whether only root may write a file or folder. Anyone may add to a sticky folder, so it does
  /// not count.
  static func isRootAlone(_ status: stat) -> Bool {
    status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Follows no link: a canonical path has none. The empty path stands for the root.
  private static func status(of path: [UInt8]) -> stat? {
    let path = path.isEmpty ? [UInt8(ascii: "/")] : path
    var status = stat()
    guard unsafe lstat((path + [0]).map(CChar.init(bitPattern:)), &status) == 0 else { return nil }
    return status
  }
}

/// Sees whether a process runs code that is not root's, as far as that is possible
/// (docs/decisions/0043).
///
/// Looking takes the lock of the process's memory, which its user can hold for as long as they
/// like. So another thread looks, for a limited time. What was not seen counts as not root's. A
/// user who lets it wait is not looked at for a while, so that others do not wait again.
final class CodeInspector: Sendable {
  private let paused = Guarded<[UInt32: UInt64]>([:])

  /// How long a look may take, in nanoseconds. Less than the core waits for the witness.
  private let limit: UInt64
  /// How long a user who exceeds that is not looked at.
  static let pause: UInt64 = 60_000_000_000

  init(limit: UInt64 = 1_000_000_000) { self.limit = limit }

  /// Looks at a process.
  /// - Parameters:
  ///   - process: its number.
  ///   - user: whose it is.
  ///   - look: looks at it.
  /// - Returns: whether it runs code that root did not put there, or could not be seen in time.
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

  /// Whether any of it is not root's.
  static func isForeign(_ code: LoadedCode) -> Bool { !RootOwnedPath.areRootOwned(code.mapped) }
}
