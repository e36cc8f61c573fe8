import Foundation
import GRDB
import Protocol

/// A row that a restore brings.
struct StagedRow {
  let identifier: [UInt8]
  let itemClass: ItemClass
  let accessibility: Accessibility
  let accessControl: AccessControl?
  let name: HashedName
  /// In whose place it comes; nil for another item.
  let replaced: ItemRow?
  var sealed = SealedFromBackup.Item(attributes: [], content: [])
}

/// Rows of a restore wait in a table of their own, where no query finds them, until all are there: the
/// last step is one transaction, however many there are. The table is there for as long as a restore
/// takes; what one has left behind that did not come to its end is dropped when the file is opened,
/// or with the next one.
extension ItemStore {
  static let stagingTable = """
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

  /// Makes an empty table; another restore's is dropped.
  func beginStaging() throws(Failure) {
    try write { database in
      try Self.dropStagingTable(in: database)
      try database.execute(sql: Self.stagingTable)
    }
  }

  /// Adds rows to the table. A later row takes the place of one of the same name.
  /// - Returns: by how many rows there are more.
  func stage(_ rows: [StagedRow], mark: [UInt8]) throws(Failure) -> Int {
    guard !rows.isEmpty else { return 0 }
    return try write { database in
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

  /// Makes the rows with this mark items, all or none. A row that was changed or added since stays as
  /// it is.
  /// - Parameters:
  ///   - mark: the restore's.
  ///   - count: how many there have to be.
  /// - Returns: how many are other items, and how many came in the place of one.
  /// - Throws: `busy` where another process has dropped them.
  func commitStaged(_ mark: [UInt8], count: Int) throws(Failure) -> (added: Int, replaced: Int) {
    try writeRemoving { database in
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
      // What has been removed meanwhile stays, and is added. A statement that looked at the items
      // while it adds to them would hold all rows in memory before.
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
      try Self.dropStagingTable(in: database)
      return (added: added, replaced: replaced)
    }
  }

  /// Drops what a restore has brought, if that can be done; else it is dropped with the next one.
  func dropStaged() {
    do throws(Failure) {
      try write { try Self.dropStagingTable(in: $0) }
    } catch {
      // No query finds it.
    }
  }

  /// Drops the table, if it is there. It is emptied before: SQLite keeps all pages of a table that it
  /// drops in memory until that is done.
  static func dropStagingTable(in database: Database) throws {
    guard try isTableThere(in: database) else { return }
    try database.execute(sql: "DELETE FROM incoming; DROP TABLE incoming")
  }

  /// The row of each name, or nil where there is none.
  func rows(named names: [(itemClass: ItemClass, name: HashedName)]) throws(Failure) -> [ItemRow?] {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns) FROM items
          WHERE service = ? AND account = ? AND class = ? AND rest = ?
          """)
      return try names.map { itemClass, name in
        try Row.fetchOne(
          statement,
          arguments: [
            Data(name.service), Data(name.account), Int64(itemClass.rawValue), Data(name.rest),
          ]
        ).map(ItemRow.init)
      }
    }
  }

  /// GRDB's own answer is of before another process made or dropped it.
  private static func isTableThere(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'incoming'") ?? false
  }

  /// Another process may have dropped it.
  private static func requireTable(in database: Database) throws {
    guard try isTableThere(in: database) else { throw overtakenRestore }
  }

  private static var overtakenRestore: Failure {
    Failure(
      .busy, "another restore has begun meanwhile, or the keychain's file is another one",
      hint: "nothing was changed; try again when it has finished")
  }
}
