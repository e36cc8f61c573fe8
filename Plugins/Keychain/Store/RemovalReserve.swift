import Glibc
import Protocol

/// Room on the disk for a removal, in a file beside the keychain that is given up when there is no
/// other: a full disk is a reason to remove items.
struct RemovalReserve {
  private let folder: String
  private var path: String { folder + "/" + removalReserveName }
  /// What removing an item with the longest secret writes to the log, and what the database grows by
  /// where a few items were not written back before.
  private static let size = 256 << 10

  /// Beside this database.
  init(of file: DatabaseFile) {
    folder = String(file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex))
  }

  /// Takes the room, where there is enough.
  /// - Returns: whether it is there.
  func take() -> Bool {
    if DatabaseFile(path: path).size == Int64(Self.size) { return true }
    var disk = statvfs()
    // A write that finds too little room would leave others none meanwhile.
    guard unsafe statvfs(folder, &disk) == 0,
      disk.f_bavail >= UInt(Self.size) / max(1, UInt(disk.f_frsize))
    else { return false }
    unsafe unlink(path)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard unsafe write(descriptor, Self.numbers(), Self.size) == Self.size else {
      unsafe unlink(path)
      return false
    }
    return true
  }

  /// What no file system makes shorter, as some do with zeros: the numbers of a linear congruential
  /// generator.
  private static func numbers() -> [UInt64] {
    var number: UInt64 = 1
    return (0..<size / MemoryLayout<UInt64>.size).map { _ in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return number
    }
  }

  /// Gives it up.
  /// - Returns: whether it was there.
  func giveUp() -> Bool { unsafe unlink(path) == 0 }
}
