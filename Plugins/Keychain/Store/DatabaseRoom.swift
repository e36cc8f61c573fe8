import Foundation
import GRDB
import Glibc
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

/// Room in the write-ahead log for the commits to come.
///
/// A commit that lengthens its file waits for the file's metadata beside its pages, which takes two
/// times as long on a quiet disk and ten times on a busy one. So the log is lengthened by many
/// pages at once, with zeros. SQLite never reads them: a frame counts only with the salt and the
/// checksum of the log it belongs to (sqlite.org/fileformat2.html#walformat).
struct LogRoom {
  /// The log's length when it was last looked at, zeros included.
  private var known: Int64 = 0
  private static let least: Int64 = 64 << 10
  private static let most: Int64 = 1 << 20

  /// Lengthens the log if a commit had to. In a transaction that may write, and so alone with the
  /// log's end. What fails here fails the commit too, if it needs the room.
  mutating func make(in log: DatabaseFile, _ identity: DatabaseFile.Identity?) {
    let size = log.size ?? 0
    guard size > known else {
      // A removal empties the log.
      known = size
      return
    }
    let count = min(max(size, Self.least), Self.most)
    known = log.lengthen(from: size, by: Int(count), if: identity) ? size + count : size
  }
}
