import Glibc

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
