import Foundation
import GRDB
import Glibc
import Protocol
import Synchronization

/// The file of the keychain, by its path.
struct DatabaseFile {
  let path: String

  var folder: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)) }

  func beside(_ name: String) -> DatabaseFile { DatabaseFile(path: folder + "/" + name) }

  /// The write-ahead log, which SQLite keeps beside the file.
  var log: DatabaseFile { DatabaseFile(path: path + "-wal") }

  /// Which file lies at the path at the moment.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
    }
  }

  /// An empty file that nobody but the owner may read, where there is none. SQLite gives its
  /// journal the same permissions.
  ///
  /// open(2). An existing file is never opened here: closing it would drop the locks of this
  /// process (fcntl(2)).
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

  /// The file's identity, or nil where there is none (stat(2)).
  var identity: Identity? {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    return Identity(status)
  }

  /// Its length in bytes, or nil where there is none (stat(2)).
  var size: Int64? {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    return Int64(status.st_size)
  }

  /// Appends zeros to a log, unless another file than `identity` lies at its path. Only a log is
  /// ever opened so: SQLite holds no locks on it that closing it would drop (fcntl(2)).
  /// - Returns: whether they are all there.
  func lengthen(from size: Int64, by count: Int, if identity: Identity?) -> Bool {
    withLog(identity) { descriptor, _ in
      let zeros = [UInt8](repeating: 0, count: count)
      return unsafe pwrite(descriptor, zeros, count, off_t(size)) == count
    } ?? false
  }

  /// What tells a log that began anew from what it was before
  /// (sqlite.org/fileformat2.html#walformat); nil where nothing was written to it.
  func salt(if identity: Identity?) -> [UInt8]? {
    let salt = withLog(identity) { descriptor, _ in
      var salt = [UInt8](repeating: 0, count: 8)
      return unsafe pread(descriptor, &salt, salt.count, 16) == salt.count ? salt : nil
    }
    return salt ?? nil
  }

  /// Overwrites a log from `start` to its end with zeros, unless another file than `identity` lies at
  /// its path. What is zero already is not written again.
  /// - Returns: whether nothing else is there.
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

  /// Opens a log for `body`, which is given its length, too; nil where it is not the one that is meant.
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

  /// Gives the file a name that nothing has, with its log, which goes first: a file that is left
  /// behind without one is whole, because the log was written back before.
  /// - Returns: the path of the file then (rename(2)).
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

  /// Removes the log and its index (unlink(2)).
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

/// Databases that are closed and whose queues are kept, so that an idle process sleeps.
///
/// GRDB gives its dispatch queue a value. When the queue ends, libdispatch destroys the value on a
/// thread of its own, and from its first thread on it wakes up once a second for as long as the
/// process lives (libdispatch, workqueue.c, `_dispatch_workq_monitor_pools`). A service would do so
/// from the moment when it opens the first keychain that is there.
enum ClosedDatabases {
  /// Queues that are kept, of a few KiB each; those beyond that end.
  private static let most = 256
  private static let queues = Mutex<[DatabaseQueue]>([])

  static func close(_ queue: DatabaseQueue) {
    guard (try? queue.close()) != nil else { return }
    queues.withLock { if $0.count < most { $0.append(queue) } }
  }
}

/// Taking a database's place, so that at every moment one of the two is there, whole and with the
/// log that belongs to it.
extension DatabaseFile {
  var next: DatabaseFile { DatabaseFile(path: path + ".next") }

  /// Where it lies when it is complete and is to take this one's place: that it is there says so.
  private var complete: DatabaseFile { DatabaseFile(path: path + ".complete") }

  /// Gives this file and its log a second name, under which they stay as they are.
  /// - Returns: the path (link(2)). One that an interrupted repair gave is given again.
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

  /// Puts ``next``, which nobody has open and which is synced, into this file's place.
  func replaceByNext() throws(Failure) {
    guard unsafe rename(next.path, complete.path) == 0 else { throw failure }
    try syncFolder()
    try finishReplacing()
  }

  /// Brings a replacement to its end that was begun. The old log goes first and for good: SQLite
  /// would take it for the new database's.
  func finishReplacing() throws(Failure) {
    guard complete.identity != nil else { return }
    removeLog()
    try syncFolder()
    guard unsafe rename(complete.path, path) == 0 else { throw failure }
    try syncFolder()
  }

  /// Removes what an interrupted repair left at ``next``.
  func discardNext() { next.discard() }

  /// Removes the file and everything that SQLite keeps beside it.
  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
  }

  /// Has the names in the folder reach the disk (fsync(2)).
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
