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
