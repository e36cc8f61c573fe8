import GRDB
import Wire

/// The rows of the keychain, in a file that is opened with the first request.
///
/// With a rollback journal: between two transactions there is one file, which can be read in a folder that cannot be written, and
/// a removed row (`secure_delete`) is gone from it with the commit. With `synchronous=FULL` what has been answered survives a
/// loss of power.
final class ItemStore {
  private let file: DatabaseFile
  private let patience: Double
  private var opened: (queue: DatabaseQueue, identity: DatabaseFile.Identity)?

  /// `patience` is for how many seconds another process may keep the file.
  init(file: DatabaseFile, patience: Double) {
    self.file = file
    self.patience = patience
  }

  /// Reads in one transaction.
  func read<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    do {
      return try queue.read(body)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// Writes in one transaction; nothing is written where `body` throws.
  func write<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    let queue = try queue()
    do {
      return try queue.write(body)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// The open database. Opened afresh when another file lies at the path: the person has moved a damaged one away, or put one back.
  private func queue() throws(Failure) -> DatabaseQueue {
    if let opened, opened.identity == file.identity { return opened.queue }
    opened = nil
    try file.createIfMissing()
    do {
      let queue = try open()
      guard let identity = file.identity else {
        throw StorageFailure.cannotUse(file, reason: "it has vanished")
      }
      opened = (queue, identity)
      return queue
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  private func open() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "keychain"
    configuration.busyMode = .timeout(patience)
    configuration.prepareDatabase { database in
      // The schema is data of the file's: it may call nothing and is checked as it is read (sqlite.org/security.html).
      try database.execute(
        sql: """
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA secure_delete = ON;
          PRAGMA synchronous = FULL;
          PRAGMA temp_store = MEMORY;
          """)
    }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.read { try ItemSchema.check($0, of: file) }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = TRUNCATE") }
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
