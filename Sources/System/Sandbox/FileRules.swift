import CSystemCalls
import Glibc
package import LinuxSystem
import Protocol

/// Which files a process may reach (`landlock(7)`). Rules only narrow: of two sets, both hold.
package struct FileRules: Sendable {
  private var paths: [(path: String, rights: FileRights)] = []

  /// No file.
  package init() {}

  /// Grants rights below a path, if it exists.
  package mutating func allow(_ rights: FileRights, below path: String) {
    guard !path.isEmpty, !paths.contains(where: { $0.path == path && $0.rights == rights }) else {
      return
    }
    paths.append((path, rights))
  }

  /// The version of Landlock; 0 if it is missing or switched off.
  package static var version: Int32 { max(0, ac_landlock_version()) }

  /// Holds the calling thread, and all threads and processes that it starts, to the rules. Needs
  /// `no_new_privs`.
  /// - Returns: the version of Landlock; 0: nothing is held.
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

  init?(_ path: String) {
    let number = unsafe ac_open_at(AT_FDCWD, path, Descriptor.pathOnly | O_CLOEXEC, 0)
    guard number >= 0 else { return nil }
    descriptor = Descriptor(owning: number)
  }
}

/// Rights to files below a path (`linux/landlock.h`, `LANDLOCK_ACCESS_FS_…`).
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

  package static let read: FileRights = [.readFile, .readFolder]
  package static let readAndWrite: FileRights = [
    .read, .writeFile, .removeFile, .makeFile, .truncate,
  ]
  package static let useDevices: FileRights = [.read, .writeFile, .controlDevice]

  /// Rights that make sense for a file.
  static let ofOneFile: FileRights = [
    .execute, .writeFile, .readFile, .truncate, .controlDevice,
  ]

  /// All rights that this version of Landlock knows. Those that are not granted are refused.
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
