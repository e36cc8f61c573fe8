import Foundation
import GRDB
import Protocol

extension ItemStore {
  /// Rows of all groups, oldest first, from the first one after `sequence` on, each with its group.
  func everyRow(
    after sequence: Int64, count: Int
  ) throws(Failure) -> [(row: ItemRow, group: [UInt8])] {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns), accessGroup FROM items WHERE sequence > ?
          ORDER BY sequence LIMIT ?
          """)
      var rows: [(row: ItemRow, group: [UInt8])] = []
      let cursor = try Row.fetchCursor(statement, arguments: [sequence, count])
      while let row = try cursor.next() {
        rows.append((ItemRow(row), row.bytes(at: row.count - 1) ?? []))
      }
      return rows
    }
  }

  /// A row that an access control guards, with its sealed secret.
  struct GuardedRow {
    let row: ItemRow
    let protection: ItemProtection?
    let sealed: [UInt8]
  }

  /// The rows of all groups that an access control guards, oldest first.
  func guardedRows() throws(Failure) -> [GuardedRow] {
    try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(ItemRow.columns), accessGroup, sealedSecret FROM items
          WHERE accessControl IS NOT NULL ORDER BY sequence
          """)
      var rows: [GuardedRow] = []
      let cursor = try Row.fetchCursor(statement)
      while let columns = try cursor.next() {
        let row = ItemRow(columns)
        rows.append(
          GuardedRow(
            row: row,
            protection: row.protection(group: columns.bytes(at: columns.count - 2) ?? []),
            sealed: columns.bytes(at: columns.count - 1) ?? []))
      }
      return rows
    }
  }

  /// The keys of all groups, oldest first.
  func everyKey() throws(Failure) -> [KeyRow] {
    try read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT \(KeyRow.columns) FROM keys ORDER BY sequence")
      var rows: [KeyRow] = []
      let cursor = try Row.fetchCursor(statement)
      while let row = try cursor.next() { rows.append(KeyRow(row)) }
      return rows
    }
  }

  /// Removes a group with its items and keys, and changes the rows of others, all or nothing.
  /// - Returns: how many rows were removed; nil where another process has changed one meanwhile.
  func forget(_ group: [UInt8], changing rows: [ChangedRow]) throws(Failure) -> Int? {
    try writeRemoving { database -> Int? in
      var count = 0
      let isDone = try Self.allOrNone(database) {
        for row in rows {
          try Self.update(row, in: database)
          guard database.changesCount == 1 else { throw Outdated() }
        }
        for (table, column) in [("items", "accessGroup"), ("keys", "application")] {
          try database.execute(
            sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [Data(group)])
          count += database.changesCount
        }
      }
      return isDone ? count : nil
    }
  }
}
