import GRDB
import Glibc
import Protocol

/// Room on the disk for a removal, in a file beside the keychain that is given up on a full disk,
/// where a person wants to remove items.
struct RemovalReserve {
  private let folder: String
  private var path: String { folder + "/" + removalReserveName }
  /// Bytes that removing an item with the longest secret writes to the log, and that the database
  /// grows by if a few items were not written back before.
  private static let size = 256 << 10

  init(of file: DatabaseFile) {
    folder = file.folder
  }

  /// Takes the room if there is enough.
  /// - Returns: whether it is there.
  func take() -> Bool {
    if DatabaseFile(path: path).size == Int64(Self.size) { return true }
    var disk = statvfs()
    // A write that ran out of room would leave other programs none meanwhile.
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

  /// Bytes that no file system can compress away, as some do with zeros: the numbers of a linear
  /// congruential generator.
  private static func numbers() -> [UInt64] {
    var number: UInt64 = 1
    return (0..<size / MemoryLayout<UInt64>.size).map { _ in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return number
    }
  }

  /// - Returns: whether the room was there.
  func giveUp() -> Bool { unsafe unlink(path) == 0 }
}

/// Room in the write-ahead log for the commits to come.
///
/// A commit that lengthens its file also waits for the file's metadata, which takes twice as long on
/// a quiet disk and ten times as long on a busy one. So the log is lengthened by many zero pages at
/// once. SQLite never reads them: a frame counts only with the salt and the checksum of its log
/// (sqlite.org/fileformat2.html#walformat).
struct LogRoom {
  /// The log's last known length, zeros included.
  private var known: Int64 = 0
  private static let least: Int64 = 64 << 10
  private static let most: Int64 = 1 << 20

  /// Lengthens the log if a commit had to. Runs in a transaction that may write, and so alone with
  /// the log's end. A failure here also fails the commit, if that needs the room.
  mutating func make(in log: DatabaseFile, _ identity: DatabaseFile.Identity?) {
    let size = log.size ?? 0
    guard size > known else {
      // A removal empties the log.
      known = size
      return
    }
    let count = min(max(size, Self.least), Self.most)
    known = log.lengthen(from: size, by: Int(count), if: identity) ? size + count : size
  }
}

/// A log that was written back before a removal, so that the removal is the first change in it and
/// what lies behind can be overwritten in place. Emptying the file and lengthening it again takes a
/// disk longer.
struct LogRestart {
  private let log: DatabaseFile
  private let identity: DatabaseFile.Identity?
  private let salt: [UInt8]?
  /// Tells whether another process has written since.
  private let dataVersion: Int64?

  /// Nil if another process is reading, or the disk is full.
  init?(_ database: Database, _ log: DatabaseFile, _ identity: DatabaseFile.Identity?) throws {
    dataVersion = try Self.dataVersion(database)
    guard try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(RESTART)") == false else {
      return nil
    }
    (self.log, self.identity) = (log, identity)
    salt = log.salt(if: identity)
  }

  /// Writes the log back over what was removed, and overwrites what lies behind the log's last
  /// change. SQLite reads nothing there (``LogRoom``), so this need not be durable.
  /// - Returns: false if the log did not begin anew, another process has written or is reading, or
  ///   the disk is full. The next change empties the log then.
  func clear(_ database: Database) throws -> Bool {
    guard let end = try Self.endOfLogWrittenBack(database) else { return false }
    // Alone with the log's end.
    try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    defer { try? database.rollback() }
    guard try Self.dataVersion(database) == dataVersion, log.salt(if: identity) != salt else {
      return false
    }
    return log.clear(from: end, if: identity)
  }

  /// Where the log's last change ends once all is written back: behind the header and so many frames
  /// (sqlite.org/fileformat2.html#walformat). Nil if not all of it is.
  private static func endOfLogWrittenBack(_ database: Database) throws -> Int64? {
    guard let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(FULL)"),
      let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size")
    else { return nil }
    let (isBusy, frames, writtenBack): (Bool, Int64, Int64) = (row[0], row[1], row[2])
    guard !isBusy, frames >= 0, frames == writtenBack else { return nil }
    return 32 + frames * (pageSize + 24)
  }

  private static func dataVersion(_ database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "PRAGMA data_version")
  }
}
