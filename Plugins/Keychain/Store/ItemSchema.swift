import Foundation
import GRDB
import Protocol

/// The tables, and the migrations of older versions.
enum ItemSchema {
  /// `PRAGMA application_id`: "ackc". Tells a keychain from other SQLite files.
  static let applicationID = 0x6163_6B63

  /// The table `grdb_migrations` records the ones that were applied.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("items") { database in
      try database.execute(sql: items)
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    migrator.registerMigration("keys") { try $0.execute(sql: keys) }
    migrator.registerMigration("enclave") { try $0.execute(sql: enclave) }
    migrator.registerMigration("classes") { try $0.execute(sql: classes) }
    migrator.registerMigration("identifiers") { try $0.execute(sql: identifiers) }
    migrator.registerMigration("shares") { try $0.execute(sql: shares) }
    return migrator
  }

  /// Few indexes, because each costs every addition a page somewhere in the file; account and label
  /// have none. `sealedSecret` comes last, except for a column that only an index reads, so that
  /// searches read no page of it.
  private static let items = """
    CREATE TABLE items (
      sequence INTEGER PRIMARY KEY,
      identifier BLOB NOT NULL,
      revision INTEGER NOT NULL,
      application BLOB NOT NULL,
      class INTEGER NOT NULL,
      accessibility INTEGER NOT NULL,
      accessControl BLOB,
      service BLOB NOT NULL,
      account BLOB NOT NULL,
      label BLOB NOT NULL,
      sealedAttributes BLOB NOT NULL,
      sealedSecret BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX itemsByName ON items (service, account, class);
    CREATE INDEX itemsByApplication ON items (application);
    """

  /// Private keys are apart from items, so that no request for items finds one.
  private static let keys = """
    CREATE TABLE keys (
      sequence INTEGER PRIMARY KEY,
      identifier BLOB NOT NULL,
      application BLOB NOT NULL,
      name BLOB NOT NULL,
      accessibility INTEGER NOT NULL,
      accessControl BLOB,
      sealedAttributes BLOB NOT NULL,
      sealedKey BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX keysByName ON keys (name);
    CREATE INDEX keysByApplication ON keys (application);
    """

  /// The identity of the enclave that sealed the rows: one row, or none before it is known.
  private static let enclave = """
    CREATE TABLE enclave (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      identity BLOB NOT NULL
    ) STRICT;
    """

  /// Names the enclave that sealed the rows, unless one is named.
  static func adopt(_ enclave: [UInt8], in database: Database) throws {
    try database.execute(
      sql: "INSERT OR IGNORE INTO enclave (only, identity) VALUES (1, ?)",
      arguments: [Data(enclave)])
  }

  /// Every class of item, and groups. Existing rows are generic items, whose primary key has no
  /// rest.
  private static let classes = """
    ALTER TABLE items RENAME COLUMN application TO accessGroup;
    ALTER TABLE items ADD COLUMN rest BLOB NOT NULL DEFAULT x'';
    DROP INDEX itemsByName;
    CREATE UNIQUE INDEX itemsByName ON items (service, account, class, rest);
    DROP INDEX itemsByApplication;
    CREATE INDEX itemsByGroup ON items (accessGroup);
    """

  /// Programs keep identifiers, and find items by them.
  private static let identifiers = "CREATE INDEX itemsByIdentifier ON items (identifier)"

  /// The hashes of the applications that an item is shared with, one after another. The index holds
  /// only rows that are shared.
  private static let shares = """
    ALTER TABLE items ADD COLUMN sharedWith BLOB;
    CREATE INDEX itemsByShares ON items (sharedWith) WHERE sharedWith IS NOT NULL;
    """

  /// Whether a crash interrupted its creation: it has a header from the write-ahead log, and
  /// perhaps GRDB's table of migrations.
  private static func isUnborn(_ database: Database) throws -> Bool {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") == 0
  }

  /// Refuses a database that is no keychain or of a later version. Only reads. SQLite itself
  /// notices a file that is cut short or no database.
  static func check(_ database: Database, of file: DatabaseFile) throws {
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    guard pages > 0 else { return }
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
    guard try application == applicationID || (application == 0 && isUnborn(database)) else {
      throw StorageFailure.damaged(file, "is a database of something else")
    }
    let strange = try strangeNames(in: database)
    // The table of migrations has to be GRDB's own before it is read.
    guard try strange.contains(steps) || !migrator.hasBeenSuperseded(database) else {
      throw Failure(
        .stateDamaged,
        "the keychain \(file.path) was written by a later version; it was left untouched",
        hint: "install that version again")
    }
    if let name = strange.first { throw StorageFailure.strange(file, name) }
  }

  // MARK: The schema as it is written in the file

  /// GRDB's table of migrations.
  private static let steps = "grdb_migrations"

  /// The SQL text of each table and index of a keychain, of every version; the name, for one that
  /// SQLite makes by itself.
  static let knownTexts = Result<Set<String>, any Error> {
    let queue = try DatabaseQueue()
    defer { ClosedDatabases.close(queue) }
    var texts: Set<String> = []
    for step in migrator.migrations {
      try migrator.migrate(queue, upTo: step)
      texts.formUnion(try queue.read(Self.texts(in:)))
    }
    try queue.write { try $0.execute(sql: StagedRows.table) }
    return texts.union(try queue.read(Self.texts(in:)))
  }

  /// The SQL texts of tables and indexes. Reading them runs nothing in them.
  static func texts(in database: Database) throws -> Set<String> {
    try Set(String.fetchAll(database, sql: "SELECT coalesce(sql, name) FROM sqlite_schema"))
  }

  /// The tables, indexes, views and triggers that no keychain has. A foreign trigger, view or
  /// expression would run in this process.
  private static func strangeNames(in database: Database) throws -> [String] {
    let known = try knownTexts.get()
    return try Row.fetchAll(
      database, sql: "SELECT name, coalesce(sql, name) AS text FROM sqlite_schema"
    ).filter { $0.text(at: 1).map { !known.contains($0) } ?? true }
      .map { $0.text(at: 0) ?? "something without a name" }
  }

  static func listsSteps(_ database: Database) throws -> Bool {
    guard try !strangeNames(in: database).contains(steps) else { return false }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM sqlite_schema WHERE name = ?", arguments: [steps]) == 1
  }
}
