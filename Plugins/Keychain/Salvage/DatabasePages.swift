import Glibc
import Protocol

/// The pages of a database as the last commit left them, read without SQLite, which reads nothing
/// of a file whose beginning is damaged (sqlite.org/fileformat2.html).
///
/// Pages of the write-ahead log take the place of those of the file. Closing the file drops the
/// locks that this process has on it (fcntl(2)): no connection may be open.
@safe
final class DatabasePages {
  /// Bytes of a page. The keychain makes databases with no other size, so what a damaged header
  /// says is not asked.
  static let size = 4096
  /// How many whole pages there are.
  let count: Int
  private let file: Int32
  private let log: Int32
  /// Where in the log a page lies that was committed there.
  private let logged: [Int: Int64]

  init(_ database: DatabaseFile) throws(Failure) {
    file = Self.open(database.path)
    guard file >= 0 else {
      throw StorageFailure.cannotUse(database, reason: unsafe String(cString: strerror(errno)))
    }
    log = Self.open(database.log.path)
    let frames = log < 0 ? WriteAheadFrames() : WriteAheadFrames(reading: log)
    logged = frames.pages
    count = max(Int(database.size ?? 0) / Self.size, frames.pageCount)
  }

  deinit {
    close(file)
    if log >= 0 { close(log) }
  }

  /// A page by its number, from 1; nil where there is none.
  func page(_ number: Int) -> [UInt8]? {
    guard 1...max(1, count) ~= number else { return nil }
    if let offset = logged[number] { return Self.read(log, Self.size, at: offset) }
    return Self.read(file, Self.size, at: Int64(number - 1) * Int64(Self.size))
  }

  private static func open(_ path: String) -> Int32 {
    unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
  }

  /// `count` bytes, or nil where there are fewer.
  static func read(_ file: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe pread(file, &bytes, count, off_t(offset)) == count else { return nil }
    return bytes
  }
}
