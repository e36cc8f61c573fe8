import Foundation
import GRDB
import Protocol

/// More bytes than an enclave ever gave for the secret or certificate of an item.
func largestSealedSecret(of itemClass: ItemClass?) -> Int {
  (itemClass == .certificate ? largestCertificate : largestItemSecret) + 4096
}

/// The table of items.
struct ItemStore {
  let keychain: KeychainDatabase

  /// The rows that a filter matches, oldest first.
  func rows(matching filter: RowFilter) throws(Failure) -> [NamedRow] {
    try keychain.read { database in
      try database.rows(
        "SELECT \(ItemRow.columns) FROM items WHERE \(filter.condition) ORDER BY sequence",
        filter.arguments
      ) { NamedRow(ItemRow($0), group: filter.group) }
    }
  }

  /// A page of the rows that a filter matches, oldest first, from the first one after `sequence` on:
  /// at most `count`, and no more once they have `bytes` of sealed attributes.
  func rows(
    matching filter: RowFilter, after sequence: Int64, count: Int, bytes: Int
  ) throws(Failure) -> (rows: [NamedRow], mayBeMore: Bool) {
    try keychain.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns) FROM items WHERE \(filter.condition) AND sequence > ?
            ORDER BY sequence LIMIT ?
          """)
      var (rows, size): ([NamedRow], Int) = ([], 0)
      let cursor = try Row.fetchCursor(
        statement, arguments: filter.arguments + [sequence, count])
      while size < bytes, let row = try cursor.next() {
        let row = ItemRow(row)
        size += row.sealedAttributes.count
        rows.append(NamedRow(row, group: filter.group))
      }
      return (rows, size >= bytes || rows.count == count)
    }
  }

  /// The rows that a filter matches, as one statement finds them.
  struct FoundRows {
    /// Oldest first.
    var rows: [NamedRow] = []
    /// The sealed secret, if there is just one row.
    var sealedSecret: [UInt8]?
    /// Whether any item is shared with an application; true if unknown.
    var mayHoldShares = true
  }

  func rowsWithSecret(matching filter: RowFilter) throws(Failure) -> FoundRows {
    try keychain.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns), sealedSecret,
            EXISTS (SELECT 1 FROM items WHERE sharedWith IS NOT NULL)
          FROM items WHERE \(filter.condition) ORDER BY sequence
          """)
      var (found, sealed): (FoundRows, [UInt8]?) = (FoundRows(), nil)
      let cursor = try Row.fetchCursor(statement, arguments: filter.arguments)
      while let row = try cursor.next() {
        sealed = found.rows.isEmpty ? row.bytes(at: row.count - 2) : nil
        found.mayHoldShares = row.integer(at: row.count - 1) != 0
        found.rows.append(NamedRow(ItemRow(row), group: filter.group))
      }
      if found.rows.count == 1 {
        found.sealedSecret = try Self.checked(sealed, of: found.rows[0].row)
      }
      return found
    }
  }

  /// The sealed secret of a row, or nil if the row was removed meanwhile.
  func sealedSecret(of row: ItemRow) throws(Failure) -> [UInt8]? {
    try keychain.read { try Self.sealedSecret(of: row, in: $0) }
  }

  /// The same, or nil if anything in the database has changed.
  func sealedSecret(
    of row: ItemRow, unlessChangedSince moment: KeychainDatabase.Moment
  ) throws(Failure) -> [UInt8]? {
    try keychain.read(unlessChangedSince: moment) { try Self.sealedSecret(of: row, in: $0) }
  }

  private static func sealedSecret(of row: ItemRow, in database: Database) throws -> [UInt8]? {
    let statement = try database.cachedStatement(
      sql: "SELECT sealedSecret FROM items WHERE sequence = ? AND identifier = ?")
    let found = try Row.fetchOne(statement, arguments: [row.sequence, Data(row.identifier)])
    return try found.map { try checked($0.bytes(at: 0), of: row) }
  }

  /// Keeps from the enclave what is longer than anything it ever sealed.
  private static func checked(_ sealed: [UInt8]?, of row: ItemRow) throws -> [UInt8] {
    guard let sealed, sealed.count <= largestSealedSecret(of: row.clear?.itemClass) else {
      throw KeychainEngine.damaged
    }
    return sealed
  }

  /// Whether any item is shared with an application.
  func holdsShares() throws(Failure) -> Bool {
    try keychain.read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT 1 FROM items WHERE sharedWith IS NOT NULL LIMIT 1")
      return try Row.fetchOne(statement) != nil
    }
  }

  /// The rows whose column says that they are shared with an application, oldest first. The sealed
  /// attributes say if they are.
  func rows(sharedWith hash: [UInt8]) throws(Failure) -> [NamedRow] {
    try keychain.read { database in
      try database.rows(
        """
        SELECT \(ItemRow.columns), accessGroup FROM items
        WHERE sharedWith IS NOT NULL AND instr(sharedWith, ?) > 0 ORDER BY sequence
        """, [Data(hash)], NamedRow.init)
    }
  }

  /// Rows of all groups, oldest first, from the first one after `sequence` on.
  func everyRow(after sequence: Int64, count: Int) throws(Failure) -> [NamedRow] {
    try keychain.read { database in
      try database.rows(
        """
        SELECT \(ItemRow.columns), accessGroup FROM items WHERE sequence > ?
        ORDER BY sequence LIMIT ?
        """, [sequence, count], NamedRow.init)
    }
  }

  /// The rows of all groups that an access control guards, oldest first, with their sealed secrets.
  func guardedRows() throws(Failure) -> [(named: NamedRow, sealedSecret: [UInt8])] {
    try keychain.read { database in
      try database.rows(
        """
        SELECT \(ItemRow.columns), accessGroup, sealedSecret FROM items
        WHERE accessControl IS NOT NULL ORDER BY sequence
        """
      ) { (NamedRow($0), $0.bytes(at: $0.count - 1) ?? []) }
    }
  }

  /// The row of each name, or nil if there is none.
  func rows(named names: [(itemClass: ItemClass, name: HashedName)]) throws(Failure) -> [ItemRow?] {
    try keychain.read { database in
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
}
