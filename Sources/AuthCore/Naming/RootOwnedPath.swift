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
    var path = executable.path[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      guard let folder = status(of: path.isEmpty ? [UInt8(ascii: "/")] : Array(path)) else {
        return .notSeen
      }
      guard folder.st_mode & S_IFMT == S_IFDIR, isRootAlone(folder) else { return .writable }
    }
    return .rootOwned
  }

  /// Whether a file or folder is root's alone to write. One that is sticky is everybody's to add to.
  static func isRootAlone(_ status: stat) -> Bool {
    status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  /// Not behind links: a canonical path has none.
  private static func status(of path: [UInt8]) -> stat? {
    var status = stat()
    guard unsafe lstat((path + [0]).map(CChar.init(bitPattern:)), &status) == 0 else { return nil }
    return status
  }
}
