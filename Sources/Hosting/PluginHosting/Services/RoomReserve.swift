import CSystemCalls
import Glibc
import LinuxSystem
import Synchronization

/// Reserves room on the disk while there is some, and gives it up when there is none, so that an
/// attempt can be counted even on a full disk (docs/decisions/0051). Any thread.
final class RoomReserve: Sendable {
  /// Not a valid name of a plugin's file.
  private static let name = ".reserve"
  private static let size = 64 << 10

  private let isKept = Atomic(false)

  init() {}

  /// Takes the room, if it is not taken and there is some.
  func keep(in folder: borrowing Descriptor) {
    guard !isKept.load(ordering: .relaxed) else { return }
    isKept.store(Self.isThere(in: folder) || Self.make(in: folder), ordering: .relaxed)
  }

  /// Replaces a file in the reserved room, and reserves the old file's room: blocks that are freed
  /// need not come back, for example on a disk that is filled up to what is reserved for root.
  /// - Returns: false if the reserve is missing or too small, and then it stays.
  func replace(
    _ name: String, _ bytes: Span<UInt8>, in folder: borrowing Descriptor
  ) throws(FileProblem) -> Bool {
    guard let file = Self.open(O_WRONLY, in: folder), Self.room(of: file) >= bytes.count
    else { return false }
    isKept.store(false, ordering: .relaxed)
    try NewFile.write(bytes, to: file)
    guard ftruncate(file.number, bytes.count) == 0, fsync(file.number) == 0 else {
      throw FileProblem("write")
    }
    let isExchanged = unsafe ac_exchange_names(folder.number, Self.name, name) == 0
    // There is no file with that name yet, or the file system cannot exchange names.
    if !isExchanged, unsafe renameat(folder.number, Self.name, folder.number, name) != 0 {
      throw FileProblem("replace")
    }
    guard fsync(folder.number) == 0 else { throw FileProblem("make lasting") }
    if isExchanged { Self.overwrite(in: folder) }
    return true
  }

  /// Gives up the reserve.
  /// - Returns: whether there was one.
  func giveUp(in folder: borrowing Descriptor) -> Bool {
    isKept.store(false, ordering: .relaxed)
    return unsafe unlinkat(folder.number, Self.name, 0) == 0
  }

  private static func isThere(in folder: borrowing Descriptor) -> Bool {
    guard let file = open(O_RDONLY, in: folder) else { return false }
    return status(of: file)?.st_size == size
  }

  private static func open(_ access: Int32, in folder: borrowing Descriptor) -> Descriptor? {
    let number = unsafe ac_open_at(
      folder.number, name, access | O_CLOEXEC | FolderStore.neverWaiting, 0)
    return number < 0 ? nil : Descriptor(owning: number)
  }

  /// The status of a regular file without another name.
  private static func status(of file: borrowing Descriptor) -> stat? {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink == 1
    else { return nil }
    return status
  }

  /// Bytes that can be written without new blocks (stat(2) counts blocks of 512).
  private static func room(of file: borrowing Descriptor) -> Int {
    status(of: file).map { max(Int($0.st_size), Int($0.st_blocks) * 512) } ?? 0
  }

  /// Overwrites the old content of a replaced file, which would not stay without a reserve either.
  private static func overwrite(in folder: borrowing Descriptor) {
    guard let file = open(O_WRONLY, in: folder), let status = status(of: file),
      let bytes = random(Int(status.st_size))
    else { return }
    do throws(FileProblem) {
      try NewFile.write(bytes.span, to: file)
    } catch {
      // The save is done, and the next one writes over it.
    }
  }

  /// Makes the reserve. One that a crash cut short has another size, and is made anew.
  private static func make(in folder: borrowing Descriptor) -> Bool {
    guard let bytes = random(size) else { return false }
    // The existing one is smaller, but there may be no more room.
    let beginning = name + ".new"
    do throws(FileProblem) {
      let file = try NewFile.create(beginning, in: folder)
      try NewFile.write(bytes.span, to: file)
      // Some file systems take the room only when it is written.
      guard fsync(file.number) == 0,
        unsafe renameat(folder.number, beginning, folder.number, name) == 0
      else { throw FileProblem("write") }
      return true
    } catch {
      unsafe unlinkat(folder.number, beginning, 0)
      return false
    }
  }

  /// Random bytes, because zeros take no room on a file system that compresses.
  private static func random(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe ac_random(&bytes, count) == 0 ? bytes : nil
  }
}

struct FileProblem: Error {
  let verb: String
  let number: Int32

  /// Takes the `errno` of the call that has just failed.
  init(_ verb: String) {
    number = errno
    self.verb = verb
  }

  var isLackOfRoom: Bool { number == ENOSPC || number == EDQUOT }
}

enum NewFile {
  /// An empty file, 0600. What lies under its name, from a crash or otherwise, is removed and not
  /// written through.
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

  static func write(_ bytes: Span<UInt8>, to file: borrowing Descriptor) throws(FileProblem) {
    guard DescriptorBytes.write(bytes, to: file.number) else { throw FileProblem("write") }
  }
}
