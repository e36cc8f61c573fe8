import Foundation
import GRDB

/// Changes a database behind the keychain's back.
func tamper(_ folder: TestFolder, _ body: (Database) throws -> Void) throws {
  let queue = try DatabaseQueue(path: folder.database)
  try queue.writeWithoutTransaction(body)
  try queue.close()
}

/// Flips one bit in the middle of a column of every row.
func flipBit(of column: String, in folder: TestFolder, table: String = "items") throws {
  try tamper(folder) { database in
    let rows = try Row.fetchAll(database, sql: "SELECT sequence, \(column) AS bytes FROM \(table)")
    for row in rows {
      var bytes: Data = row["bytes"]
      bytes[bytes.count / 2] ^= 4
      let sequence: Int64 = row["sequence"]
      try database.execute(
        sql: "UPDATE \(table) SET \(column) = ? WHERE sequence = ?", arguments: [bytes, sequence])
    }
  }
}

func contents(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

func write(_ data: Data, to path: String) throws {
  try data.write(to: URL(fileURLWithPath: path))
}
