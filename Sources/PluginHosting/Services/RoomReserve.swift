import CSystemCalls
import Glibc
import LinuxSystem
import Synchronization

/// Room of the disk that a folder takes while there is some, and gives up when there is none: what is
/// counted before it is tried can be counted on a full disk, too (docs/decisions/0051). Any thread.
final class RoomReserve: Sendable {
  /// No name of a plugin's file.
  private static let name = ".reserve"
  /// A few blocks of any file system. Each save frees what the one before it took.
  private static let size = 64 << 10

  private let isKept = Atomic(false)

  /// Nothing is taken yet.
  init() {}

  /// Takes the room, where it is not taken and there is some.
  func keep(in folder: borrowing Descriptor) {
    guard !isKept.load(ordering: .relaxed) else { return }
    isKept.store(Self.isThere(in: folder) || Self.make(in: folder), ordering: .relaxed)
  }

  /// Gives it up.
  /// - Returns: whether it was taken.
  func giveUp(in folder: borrowing Descriptor) -> Bool {
    isKept.store(false, ordering: .relaxed)
    return unsafe unlinkat(folder.number, Self.name, 0) == 0
  }

  private static func isThere(in folder: borrowing Descriptor) -> Bool {
    let number = unsafe ac_open_at(
      folder.number, name, O_RDONLY | O_CLOEXEC | FolderStore.neverWaiting, 0)
    guard number >= 0 else { return false }
    let file = Descriptor(owning: number)
    var status = stat()
    return unsafe fstat(file.number, &status) == 0 && status.st_size == size
  }

  /// One that a crash cuts short has another size, and is made anew.
  private static func make(in folder: borrowing Descriptor) -> Bool {
    // Zeros would take no room of a file system that compresses.
    var bytes = [UInt8](repeating: 0, count: size)
    guard unsafe ac_random(&bytes, size) == 0 else { return false }
    do throws(FileProblem) {
      let file = try NewFile.create(name, in: folder)
      try NewFile.write(bytes.span, to: file)
      return true
    } catch {
      unsafe unlinkat(folder.number, name, 0)
      return false
    }
  }
}
