import Foundation
import GRDB
import Protocol

/// What the records of a table look like, by which they are told from those of others.
struct TableShape {
  let name: String
  private let columns: [Column]
  /// The columns by which no two rows are alike; empty where there are none.
  let unique: [String]
  /// The index that sees to it; nil where there is none.
  let uniqueIndex: String?
  /// The columns that have an index of their own in which rows are alike.
  let indexed: [String]

  private struct Column {
    let name, type: String
    let isRequired, hasDefault: Bool
    /// SQLite keeps the number of a row in its place, and nothing in the record.
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

  /// The tables of a keychain of this version.
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

  /// Whether a record can be of this table, or of one of before that had fewer columns.
  func takes(_ record: [DatabaseValue]) -> Bool {
    guard record.count <= columns.count,
      columns[record.count...].allSatisfy({ $0.hasDefault || !$0.isRequired })
    else { return false }
    return zip(columns, record).allSatisfy { $0.takes($1) }
  }

  /// Whether no value of a record is longer than a keychain ever stores.
  func fits(_ record: [DatabaseValue]) -> Bool {
    zip(columns, record).allSatisfy { column, value in
      guard case .blob(let bytes) = value.storage else { return true }
      return bytes.count <= Self.longest[column.name, default: 64]
    }
  }

  /// Bytes of the columns that are no hash, no identifier and no access control.
  private static let longest = [
    "sealedAttributes": largestAttributes + 64,
    "sealedSecret": largestSealedSecret(of: .certificate),
    "sealedKey": KeyRow.longestSealedKey,
    "sharedWith": largestAttributes,
  ]

  /// What a record of the index says in which no two rows are alike: a row's name, and its number
  /// last. What columns had no place in the index of before is empty there. Nil for other records.
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

  /// Adds a record as a row, under its number or, where that is taken, the next; false where a row of
  /// its name is there.
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
