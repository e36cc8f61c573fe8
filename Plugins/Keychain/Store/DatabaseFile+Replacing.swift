import Glibc
import Protocol

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
