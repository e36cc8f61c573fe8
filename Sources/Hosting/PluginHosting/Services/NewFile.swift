import CSystemCalls
import Glibc
import LinuxSystem

/// The call that failed while a file was written.
struct FileProblem: Error {
  /// What was tried.
  let verb: String
  /// Its `errno`.
  let number: Int32

  /// The call that has just failed.
  init(_ verb: String) {
    number = errno
    self.verb = verb
  }

  var isLackOfRoom: Bool { number == ENOSPC || number == EDQUOT }
}

/// Files that are written whole.
enum NewFile {
  /// An empty file, 0600. What a crash left under its name, or somebody put there, is not written
  /// through.
  static func create(_ name: String, in folder: borrowing Descriptor) throws(FileProblem)
    -> Descriptor
  {
    guard unsafe unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else {
      throw FileProblem("write")
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | FolderStore.neverWaiting
    let number = unsafe ac_open_at(folder.number, name, flags, 0o600)
    guard number >= 0 else { throw FileProblem("write") }
    return Descriptor(owning: number)
  }

  static func write(
    _ bytes: Span<UInt8>, to file: borrowing Descriptor
  ) throws(FileProblem) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.extracting(droppingFirst: written).withUnsafeBytes {
        unsafe Glibc.write(file.number, $0.baseAddress, $0.count)
      }
      if count > 0 { written += count }
      if count < 0, errno != EINTR { throw FileProblem("write") }
    }
  }
}
