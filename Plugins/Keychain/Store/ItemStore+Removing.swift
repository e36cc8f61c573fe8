import GRDB
import Protocol

extension ItemStore {
  /// Room for a removal on a full disk.
  var reserve: RemovalReserve { RemovalReserve(of: file) }

  /// Writes as ``write(_:)`` and leaves nothing of what was there before in the file or its log. On a
  /// full disk it takes the room that is kept for that.
  func writeRemoving<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let before = beginLogAnew()
    let value: Value
    do throws(Failure) {
      value = try write(body)
      opened?.holdsRemoved = true
      if let before { clearLog(since: before) }
    } catch {
      guard error.code == .storageFailed, reserve.giveUp() else { throw error }
      opened?.hasReserve = false
      value = try write(body)
      opened?.holdsRemoved = true
      eraseRemoved()
      opened?.hasReserve = reserve.take()
    }
    return value
  }

  /// Writes the log back over what was removed, which is durable without that, and empties the log.
  /// Where another process is reading, or the disk is full, the next change tries again.
  func eraseRemoved() {
    guard let opened, opened.holdsRemoved else { return }
    let isBusy = try? opened.queue.writeWithoutTransaction {
      try Bool.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    if isBusy == false { self.opened?.holdsRemoved = false }
  }

  /// A log before a removal with which it is to begin anew.
  private struct LogBefore {
    let salt: [UInt8]?
    /// By which another process's change is noticed.
    let dataVersion: Int64?
  }

  /// Writes the log back, so that the next change is the first in it and what lies behind that can be
  /// overwritten in its place: emptying the file and lengthening it again takes a disk longer.
  /// - Returns: nil where another process is reading, or the disk is full.
  private func beginLogAnew() -> LogBefore? {
    try? queue().writeWithoutTransaction { database in
      let version = try Self.dataVersion(database)
      guard try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(RESTART)") == false else {
        return nil
      }
      return LogBefore(salt: file.log.salt(if: opened?.log), dataVersion: version)
    }
  }

  /// Writes the log back over what was removed, and overwrites what lies behind the log's last change.
  /// SQLite reads nothing there (``LogRoom``), so that need not be durable. Where the log did not begin
  /// anew, another process has written since or is reading, or the disk is full, the next change
  /// empties it.
  private func clearLog(since before: LogBefore) {
    guard let opened else { return }
    let isClear = try? opened.queue.writeWithoutTransaction { database in
      guard let end = try Self.endOfLogWrittenBack(database) else { return false }
      // Alone with the log's end.
      try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
      defer { try? database.rollback() }
      guard try Self.dataVersion(database) == before.dataVersion,
        file.log.salt(if: opened.log) != before.salt
      else { return false }
      return file.log.clear(from: end, if: opened.log)
    }
    if isClear == true { self.opened?.holdsRemoved = false }
  }

  /// Where the log's last change ends, once all is written back: behind the header and so many frames
  /// (sqlite.org/fileformat2.html#walformat); nil where not all of it is.
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
