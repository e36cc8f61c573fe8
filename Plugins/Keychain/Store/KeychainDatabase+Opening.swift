import GRDB
import Protocol

extension KeychainDatabase {
  /// The log has an index in a file, which takes 32 KiB when the first process opens it
  /// (sqlite.org/walformat.html). On a full disk the index is kept in memory instead: this process can
  /// read, and no other one can.
  func openOrTakeAlone() throws -> DatabaseQueue {
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
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      // First, because the other pragmas read the file.
      if isAlone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      // The schema comes from the file: it may call nothing and is checked as it is read
      // (sqlite.org/security.html). 16 MiB of pages hold the indexes of 100,000 items; an import
      // would otherwise read them again for each item.
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
    // Fails on a full disk, where rows can still be read.
    try? queue.write { try StagedRows.dropTable(in: $0) }
    let migrator = ItemSchema.migrator
    guard try !queue.read(migrator.hasCompletedMigrations) else { return queue }
    do {
      try migrator.migrate(queue)
    } catch {
      // Another process may have been faster.
      guard try queue.read(migrator.hasCompletedMigrations) else { throw error }
    }
    return queue
  }

  /// The pages that the database may have. A larger database stays as it is and takes nothing more.
  var mostPages: Int {
    max(Self.fewestPages, (room - file.bytesPutAside) / DatabasePages.size)
  }

  /// - Throws: `storageFailed` if rows may be changed or removed but not added.
  func requireRoom(in database: Database) throws {
    func number(_ pragma: String) throws -> Int {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(pragma)")) ?? 0
    }
    let used = try number("page_count") - number("freelist_count")
    guard used + Self.sparedPages < (try number("max_page_count")) else {
      throw StorageFailure.full(file, room: room)
    }
  }

  /// Pages that additions leave to changes.
  private static let sparedPages = 256
  /// A database always has room for its tables.
  private static let fewestPages = 2 * sparedPages
}
