import Foundation
import GRDB
import Protocol

/// What a keychain cannot do without: one row put into one table of SQLite, and on the disk before
/// the next, with the same durability (a write-ahead log, `synchronous = FULL`).
struct SyncedInsert {
  /// Bytes of a row's values.
  let rowBytes: Int
  private(set) var sample = Sample()
  private let queue: DatabaseQueue
  private let row: Data

  /// An empty table beside a keychain, for rows as long as the keychain's first one.
  init(beside keychain: String) throws(Failure) {
    do {
      rowBytes = try Self.rowBytes(in: keychain)
      row = Data(count: rowBytes)
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      queue = try DatabaseQueue(path: keychain + ".insert", configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "CREATE TABLE rows (number INTEGER PRIMARY KEY, bytes BLOB)")
      }
    } catch {
      throw Failure(.storageFailed, "\(error)")
    }
  }

  /// Inserts a row, which is a transaction.
  mutating func insert() throws(Failure) {
    do {
      let (queue, row) = (queue, row)
      try sample.measure {
        try queue.writeWithoutTransaction { database in
          let statement = try database.cachedStatement(sql: "INSERT INTO rows (bytes) VALUES (?)")
          try statement.execute(arguments: [row])
        }
      }
    } catch {
      throw Failure(.storageFailed, "\(error)")
    }
  }

  private static func rowBytes(in keychain: String) throws -> Int {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: keychain, configuration: configuration)
    let row = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM items LIMIT 1") }
    try queue.close()
    return (row.map { Array($0.databaseValues) } ?? []).reduce(0) { sum, value in
      if case .blob(let bytes) = value.storage { sum + bytes.count } else { sum + 1 }
    }
  }
}
