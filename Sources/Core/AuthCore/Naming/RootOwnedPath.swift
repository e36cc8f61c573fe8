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
