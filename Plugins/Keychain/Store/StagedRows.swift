import Foundation
import GRDB
import Protocol

struct StagedRow {
  let identifier: [UInt8]
  let itemClass: ItemClass
  let accessibility: Accessibility
  let accessControl: AccessControl?
  let name: HashedName
  /// The row that it replaces, or nil.
  let replaced: ItemRow?
  var sealed = SealedFromBackup.Item(attributes: [], content: [])
}

/// The table in which the rows of a restore wait, where no query finds them, until all are there: the
/// last step is one transaction. The table exists during a restore; one that was interrupted leaves it
/// behind, to be dropped when the file is opened next or by the next restore.
struct StagedRows {
  let keychain: KeychainDatabase

  static let table = """
    CREATE TABLE incoming (
      sequence INTEGER PRIMARY KEY,
      mark BLOB NOT NULL,
      identifier BLOB NOT NULL,
      accessGroup BLOB NOT NULL,
      class INTEGER NOT NULL,
      accessibility INTEGER NOT NULL,
      accessControl BLOB,
      service BLOB NOT NULL,
      account BLOB NOT NULL,
      label BLOB NOT NULL,
      rest BLOB NOT NULL,
      replaced INTEGER,
      revision INTEGER,
      sealedAttributes BLOB NOT NULL,
      sealedSecret BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX incomingByName ON incoming (service, account, class, rest, mark);
    """

  /// Makes an empty table, in place of another restore's.
  func begin() throws(Failure) {
    try keychain.write { database in
      try Self.dropTable(in: database)
      try database.execute(sql: Self.table)
    }
  }

  /// Adds rows. A later row replaces one of the same name.
  /// - Returns: how many rows the table has gained.
  func add(_ rows: [StagedRow], mark: [UInt8]) throws(Failure) -> Int {
    guard !rows.isEmpty else { return 0 }
    return try keychain.write { database in
      try Self.requireTable(in: database)
      var count = 0
      for row in rows {
        count += try 1 - Self.unstage(row, mark, in: database)
        let name = row.name
        let statement = try database.cachedStatement(
          sql: """
            INSERT INTO incoming (mark, identifier, accessGroup, class, accessibility,
              accessControl, service, account, label, rest, replaced, revision, sealedAttributes,
              sealedSecret)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try statement.execute(arguments: [
          Data(mark), Data(row.identifier), Data(name.group), Int64(row.itemClass.rawValue),
          Int64(row.accessibility.rawValue), row.accessControl.map { Data($0.stored) },
          Data(name.service), Data(name.account), Data(name.label), Data(name.rest),
          row.replaced?.sequence, row.replaced?.revision,
          Data(row.sealed.attributes), Data(row.sealed.content),
        ])
      }
      return count
    }
  }

  private static func unstage(
    _ row: StagedRow, _ mark: [UInt8], in database: Database
  ) throws -> Int {
    let statement = try database.cachedStatement(
      sql: """
        DELETE FROM incoming
        WHERE service = ? AND account = ? AND class = ? AND rest = ? AND mark = ?
        """)
    try statement.execute(arguments: [
      Data(row.name.service), Data(row.name.account), Int64(row.itemClass.rawValue),
      Data(row.name.rest), Data(mark),
    ])
    return database.changesCount
  }

  /// Makes the `count` rows with this mark items, all or none. An item that was changed or added since
  /// stays as it is.
  /// - Throws: `busy` if another process has dropped them.
  func commit(_ mark: [UInt8], count: Int) throws(Failure) -> (added: Int, replaced: Int) {
    try keychain.writeRemoving { database in
      try Self.requireTable(in: database)
      let found = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM incoming WHERE mark = ?", arguments: [Data(mark)])
      guard found == count else { throw Self.overtakenRestore }
      try database.execute(
        sql: """
          UPDATE items SET revision = items.revision + 1, accessibility = staged.accessibility,
            accessControl = staged.accessControl, label = staged.label, sealedAttributes = staged.sealedAttributes,
            sealedSecret = staged.sealedSecret
          FROM incoming AS staged
          WHERE staged.mark = ? AND items.sequence = staged.replaced
            AND items.identifier = staged.identifier AND items.revision = staged.revision
          """, arguments: [Data(mark)])
      let replaced = database.changesCount
      // Rows whose item was removed meanwhile stay, and are added. A statement that looked at the
      // items while adding to them would hold all rows in memory.
      try database.execute(
        sql: """
          DELETE FROM incoming WHERE mark = ? AND EXISTS (SELECT 1 FROM items
            WHERE sequence = incoming.replaced AND identifier = incoming.identifier)
          """, arguments: [Data(mark)])
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO items (identifier, revision, accessGroup, class, accessibility,
            accessControl, service, account, label, sealedAttributes, sealedSecret, rest)
          SELECT identifier, 0, accessGroup, class, accessibility, accessControl, service, account,
            label, sealedAttributes, sealedSecret, rest
          FROM incoming WHERE mark = ? ORDER BY sequence
          """, arguments: [Data(mark)])
      let added = database.changesCount
      try Self.dropTable(in: database)
      return (added: added, replaced: replaced)
    }
  }

  /// Drops the table if it can. The next restore drops it otherwise; no query finds it.
  func drop() { try? keychain.write { try Self.dropTable(in: $0) } }

  /// Empties the table first: SQLite keeps all pages of a table that it drops in memory.
  static func dropTable(in database: Database) throws {
    guard try exists(in: database) else { return }
    try database.execute(sql: "DELETE FROM incoming; DROP TABLE incoming")
  }

  /// GRDB's own answer does not know that another process made or dropped it.
  private static func exists(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'incoming'") ?? false
  }

  /// Another process may have dropped it.
  private static func requireTable(in database: Database) throws {
    guard try exists(in: database) else { throw overtakenRestore }
  }

  private static var overtakenRestore: Failure {
    Failure(
      .busy, "another restore has begun meanwhile, or the keychain's file is another one",
      hint: "nothing was changed; try again when it has finished")
  }
}
