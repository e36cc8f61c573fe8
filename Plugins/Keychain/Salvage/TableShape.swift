import Foundation
import GRDB
import Protocol

/// The form of a table's records, which tells them from others.
struct TableShape {
  let name: String
  private let columns: [Column]
  /// The columns of the unique index, if there is one.
  let unique: [String]
  let uniqueIndex: String?
  /// The columns with an index that is not unique.
  let indexed: [String]

  private struct Column {
    let name, type: String
    let isRequired, hasDefault: Bool
    /// SQLite keeps it as the row's number, and stores null in the record.
    let isSequence: Bool

    func takes(_ value: DatabaseValue) -> Bool {
      switch value.storage {
      case .null: isSequence || !isRequired
      case .int64: type == "INTEGER" && !isSequence
      case .double: type == "REAL"
      case .string: type == "TEXT"
      case .blob: type == "BLOB"
      }
    }
  }

  static func all(in database: Database) throws -> [TableShape] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'
        """
    ).map { try TableShape($0, in: database) }
  }

  private init(_ name: String, in database: Database) throws {
    self.name = name
    columns = try Row.fetchAll(database, sql: "PRAGMA table_info(\(name))").map { row in
      Column(
        name: row["name"], type: row["type"], isRequired: row["notnull"],
        hasDefault: row["dflt_value"] as String? != nil,
        isSequence: row["pk"] == 1 && row["type"] == "INTEGER")
    }
    uniqueIndex = try String.fetchOne(
      database,
      sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin = 'c'",
      arguments: [name])
    indexed = try String.fetchAll(
      database,
      sql: """
        SELECT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
        WHERE NOT list."unique"
        """, arguments: [name])
    unique = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
      arguments: [uniqueIndex])
  }

  /// Whether a record can be of this table, or of an earlier version with fewer columns.
  func takes(_ record: [DatabaseValue]) -> Bool {
    guard record.count <= columns.count,
      columns[record.count...].allSatisfy({ $0.hasDefault || !$0.isRequired })
    else { return false }
    return zip(columns, record).allSatisfy { $0.takes($1) }
  }

  /// Whether no value is longer than a keychain ever stores.
  func fits(_ record: [DatabaseValue]) -> Bool {
    zip(columns, record).allSatisfy { column, value in
      guard case .blob(let bytes) = value.storage else { return true }
      return bytes.count <= Self.longest[column.name, default: 64]
    }
  }

  /// Most bytes of the columns that hold no hash, identifier or access control.
  private static let longest = [
    "sealedAttributes": largestAttributes + 64,
    "sealedSecret": largestSealedSecret(of: .certificate),
    "sealedKey": KeyRow.longestSealedKey,
    "sharedWith": largestAttributes,
  ]

  /// The row's name and number in a record of the unique index; nil for other records. Columns that
  /// an earlier index lacked are empty.
  func name(in record: [DatabaseValue]) -> [DatabaseValue]? {
    guard let number = record.last, case .int64 = number.storage, record.count > 1 else {
      return nil
    }
    let missing = unique.dropFirst(record.count - 1)
    guard record.count <= unique.count + 1, missing.allSatisfy({ column($0)?.hasDefault ?? false }),
      zip(unique, record.dropLast()).allSatisfy({ column($0)?.takes($1) ?? false })
    else { return nil }
    return record.dropLast() + missing.map { _ in Data().databaseValue } + [number]
  }

  private func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// Adds a record as a row, under its number or the next free one.
  func insert(
    _ record: [DatabaseValue], sequence: Int64, into database: Database
  ) throws -> Bool {
    for number in [sequence.databaseValue, .null] {
      let values = zip(columns, record).map { $0.isSequence ? number : $1 }
      let names = columns.prefix(record.count).map(\.name).joined(separator: ", ")
      let places = record.map { _ in "?" }.joined(separator: ", ")
      let statement = try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO \(name) (\(names)) VALUES (\(places))")
      try statement.execute(arguments: StatementArguments(values))
      if database.changesCount == 1 { return true }
    }
    return false
  }
}
