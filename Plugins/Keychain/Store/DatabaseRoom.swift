import Foundation
import GRDB
import Protocol

/// How much of the disk one keychain takes: the database, and what was put aside beside it.
extension ItemStore {
  /// What additions leave to changes of what is there, in pages of the database.
  private static let spared = 256
  /// A database always has room for its tables.
  private static let fewest = 2 * spared

  /// The pages that the database may have. One that has more stays as it is and takes nothing more.
  var mostPages: Int {
    max(Self.fewest, (room - file.bytesPutAside) / DatabasePages.size)
  }

  /// - Throws: `storageFailed` where only what is there may be changed or removed.
  func requireRoom(in database: Database) throws {
    func number(_ pragma: String) throws -> Int {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(pragma)")) ?? 0
    }
    let used = try number("page_count") - number("freelist_count")
    guard used + Self.spared < (try number("max_page_count")) else {
      throw StorageFailure.full(file, room: room)
    }
  }
}

extension DatabaseFile {
  /// What lies beside it under names that begin with its own: databases that were damaged, or of an
  /// enclave that is gone.
  var bytesPutAside: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = path.dropFirst(folder.count + 1) + "."
    return names.filter { $0.hasPrefix(own) }.reduce(0) { $0 + Int(beside($1).size ?? 0) }
  }
}
