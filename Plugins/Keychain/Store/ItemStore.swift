import Foundation
import GRDB
import Protocol

/// The rows of the keychain, in a file that is opened with the first request.
///
/// With a write-ahead log: a commit waits for one fsync, where a rollback journal waits for four.
/// With `synchronous=FULL` what has been answered survives a loss of power. What a commit replaces
/// is overwritten (`secure_delete`) once the log is written back: at the latest when the engine
/// ends, and at once where a row is removed (``writeRemoving(_:)``).
final class ItemStore {
  let file: DatabaseFile
  let patience: Double
  /// Bytes that the database may take, with what was put aside beside it.
  let room: Int
  var opened: Opened?
  /// How often one was opened.
  private(set) var openings = 0

  /// A database that is in use, and which files it lies in.
  struct Opened {
    let queue: DatabaseQueue
    let file: DatabaseFile.Identity
    let log: DatabaseFile.Identity?
    fileprivate var room = LogRoom()
    /// The identity of the enclave that its rows are known to be of.
    fileprivate var enclave: [UInt8]?
    /// Whether the log, or what is behind it, may hold what a removal took away.
    var holdsRemoved = false
    /// Whether there is room for a removal on a full disk.
    var hasReserve = false

    fileprivate init(_ queue: DatabaseQueue, _ file: DatabaseFile.Identity, log: DatabaseFile) {
      (self.queue, self.file, self.log) = (queue, file, log.identity)
    }
  }

  /// - Parameters:
  ///   - file: where it lies.
  ///   - patience: for how many seconds another process may keep the file.
  ///   - room: bytes that it may take, with what was put aside beside it.
  init(file: DatabaseFile, patience: Double, room: Int) {
    (self.file, self.patience, self.room) = (file, patience, room)
  }

  /// Reads with one statement, which sees one state of the database. GRDB's own `read` guards
  /// against writing with four statements more.
  func read<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    do {
      return try queue.writeWithoutTransaction(body)
    } catch {
      throw StorageFailure.describe(error, in: file, room: room)
    }
  }

  /// Writes in one transaction; nothing is written where `body` throws. GRDB's own `write` compiles
  /// beginning and end anew each time, which takes longer than an insertion.
  func write<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    eraseRemoved()
    let log = opened?.log
    do {
      return try queue.writeWithoutTransaction { database in
        try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
          opened?.room.make(in: file.log, log)
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
      // A file that may not be written may be with the next request, which has to open it for that.
      if (error as? DatabaseError)?.resultCode == .SQLITE_READONLY { release() }
      throw StorageFailure.describe(error, in: file, room: room)
    }
  }

  /// The open database. Opened afresh when another file lies at the path: the person has moved a
  /// damaged one away, or put one back.
  func queue() throws(Failure) -> DatabaseQueue {
    if let opened, opened.file == file.identity { return opened.queue }
    close()
    try file.finishReplacing()
    try file.createIfMissing()
    do {
      let queue = try openOrTakeAlone()
      guard let identity = file.identity else {
        throw StorageFailure.cannotUse(file, reason: "it has vanished")
      }
      opened = Opened(queue, identity, log: file.log)
      openings += 1
      return queue
    } catch {
      throw StorageFailure.describe(error, in: file, room: room)
    }
  }

  /// Makes sure that the rows are those of the enclave with this identity. A database of none takes
  /// it over; that of another, which nothing opens any more, is set aside as it is, and an empty one
  /// takes its place.
  /// - Returns: where the database lies that was set aside; nil where none was.
  func belong(to enclave: [UInt8]) throws(Failure) -> String? {
    let stored = try knownEnclave()
    if stored == enclave { return nil }
    let path = try stored.map { _ throws(Failure) in try setAside() }
    do throws(Failure) {
      try adopt(enclave)
    } catch  where error.code == .storageFailed {
      // On a full disk what is there can be read all the same; the next request tries again.
    }
    return path
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
    try write { database in
      // Where another process was faster the next request finds its enclave.
      try database.execute(
        sql: "INSERT OR IGNORE INTO enclave (only, identity) VALUES (1, ?)",
        arguments: [Data(enclave)])
    }
  }

  private func setAside() throws(Failure) -> String {
    do {
      try opened?.queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try opened?.queue.close()
    } catch {
      throw StorageFailure.describe(error, in: file, room: room)
    }
    release()
    return try file.setAside()
  }

  /// Ends the use of a file that is no longer at its path. SQLite leaves the log of such a file,
  /// and would take it for the next file's.
  private func close() {
    let log = opened?.log
    release()
    if let log, log == file.log.identity { file.removeLog() }
  }

  /// Ends the use of the file, for whoever looks at it without SQLite.
  func release() {
    if let opened { ClosedDatabases.close(opened.queue) }
    opened = nil
  }

  deinit { release() }

  /// The log has an index in a file, which takes 32 KiB when the first process opens it
  /// (sqlite.org/walformat.html). On a full disk it is kept in memory, which no other process can look
  /// into: what is there can be read all the same, by this one.
  private func openOrTakeAlone() throws -> DatabaseQueue {
    do {
      return try open()
    } catch let error as DatabaseError where Self.indexProblems.contains(error.extendedResultCode) {
      return try open(isAlone: true)
    }
  }

  private static let indexProblems: [ResultCode] = [
    .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP,
  ]

  private func open(isAlone: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "keychain"
    configuration.busyMode = .timeout(patience)
    configuration.prepareDatabase { database in
      // Before anything reads the file: others of these do.
      if isAlone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      // The schema is data of the file's: it may call nothing and is checked as it is read
      // (sqlite.org/security.html). 16 MiB of pages hold the indexes of 100,000 items, which an
      // import would read afresh for each of its items.
      try database.execute(
        sql: """
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA secure_delete = ON;
          PRAGMA synchronous = FULL;
          PRAGMA temp_store = MEMORY;
          PRAGMA cache_size = -16384;
          """)
    }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.read { try ItemSchema.check($0, of: file) }
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA max_page_count = \(mostPages)")
    }
    // On a full disk what is there can be read all the same.
    try? queue.write { try Self.dropStagingTable(in: $0) }
    let migrator = ItemSchema.migrator
    guard try !queue.read(migrator.hasCompletedMigrations) else { return queue }
    do {
      try migrator.migrate(queue)
    } catch {
      // Another process may have been faster; then there is nothing left to do.
      guard try queue.read(migrator.hasCompletedMigrations) else { throw error }
    }
    return queue
  }
}
