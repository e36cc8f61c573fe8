import CSystemCalls
import Glibc
import LinuxSystem
import Synchronization

/// Room of the disk that a folder takes while there is some, and gives up when there is none: what is
/// counted before it is tried can be counted on a full disk, too (docs/decisions/0051). Any thread.
final class RoomReserve: Sendable {
  /// No name of a plugin's file.
  private static let name = ".reserve"
  /// A few blocks of any file system.
  private static let size = 64 << 10

  private let isKept = Atomic(false)

  /// Nothing is taken yet.
  init() {}

  /// Takes the room, where it is not taken and there is some.
  func keep(in folder: borrowing Descriptor) {
    guard !isKept.load(ordering: .relaxed) else { return }
    isKept.store(Self.isThere(in: folder) || Self.make(in: folder), ordering: .relaxed)
  }

  /// Replaces a file in the room that is kept, and keeps that of the file it was: blocks that are
  /// given up need not come back to who gave them, as on a disk that is filled beyond what its file
  /// system keeps for root.
  /// - Returns: false where no reserve is large enough; it stays for what is smaller.
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
    // There is no file of that name yet, or the file system knows no exchange.
    if !isExchanged, unsafe renameat(folder.number, Self.name, folder.number, name) != 0 {
      throw FileProblem("replace")
    }
    guard fsync(folder.number) == 0 else { throw FileProblem("make lasting") }
    if isExchanged { Self.overwrite(in: folder) }
    return true
  }

  /// Gives it up.
  /// - Returns: whether it was taken.
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

  /// Of a regular file that has no other name.
  private static func status(of file: borrowing Descriptor) -> stat? {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink == 1
    else { return nil }
    return status
  }

  /// Bytes that can be written without new blocks (stat(2): blocks of 512).
  private static func room(of file: borrowing Descriptor) -> Int {
    status(of: file).map { max(Int($0.st_size), Int($0.st_blocks) * 512) } ?? 0
  }

  /// What a file was before it was replaced does not stay longer than it would without a reserve.
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

  /// One that a crash cuts short has another size, and is made anew.
  private static func make(in folder: borrowing Descriptor) -> Bool {
    guard let bytes = random(size) else { return false }
    // What is there, though it is smaller, may be all there is.
    let beginning = name + ".new"
    do throws(FileProblem) {
      let file = try NewFile.create(beginning, in: folder)
      try NewFile.write(bytes.span, to: file)
      // Room is taken when it is written, at the latest.
      guard fsync(file.number) == 0,
        unsafe renameat(folder.number, beginning, folder.number, name) == 0
      else { throw FileProblem("write") }
      return true
    } catch {
      unsafe unlinkat(folder.number, beginning, 0)
      return false
    }
  }

  /// Zeros would take no room of a file system that compresses.
  private static func random(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe ac_random(&bytes, count) == 0 ? bytes : nil
  }
}

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
    guard DescriptorBytes.write(bytes, to: file.number) else { throw FileProblem("write") }
  }
}
