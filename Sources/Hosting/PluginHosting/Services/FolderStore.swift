import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// The files of "store/1": small files in one folder, each replaced atomically and durably.
///
/// The folder is opened and locked before the sandbox closes. After that only names relative to its
/// descriptor are used.
package final class FolderStore: Sendable {
  package let path: String
  private let folder: Descriptor
  private let lock: Descriptor
  private let reserve = RoomReserve()

  package static let largestFile = 64 << 20

  /// Opens a folder, creates it (0700) if it is missing, and locks it for this process.
  /// - Throws: `storageFailed` naming the folder and the reason, `busy` while another process has
  ///   it.
  package init(path: String) throws(Failure) {
    self.path = path
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.failure("create", path, hint: "check its parent's permissions and free space")
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let number = unsafe ac_open_at(AT_FDCWD, path, flags, 0)
    guard number >= 0 else { throw Self.failure("open", path) }
    folder = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid() else {
      throw Failure(.storageFailed, "The folder \(path) belongs to another user")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .storageFailed, "The folder \(path) can be reached by other users",
        hint: "run: chmod 700 \(path)")
    }
    let lockNumber = unsafe ac_open_at(
      number, ".lock", O_RDWR | O_CREAT | O_CLOEXEC | Self.neverWaiting, 0o600)
    guard lockNumber >= 0 else { throw Self.failure("write in", path) }
    lock = Descriptor(owning: lockNumber)
    guard Self.take(lockNumber) else {
      throw Failure(
        .busy, "The folder \(path) is in use by another enclave",
        hint: "end the other core of this folder: \(Failure.endingTheCore)")
    }
  }

  /// How long to wait for the host of a killed core to end.
  private static let lockMilliseconds: Int32 = 2000

  private static func take(_ lock: Int32) -> Bool {
    let deadline = Deadline(milliseconds: lockMilliseconds)
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK, deadline.remainingMilliseconds > 0 else { return false }
      SystemThread.sleep(nanoseconds: 2_000_000)
    }
    return true
  }

  /// The folder's descriptor, for the filter that only lets names below it through.
  package var descriptor: Int32 { folder.number }

  /// Whether a name is 1…64 of a-z, 0-9, '-' and '.', and does not begin with '.'.
  package static func isName(_ name: String) -> Bool {
    1...64 ~= name.utf8.count && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
  }

  /// A link is not followed, and opening a FIFO does not block the enclave.
  static let neverWaiting = O_NOFOLLOW | O_NONBLOCK

  /// Opens a regular file for reading.
  /// - Returns: the file and its size, or nil if there is none.
  func open(_ name: String) throws(Failure) -> OpenFile? {
    let flags = O_RDONLY | O_CLOEXEC | Self.neverWaiting
    let number = unsafe ac_open_at(folder.number, name, flags, 0)
    guard number >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP, ENXIO: throw notRegular(name)
      default: throw failure("read", name)
      }
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw failure("read", name) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular(name) }
    return OpenFile(descriptor: file, size: Int(status.st_size))
  }

  struct OpenFile: ~Copyable {
    let descriptor: Descriptor
    let size: Int
  }

  /// Replaces a file: temporary file, fsync, rename, fsync of the folder. On failure the old one is
  /// untouched. If the disk is full it uses the reserve (docs/decisions/0051).
  func save(_ name: String, _ bytes: Span<UInt8>) throws(Failure) {
    // Also after a failed save: room that the reserve gave up may be taken by others before the
    // next one.
    defer { reserve.keep(in: folder) }
    do throws(FileProblem) {
      do throws(FileProblem) {
        try replace(name, bytes)
      } catch  where error.isLackOfRoom {
        try saveInReserve(name, bytes, after: error)
      }
    } catch {
      throw failure(error.verb, name, error.number)
    }
  }

  private func saveInReserve(
    _ name: String, _ bytes: Span<UInt8>, after problem: FileProblem
  ) throws(FileProblem) {
    do throws(FileProblem) {
      if try reserve.replace(name, bytes, in: folder) { return }
    } catch  where error.isLackOfRoom {
      // A file system that never writes in place frees room only by removal.
      if reserve.giveUp(in: folder) { return try replace(name, bytes) }
    }
    throw problem
  }

  private func replace(_ name: String, _ bytes: Span<UInt8>) throws(FileProblem) {
    let temporary = "." + name + ".new"
    do throws(FileProblem) {
      let file = try NewFile.create(temporary, in: folder)
      try NewFile.write(bytes, to: file)
      guard fsync(file.number) == 0 else { throw FileProblem("write") }
      guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else {
        throw FileProblem("replace")
      }
    } catch {
      unsafe unlinkat(folder.number, temporary, 0)
      throw error
    }
    guard fsync(folder.number) == 0 else { throw FileProblem("make lasting") }
  }

  /// Removes a file durably. Its content is overwritten first, as far as the file system writes in
  /// place.
  func remove(_ name: String) throws(Failure) {
    overwrite(name)
    if unsafe unlinkat(folder.number, name, 0) != 0 {
      if errno == ENOENT { return }
      throw failure("remove", name)
    }
    guard fsync(folder.number) == 0 else { throw failure("make lasting", name) }
  }

  /// Writes zeros over a file, unless it has a second name, such as a backup made of links. A file
  /// that cannot be overwritten is removed all the same.
  private func overwrite(_ name: String) {
    let number = unsafe ac_open_at(folder.number, name, O_WRONLY | O_CLOEXEC | Self.neverWaiting, 0)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink == 1
    else { return }
    let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
    _ = unsafe zeros.withUnsafeBytes {
      unsafe Glibc.write(file.number, $0.baseAddress, $0.count)
    }
    fsync(file.number)
  }

  private func notRegular(_ name: String) -> Failure {
    Failure(
      .storageFailed, "\(path)/\(name) is no regular file, and was not opened",
      hint: "somebody put it there: move it away, and restore the file from a backup")
  }

  private func failure(_ verb: String, _ name: String, _ number: Int32 = errno) -> Failure {
    Self.failure(verb, path + "/" + name, number)
  }

  private static func failure(
    _ verb: String, _ path: String, _ number: Int32 = errno, hint: String? = nil
  ) -> Failure {
    let advice =
      switch number {
      case ENOSPC, EDQUOT: "free some space"
      case EROFS: "the file system is mounted read-only"
      default: "check the permissions of the folder"
      }
    return Failure(
      .storageFailed, "Cannot \(verb) \(path): \(SystemCallError.text(of: number))",
      hint: hint ?? advice)
  }
}
