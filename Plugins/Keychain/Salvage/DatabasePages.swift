import Glibc
import Protocol

/// The pages of a database as the last commit left them, read without SQLite, which reads nothing
/// of a file with a damaged beginning (sqlite.org/fileformat2.html).
///
/// Pages of the write-ahead log replace those of the file. Closing the file drops the locks that
/// this process has on it (fcntl(2)), so no connection may be open.
@safe
final class DatabasePages {
  /// Bytes of a page. The keychain uses no other size, so a damaged header is not asked.
  static let size = 4096
  /// Whole pages.
  let count: Int
  private let file: Int32
  private let log: Int32
  /// The place in the log of each page that was committed there.
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

  /// A page by its number, from 1.
  func page(_ number: Int) -> [UInt8]? {
    guard 1...max(1, count) ~= number else { return nil }
    if let offset = logged[number] { return Self.read(log, Self.size, at: offset) }
    return Self.read(file, Self.size, at: Int64(number - 1) * Int64(Self.size))
  }

  private static func open(_ path: String) -> Int32 {
    unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
  }

  /// `count` bytes, or nil if there are fewer.
  static func read(_ file: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe pread(file, &bytes, count, off_t(offset)) == count else { return nil }
    return bytes
  }
}

/// The committed and whole pages of a write-ahead log
/// (sqlite.org/fileformat2.html#the_write_ahead_log).
struct WriteAheadFrames {
  /// The place of the latest copy of each page.
  private(set) var pages: [Int: Int64] = [:]
  /// Pages of the database with them; 0 without any.
  private(set) var pageCount = 0

  private static let headerCount = 32
  private static let frameHeaderCount = 24

  init() {}

  /// Reads frames until one is not of this log or not whole. Frames without a commit do not count.
  init(reading file: Int32) {
    guard let header = DatabasePages.read(file, Self.headerCount, at: 0),
      header.number(at: 0) & ~1 == 0x377F_0682, header.number(at: 8) == UInt32(DatabasePages.size)
    else { return }
    var sum = Checksum(isBigEndian: header[3] & 1 == 1)
    sum.add(header[..<24])
    guard sum.first == header.number(at: 24), sum.second == header.number(at: 28) else { return }
    var uncommitted: [Int: Int64] = [:]
    var offset = Int64(Self.headerCount)
    while let frame = DatabasePages.read(
      file, Self.frameHeaderCount + DatabasePages.size, at: offset)
    {
      sum.add(frame[..<8])
      sum.add(frame[Self.frameHeaderCount...])
      guard frame[8..<16] == header[16..<24], sum.first == frame.number(at: 16),
        sum.second == frame.number(at: 20)
      else { return }
      uncommitted[Int(frame.number(at: 0))] = offset + Int64(Self.frameHeaderCount)
      if frame.number(at: 4) != 0 {
        pages.merge(uncommitted) { $1 }
        uncommitted = [:]
        pageCount = Int(frame.number(at: 4))
      }
      offset += Int64(frame.count)
    }
  }

  private struct Checksum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      for index in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
        first = first &+ word(bytes, at: index) &+ second
        second = second &+ word(bytes, at: index + 4) &+ first
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
      let word = bytes.number(at: index)
      return isBigEndian ? word : word.byteSwapped
    }
  }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// Four bytes as a number, big endian.
  func number(at index: Int) -> UInt32 {
    UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8
      | UInt32(self[index + 3])
  }
}
