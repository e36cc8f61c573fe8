import Foundation
import GRDB
import Protocol

/// The file of the keychain, opened by the first request.
///
/// With a write-ahead log a commit waits for one fsync; with a rollback journal it waits for four.
/// `synchronous=FULL` makes every answered change survive a loss of power. What a commit replaces is
/// overwritten (`secure_delete`) once the log is written back: when the engine ends at the latest,
/// and at once when a row is removed (``writeRemoving(_:)``).
final class KeychainDatabase {
  let file: DatabaseFile
  /// Seconds that another process may keep the file.
  let busyTimeout: Double
  /// Bytes that the database may take, with what was put aside beside it.
  let room: Int
  private let mark: KeychainMark
  private var opened: Opened?
  /// How often a database was opened.
  private var openings = 0

  /// A database in use, and which files it lies in.
  private struct Opened {
    let queue: DatabaseQueue
    let file: DatabaseFile.Identity
    let log: DatabaseFile.Identity?
    var logRoom = LogRoom()
    /// The enclave that sealed the rows, once known.
    var enclave: [UInt8]?
    /// Whether that enclave knows of the file.
    var isMarked = false
    /// Whether the log may hold what a removal took away.
    var holdsRemoved = false
    /// Whether there is room for a removal on a full disk.
    var hasReserve = false
  }

  init(file: DatabaseFile, busyTimeout: Double, room: Int, mark: KeychainMark) {
    (self.file, self.busyTimeout, self.room, self.mark) = (file, busyTimeout, room, mark)
  }

  deinit { release() }

  // MARK: Reading and writing

  /// Reads with one statement, which sees one state of the database. GRDB's own `read` takes four
  /// more statements to guard against writing.
  func read<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    return try file.using(room: room) { try queue.writeWithoutTransaction(body) }
  }

  /// Writes in one transaction, or nothing if `body` throws. GRDB's own `write` compiles BEGIN and
  /// COMMIT each time, which takes longer than an insertion.
  func write<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    eraseRemoved()
    let log = opened?.log
    do {
      return try queue.writeWithoutTransaction { database in
        try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
          opened?.logRoom.make(in: file.log, log)
          let value = try body(database)
          try database.cachedStatement(sql: "COMMIT").execute()
          if opened?.hasReserve == false { opened?.hasReserve = reserve.take() }
          return value
        } catch {
          try? database.rollback()
          throw error
        }
      }
    } catch {
      // The next request may be allowed to write, and has to open the file for that.
      if (error as? DatabaseError)?.resultCode == .SQLITE_READONLY { release() }
      throw StorageFailure.describe(error, in: file, room: room)
    }
  }

  /// Differs after every change of the database: by this process, by another one
  /// (sqlite.org/pragma.html#pragma_data_version), or because it was opened again.
  struct Moment: Equatable {
    fileprivate let openings, changes: Int
    fileprivate let version: Int64
  }

  func moment() throws(Failure) -> Moment { try read(moment(of:)) }

  /// Reads, or returns nil if anything in the database has changed.
  func read<Value>(
    unlessChangedSince moment: Moment, _ body: (Database) throws -> Value?
  ) throws(Failure) -> Value? {
    try read { try self.moment(of: $0) == moment ? body($0) : nil }
  }

  private func moment(of database: Database) throws -> Moment {
    let statement = try database.cachedStatement(sql: "PRAGMA data_version")
    return Moment(
      openings: openings, changes: database.totalChangesCount,
      version: try Int64.fetchOne(statement) ?? 0)
  }

  // MARK: Removing

  private var reserve: RemovalReserve { RemovalReserve(of: file) }

  /// Writes as ``write(_:)``, and leaves nothing of what was removed in the file or its log. On a
  /// full disk it uses the room reserved for this.
  func writeRemoving<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let restart = try? queue().writeWithoutTransaction {
      try LogRestart($0, file.log, opened?.log)
    }
    let value: Value
    do throws(Failure) {
      value = try write(body)
      opened?.holdsRemoved = true
      if let restart, (try? opened?.queue.writeWithoutTransaction(restart.clear)) == true {
        opened?.holdsRemoved = false
      }
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

  /// Writes the log back over what was removed, and empties the log. If another process is reading
  /// or the disk is full, the next change tries again.
  private func eraseRemoved() {
    guard let opened, opened.holdsRemoved else { return }
    let isBusy = try? opened.queue.writeWithoutTransaction {
      try Bool.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    if isBusy == false { self.opened?.holdsRemoved = false }
  }

  // MARK: Opening

  /// The open database. Opens it again if another file lies at the path: a person has moved a damaged
  /// one away, or put one back.
  func queue() throws(Failure) -> DatabaseQueue {
    if let opened, opened.file == file.identity { return opened.queue }
    release()
    try file.finishReplacing()
    if file.isMissing, try mark.isSet() { throw StorageFailure.gone(file, "is missing or empty") }
    try file.createIfMissing()
    return try file.using(room: room) {
      let queue = try openOrTakeAlone()
      guard let identity = file.identity else {
        throw StorageFailure.cannotUse(file, reason: "it has vanished")
      }
      opened = Opened(queue: queue, file: identity, log: file.log.identity)
      openings += 1
      return queue
    }
  }

  // MARK: Which enclave sealed the rows

  /// Makes sure that the rows belong to the enclave with this identity. A new database takes the
  /// identity over, and then the enclave notes that there is one. Nothing opens the rows of another
  /// enclave any more: their database is set aside, and an empty one takes its place, unless the
  /// enclave knows a keychain of its own.
  /// - Returns: the path of the database that was set aside, or nil.
  func belong(to enclave: [UInt8]) throws(Failure) -> String? {
    let stored = try knownEnclave()
    if stored == enclave, opened?.isMarked == true { return nil }
    var path: String?
    if stored != enclave {
      if let loss = try loss(to: enclave) { throw loss }
      path = try stored.map { _ throws(Failure) in try setAside() }
    }
    do throws(Failure) {
      if stored != enclave { try adopt(enclave) }
      // If another process was faster, the next request finds its enclave.
      guard try knownEnclave() == enclave else { return path }
      try mark.set()
      opened?.isMarked = true
    } catch  where error.code == .storageFailed {
      // Rows can be read on a full disk too; the next request tries again.
    }
    return path
  }

  /// Why the file is not the keychain that this enclave knows; nil if it is, or if it knows none.
  func loss(to enclave: [UInt8]) throws(Failure) -> Failure? {
    guard try mark.isSet() else { return nil }
    if file.isMissing { return StorageFailure.gone(file, "is missing or empty") }
    switch try knownEnclave() {
    case enclave: return nil
    case nil: return try isEmpty() ? StorageFailure.gone(file, "was emptied") : nil
    default: return StorageFailure.gone(file, "is that of another device, or of an erased one")
    }
  }

  /// Gives up the keychain that this enclave knows, and begins an empty one.
  /// - Returns: the path of what lay there instead, or nil.
  func beginAnew(for enclave: [UInt8]) throws(Failure) -> String? {
    try mark.remove()
    let log = file.isMissing && !file.log.isMissing ? try file.setAside() : nil
    return try belong(to: enclave) ?? log
  }

  private func isEmpty() throws(Failure) -> Bool {
    try read { database in
      try Bool.fetchOne(
        database,
        sql: "SELECT NOT EXISTS (SELECT * FROM items) AND NOT EXISTS (SELECT * FROM keys)") ?? true
    }
  }

  private func knownEnclave() throws(Failure) -> [UInt8]? {
    _ = try queue()
    if let known = opened?.enclave { return known }
    let stored = try read { database in
      try Row.fetchOne(database, sql: "SELECT identity FROM enclave").map { $0.bytes(at: 0) ?? [] }
    }
    opened?.enclave = stored
    return stored
  }

  private func adopt(_ enclave: [UInt8]) throws(Failure) {
    try write { database in try ItemSchema.adopt(enclave, in: database) }
  }

  private func setAside() throws(Failure) -> String {
    try file.using(room: room) {
      try opened?.queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try opened?.queue.close()
    }
    release()
    return try file.setAside()
  }

  /// Closes the file, for a reader that does not use SQLite.
  ///
  /// If it is no longer at its path, its log is written back into it, wherever it lies, so that it
  /// can be put back. SQLite would leave the log behind and take it for the next file's.
  func release() {
    guard let opened else { return }
    let isAway = opened.file != file.identity
    if isAway {
      try? opened.queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
    ClosedDatabases.close(opened.queue)
    self.opened = nil
    if isAway, let log = opened.log, log == file.log.identity { file.removeLog() }
  }
}
