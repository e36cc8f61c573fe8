import Foundation
import GRDB
import Protocol

/// More than an enclave ever gave for what an item of a class holds, in bytes.
func largestSealedSecret(of itemClass: ItemClass?) -> Int {
  (itemClass == .certificate ? largestCertificate : largestItemSecret) + 4096
}

extension ItemStore {
  /// The rows a filter means, oldest first.
  func rows(matching filter: RowFilter) throws(Failure) -> [ItemRow] {
    try read { try Self.rows(matching: filter, in: $0) }
  }

  /// Some of the rows a filter means, oldest first, from the first one after `sequence` on: at most
  /// `count`, and no more once they have `bytes` of sealed attributes. And whether there may be more.
  func rows(
    matching filter: RowFilter, after sequence: Int64, count: Int, bytes: Int
  ) throws(Failure) -> (rows: [ItemRow], mayBeMore: Bool) {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns) FROM items WHERE \(filter.condition) AND sequence > ?
            ORDER BY sequence LIMIT ?
          """)
      var (rows, size): ([ItemRow], Int) = ([], 0)
      let cursor = try Row.fetchCursor(
        statement, arguments: filter.arguments + [sequence, count])
      while size < bytes, let row = try cursor.next() {
        let row = ItemRow(row)
        size += row.sealedAttributes.count
        rows.append(row)
      }
      return (rows, size >= bytes || rows.count == count)
    }
  }

  /// What one statement tells of the rows that a filter means.
  struct FoundRows {
    /// Oldest first.
    var rows: [ItemRow] = []
    /// Of the one row, where there is just one.
    var secret: [UInt8]?
    /// Whether any item is shared with an application; true too where nothing tells.
    var mayHoldShares = true
  }

  /// The rows a filter means, and where there is just one its sealed secret.
  func rowsWithSecret(matching filter: RowFilter) throws(Failure) -> FoundRows {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns), sealedSecret,
            EXISTS (SELECT 1 FROM items WHERE sharedWith IS NOT NULL)
          FROM items WHERE \(filter.condition) ORDER BY sequence
          """)
      var (found, secret): (FoundRows, [UInt8]?) = (FoundRows(), nil)
      let cursor = try Row.fetchCursor(statement, arguments: filter.arguments)
      while let row = try cursor.next() {
        secret = found.rows.isEmpty ? row.bytes(at: row.count - 2) : nil
        found.mayHoldShares = row.integer(at: row.count - 1) != 0
        found.rows.append(ItemRow(row))
      }
      if found.rows.count == 1 { found.secret = try Self.checked(secret, of: found.rows[0]) }
      return found
    }
  }

  /// The sealed secret of a row, or nil where it has been removed meanwhile.
  func sealedSecret(of row: ItemRow) throws(Failure) -> [UInt8]? {
    try read { try Self.sealedSecret(of: row, in: $0) }
  }

  /// The same, or nil too where anything in the database has changed.
  func sealedSecret(
    of row: ItemRow, unlessChangedSince moment: Moment
  ) throws(Failure) -> [UInt8]? {
    _ = try queue()
    let openings = openings
    return try read { database in
      guard try Moment(database, openings) == moment else { return nil }
      return try Self.sealedSecret(of: row, in: database)
    }
  }

  func moment() throws(Failure) -> Moment {
    _ = try queue()
    let openings = openings
    return try read { try Moment($0, openings) }
  }

  /// Another one where the database has changed: by this process, by another one
  /// (sqlite.org/pragma.html#pragma_data_version), or because it was opened anew.
  struct Moment: Equatable {
    private let openings: Int
    private let changes: Int
    private let version: Int64

    fileprivate init(_ database: Database, _ openings: Int) throws {
      self.openings = openings
      changes = database.totalChangesCount
      let statement = try database.cachedStatement(sql: "PRAGMA data_version")
      version = try Int64.fetchOne(statement) ?? 0
    }
  }

  /// Whether any item is shared with an application.
  func holdsShares() throws(Failure) -> Bool {
    try read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT 1 FROM items WHERE sharedWith IS NOT NULL LIMIT 1")
      return try Row.fetchOne(statement) != nil
    }
  }

  /// The rows whose column says that they are shared with an application, each with its group, oldest
  /// first. Whether they are their sealed attributes say.
  func rows(sharedWith hash: [UInt8]) throws(Failure) -> [(row: ItemRow, group: [UInt8])] {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns), accessGroup FROM items
          WHERE sharedWith IS NOT NULL AND instr(sharedWith, ?) > 0 ORDER BY sequence
          """)
      var rows: [(row: ItemRow, group: [UInt8])] = []
      let cursor = try Row.fetchCursor(statement, arguments: [Data(hash)])
      while let row = try cursor.next() {
        rows.append((ItemRow(row), row.bytes(at: row.count - 1) ?? []))
      }
      return rows
    }
  }

  private static func rows(matching filter: RowFilter, in database: Database) throws -> [ItemRow] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(ItemRow.columns) FROM items WHERE \(filter.condition) ORDER BY sequence
        """)
    var rows: [ItemRow] = []
    let cursor = try Row.fetchCursor(statement, arguments: filter.arguments)
    while let row = try cursor.next() { rows.append(ItemRow(row)) }
    return rows
  }

  private static func sealedSecret(of row: ItemRow, in database: Database) throws -> [UInt8]? {
    let statement = try database.cachedStatement(
      sql: "SELECT sealedSecret FROM items WHERE sequence = ? AND identifier = ?")
    let found = try Row.fetchOne(statement, arguments: [row.sequence, Data(row.identifier)])
    return try found.map { try checked($0.bytes(at: 0), of: row) }
  }

  /// A sealed secret as it was read: more than an enclave ever gave is not sent to it.
  private static func checked(_ sealed: [UInt8]?, of row: ItemRow) throws -> [UInt8] {
    guard let sealed, sealed.count <= largestSealedSecret(of: row.clear?.itemClass) else {
      throw KeychainEngine.damaged
    }
    return sealed
  }

  /// Adds a row. Failure: `errSecDuplicateItem`.
  func insert(_ row: NewRow) throws(Failure) {
    try write { database in
      try requireRoom(in: database)
      try Self.refusingDuplicates { try Self.insert(row, in: database) }
    }
  }

  /// Adds rows in one transaction, except those whose names there are already.
  /// - Returns: of each, whether it was added.
  func insert(_ rows: [NewRow]) throws(Failure) -> [Bool] {
    guard !rows.isEmpty else { return [] }
    return try write { database in
      try requireRoom(in: database)
      return try rows.map { row in
        do {
          try Self.insert(row, in: database)
          return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // The statement alone is undone (sqlite.org/lang_conflict.html, ABORT).
          return false
        }
      }
    }
  }

  private static func insert(_ row: NewRow, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO items (identifier, revision, accessGroup, class, accessibility, accessControl,
          service, account, label, sealedAttributes, sealedSecret, rest)
        VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let (attributes, name) = (row.attributes, row.sealed.name)
    try statement.execute(arguments: [
      Data(row.identifier), Data(name.group), Int64(attributes.itemClass.rawValue),
      Int64(attributes.accessibility.rawValue), attributes.accessControl.map { Data($0.stored) },
      Data(name.service), Data(name.account), Data(name.label), Data(row.sealed.attributes),
      Data(row.sealed.secret), Data(name.rest),
    ])
  }

  /// Another process has changed or removed a row meanwhile.
  struct Outdated: Error {}

  /// Changes all rows or none: whether `body` came to its end without an ``Outdated`` row.
  static func allOrNone(_ database: Database, _ body: () throws -> Void) throws -> Bool {
    do {
      try database.inSavepoint {
        try body()
        return .commit
      }
      return true
    } catch is Outdated {
      return false
    }
  }

  /// Replaces all rows or none; false where another process has changed or removed one meanwhile.
  /// Failure: `errSecDuplicateItem`.
  func update(_ rows: [ChangedRow]) throws(Failure) -> Bool {
    try write { database in
      try Self.allOrNone(database) {
        for row in rows {
          try Self.refusingDuplicates { try Self.update(row, in: database) }
          guard database.changesCount == 1 else { throw Outdated() }
        }
      }
    }
  }

  /// Where the names stay, their columns are not mentioned: SQLite would write their index afresh.
  static func update(_ row: ChangedRow, in database: Database) throws {
    let names: [(any DatabaseValueConvertible)?] =
      row.name.map {
        [Data($0.group), Data($0.service), Data($0.account), Data($0.label), Data($0.rest)]
      } ?? []
    var guarding: [(any DatabaseValueConvertible)?] = []
    if let protection = row.protection {
      guarding = [
        Int64(protection.accessibility.rawValue),
        protection.accessControl.map { Data($0.stored) },
      ]
    }
    let statement = try database.cachedStatement(
      sql: """
        UPDATE items SET revision = revision + 1, sealedAttributes = ?,
          sealedSecret = coalesce(?, sealedSecret)
          \(names.isEmpty ? "" : ", accessGroup = ?, service = ?, account = ?, label = ?, rest = ?")
          \(guarding.isEmpty ? "" : ", accessibility = ?, accessControl = ?")
          \(row.shares == nil ? "" : ", sharedWith = ?")
        WHERE sequence = ? AND identifier = ? AND revision = ?
        """)
    let contents: [(any DatabaseValueConvertible)?] = [
      Data(row.sealedAttributes), row.sealedSecret.map { Data($0) },
    ]
    let which: [(any DatabaseValueConvertible)?] = [
      row.previous.sequence, Data(row.previous.identifier), row.previous.revision,
    ]
    let shares: [(any DatabaseValueConvertible)?] =
      row.shares.map { [$0.isEmpty ? nil : Data($0)] } ?? []
    try statement.execute(
      arguments: StatementArguments(contents + names + guarding + shares + which))
  }

  /// Removes all rows or none; false where another process has changed or removed one meanwhile.
  func remove(_ rows: [ItemRow]) throws(Failure) -> Bool {
    try writeRemoving { database in
      try Self.allOrNone(database) {
        for row in rows {
          let statement = try database.cachedStatement(
            sql: "DELETE FROM items WHERE sequence = ? AND identifier IS ? AND revision IS ?")
          try statement.execute(
            arguments: [row.sequence, row.stored.identifier, row.stored.revision])
          guard database.changesCount == 1 else { throw Outdated() }
        }
      }
    }
  }

  /// Removes the rows that went with the passcode, of items and of keys.
  func removePasscodeBound() throws(Failure) -> Int {
    try writeRemoving { database in
      var count = 0
      for table in ["items", "keys"] {
        try database.execute(
          sql: "DELETE FROM \(table) WHERE accessibility = ? OR accessControl IS NOT NULL",
          arguments: [Int64(Accessibility.whenPasscodeSetThisDeviceOnly.rawValue)])
        count += database.changesCount
      }
      return count
    }
  }

  /// The database itself refuses a second row of one name.
  private static func refusingDuplicates(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Failure(
        .errSecDuplicateItem, "an item of this name is already in the keychain",
        hint: """
          its primary key (of a generic item service and account) must be its own: change it with \
          authcore item update, or choose another account
          """)
    }
  }
}
