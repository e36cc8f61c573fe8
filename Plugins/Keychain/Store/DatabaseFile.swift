import Foundation
import GRDB
import Glibc
import Protocol
import Synchronization

/// A database file, by its path.
struct DatabaseFile {
  let path: String

  var folder: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)) }

  func beside(_ name: String) -> DatabaseFile { DatabaseFile(path: folder + "/" + name) }

  /// The write-ahead log.
  var log: DatabaseFile { DatabaseFile(path: path + "-wal") }

  /// Tells which file lies at the path.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
    }
  }

  /// Makes an empty file that only the owner may read, if there is none. SQLite gives its journal
  /// the same permissions.
  ///
  /// Never opens an existing file: closing it would drop the locks of this process (fcntl(2)).
  func createIfMissing() throws(Failure) {
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    }
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    guard errno == EEXIST else {
      throw StorageFailure.cannotUse(self, reason: unsafe String(cString: strerror(errno)))
    }
  }

  /// Nil if there is no file (stat(2)).
  var identity: Identity? {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    return Identity(status)
  }

  /// In bytes; nil if there is no file (stat(2)).
  var size: Int64? {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    return Int64(status.st_size)
  }

  /// Whether there is no file, or one without a byte.
  var isMissing: Bool { size ?? 0 == 0 }

  /// Appends zeros to a log, unless another file than `identity` lies at its path. Only logs are
  /// opened this way: SQLite holds no locks on them that closing would drop (fcntl(2)).
  /// - Returns: whether all were written.
  func lengthen(from size: Int64, by count: Int, if identity: Identity?) -> Bool {
    withLog(identity) { descriptor, _ in
      let zeros = [UInt8](repeating: 0, count: count)
      return unsafe pwrite(descriptor, zeros, count, off_t(size)) == count
    } ?? false
  }

  /// Tells a log that began anew from the log before (sqlite.org/fileformat2.html#walformat); nil
  /// if it is empty.
  func salt(if identity: Identity?) -> [UInt8]? {
    let salt = withLog(identity) { descriptor, _ in
      var salt = [UInt8](repeating: 0, count: 8)
      return unsafe pread(descriptor, &salt, salt.count, 16) == salt.count ? salt : nil
    }
    return salt ?? nil
  }

  /// Overwrites a log from `start` to its end with zeros, unless another file than `identity` lies
  /// at its path. Does not write zeros over zeros.
  /// - Returns: whether only zeros are there.
  func clear(from start: Int64, if identity: Identity?) -> Bool {
    withLog(identity) { descriptor, size in
      let length = 4 << 10
      let zeros = [UInt8](repeating: 0, count: length)
      var part = zeros
      for place in stride(from: off_t(start), to: size, by: length) {
        let count = min(length, Int(size - place))
        guard unsafe pread(descriptor, &part, count, place) == count else { return false }
        guard part[..<count] != zeros[..<count] else { continue }
        guard unsafe pwrite(descriptor, zeros, count, place) == count else { return false }
      }
      return true
    } ?? false
  }

  /// Opens a log for `body`, or returns nil if another file lies at its path.
  private func withLog<Value>(
    _ identity: Identity?, _ body: (_ descriptor: Int32, _ size: off_t) -> Value
  ) -> Value? {
    let descriptor = unsafe path.withCString {
      unsafe open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, Identity(status) == identity else { return nil }
    return body(descriptor, status.st_size)
  }

  /// Renames the file and its log to free names. The log goes first: it was written back before, so
  /// a file that is left without it is whole.
  /// - Returns: the new path (rename(2)).
  func setAside() throws(Failure) -> String {
    var number = 1
    while DatabaseFile(path: "\(path).lost-\(number)").identity != nil { number += 1 }
    for suffix in ["-wal", "-shm", ""] {
      let (from, to) = (path + suffix, "\(path).lost-\(number)\(suffix)")
      guard unsafe rename(from, to) == 0 || errno == ENOENT else {
        throw StorageFailure.cannotUse(self, reason: unsafe String(cString: strerror(errno)))
      }
    }
    return "\(path).lost-\(number)"
  }

  func removeLog() {
    for suffix in ["-wal", "-shm"] { unsafe (path + suffix).withCString { _ = unsafe unlink($0) } }
  }

  /// Bytes of the files whose names begin with its own: damaged databases, and those of an enclave
  /// that is gone.
  var bytesPutAside: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = path.dropFirst(folder.count + 1) + "."
    return names.filter { $0.hasPrefix(own) }.reduce(0) { $0 + Int(beside($1).size ?? 0) }
  }
}

/// Keeps the queues of closed databases, so that an idle process sleeps.
///
/// GRDB gives its dispatch queue a value. When the queue ends, libdispatch destroys the value on a
/// thread of its own, and wakes up once a second from then on for as long as the process lives
/// (libdispatch, workqueue.c, `_dispatch_workq_monitor_pools`).
enum ClosedDatabases {
  /// Queues that are kept, of a few KiB each.
  private static let most = 256
  private static let queues = Mutex<[DatabaseQueue]>([])

  static func close(_ queue: DatabaseQueue) {
    guard (try? queue.close()) != nil else { return }
    queues.withLock { if $0.count < most { $0.append(queue) } }
  }
}

/// Replacing a database, so that at every moment the old or the new one is there, whole and with
/// its own log.
extension DatabaseFile {
  var next: DatabaseFile { DatabaseFile(path: path + ".next") }

  /// The path of a complete database that is about to replace this one.
  private var complete: DatabaseFile { DatabaseFile(path: path + ".complete") }

  /// Gives this file and its log a second name, under which they are kept.
  /// - Returns: the path (link(2)), the same as after an interrupted repair.
  func keepAside() throws(Failure) -> String {
    var number = 1
    var kept = DatabaseFile(path: "\(path).damaged-\(number)")
    while let other = kept.identity, other != identity {
      number += 1
      kept = DatabaseFile(path: "\(path).damaged-\(number)")
    }
    for (from, to) in [(log, kept.log), (self, kept)]
    where to.identity == nil && from.size ?? 0 > 0 {
      guard unsafe link(from.path, to.path) == 0 || errno == ENOENT else { throw failure }
    }
    try syncFolder()
    return kept.path
  }

  /// Replaces this file by ``next``, which is synced and closed.
  func replaceByNext() throws(Failure) {
    guard unsafe rename(next.path, complete.path) == 0 else { throw failure }
    try syncFolder()
    try finishReplacing()
  }

  /// Completes a replacement, if one was begun. The old log goes first: SQLite would take it for
  /// the new database's.
  func finishReplacing() throws(Failure) {
    guard complete.identity != nil else { return }
    removeLog()
    try syncFolder()
    guard unsafe rename(complete.path, path) == 0 else { throw failure }
    try syncFolder()
  }

  func discardNext() { next.discard() }

  /// Removes the file and the files that SQLite keeps beside it.
  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
  }

  /// Syncs the names in the folder (fsync(2)).
  private func syncFolder() throws(Failure) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure }
  }

  private var failure: Failure {
    StorageFailure.cannotUse(self, reason: unsafe String(cString: strerror(errno)))
  }
}
