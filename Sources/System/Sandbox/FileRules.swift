import CSystemCalls
import Glibc
package import LinuxSystem
import Protocol

/// Which files a process may reach from here on (Landlock, `landlock(7)`). Rules only ever narrow:
/// of two sets both hold.
package struct FileRules: Sendable {
  private var paths: [(path: String, rights: FileRights)] = []

  /// No file at all.
  package init() {}

  /// Grants rights below a path; a path that is not there grants nothing.
  package mutating func allow(_ rights: FileRights, below path: String) {
    guard !path.isEmpty, !paths.contains(where: { $0.path == path && $0.rights == rights }) else {
      return
    }
    paths.append((path, rights))
  }

  /// The version of Landlock in this kernel; 0 where it has none or it is switched off.
  package static var version: Int32 { max(0, ac_landlock_version()) }

  /// Holds the calling thread, and every thread and process it starts, to the rules. Needs
  /// `no_new_privs`.
  /// - Returns: the version that holds them; 0: the kernel has none, and nothing is held.
  package func enforce() throws(SystemCallError) -> Int32 {
    let version = Self.version
    guard version > 0 else { return 0 }
    let handled = FileRights.handled(byVersion: version)
    let number = ac_landlock_create(handled.rawValue)
    guard number >= 0 else { throw SystemCallError("landlock_create_ruleset") }
    let ruleset = Descriptor(owning: number)
    for (path, rights) in paths {
      guard let target = HeldPath(path) else { continue }
      var status = stat()
      guard unsafe fstat(target.descriptor.number, &status) == 0 else {
        throw SystemCallError("fstat")
      }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let granted = rights.intersection(isFolder ? handled : handled.intersection(.ofOneFile))
      guard !granted.isEmpty else { continue }
      guard ac_landlock_allow(ruleset.number, target.descriptor.number, granted.rawValue) == 0
      else {
        throw SystemCallError("landlock_add_rule")
      }
    }
    guard ac_landlock_restrict(ruleset.number) == 0 else {
      throw SystemCallError("landlock_restrict_self")
    }
    return version
  }

}

/// A file that stays the same as long as the value lives.
final class HeldPath: Sendable {
  let descriptor: Descriptor

  /// nil where there is no such file.
  init?(_ path: String) {
    let number = unsafe ac_open_at(AT_FDCWD, path, HeldPath.pathOnly | O_CLOEXEC, 0)
    guard number >= 0 else { return nil }
    descriptor = Descriptor(owning: number)
  }

  private static let pathOnly: Int32 = 0o10_000_000  // O_PATH
}

/// What may be done with files below a path (`linux/landlock.h`, `LANDLOCK_ACCESS_FS_…`).
package struct FileRights: OptionSet, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  static let execute = FileRights(rawValue: 1 << 0)
  static let writeFile = FileRights(rawValue: 1 << 1)
  static let readFile = FileRights(rawValue: 1 << 2)
  static let readFolder = FileRights(rawValue: 1 << 3)
  static let removeFile = FileRights(rawValue: 1 << 5)
  static let makeFile = FileRights(rawValue: 1 << 8)
  static let truncate = FileRights(rawValue: 1 << 14)
  static let controlDevice = FileRights(rawValue: 1 << 15)

  /// Files and listings may be read.
  package static let read: FileRights = [.readFile, .readFolder]
  /// Files may be read, made, written and removed.
  package static let readAndWrite: FileRights = [
    .read, .writeFile, .removeFile, .makeFile, .truncate,
  ]
  /// Devices may be read, written and controlled.
  package static let useDevices: FileRights = [.read, .writeFile, .controlDevice]

  /// Those that make sense for a path that is no folder.
  static let ofOneFile: FileRights = [
    .execute, .writeFile, .readFile, .truncate, .controlDevice,
  ]

  /// Every right that this version of Landlock knows; each one that is not granted is refused.
  static func handled(byVersion version: Int32) -> FileRights {
    let count: UInt64 =
      switch version {
      case ..<2: 13
      case 2: 14
      case 3, 4: 15
      default: 16
      }
    return FileRights(rawValue: (1 << count) - 1)
  }
}
