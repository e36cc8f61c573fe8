import CSystemCalls
import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The bytes that have come of the next file of a state. They are kept in an unnamed file in the
/// user's folder, so an unfinished file is gone with its connection.
final class HandedOverFile: Sendable {
  private struct State: ~Copyable {
    weak var giver: (any AnyObject & Sendable)?
    var file: Descriptor?
    var count = 0
  }

  private let folder: String
  private let state = Mutex(State())

  /// Most bytes of all files of a state: the largest keychain's database with its log.
  static let most = largestKeychain + largestKeychain / 4

  init(folder: String) { self.folder = folder }

  /// Adds bytes that a connection sent.
  /// - Throws: `busy` while another connection sends a file, `unsupported` if there are too many,
  ///   `storageFailed`.
  func add(_ bytes: [UInt8], from giver: any AnyObject & Sendable) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      if let other = state.giver, other !== giver { throw StateAdoption.anotherMoves }
      if state.giver == nil { state = State(giver: giver) }
      do throws(Failure) {
        let file = if let file = state.file.take() { file } else { try make() }
        state.count += bytes.count
        guard state.count <= Self.most else { throw StateAdoption.tooLarge }
        try write(bytes, to: file)
        state.file = consume file
      } catch {
        state = State()
        throw error
      }
    }
  }

  /// The file with all bytes that the connection sent. The next file begins empty.
  /// - Throws: `usage` if it sent none.
  func take(_ name: String, from giver: any AnyObject & Sendable) throws(Failure) -> Descriptor {
    let file = state.withLock { state -> Descriptor? in
      guard state.giver === giver else { return nil }
      defer { state = State() }
      return state.file.take()
    }
    guard let file else { throw Failure(.usage, "the file \(name) did not arrive") }
    return file
  }

  private func make() throws(Failure) -> Descriptor {
    let number = unsafe ac_open_at(AT_FDCWD, folder, O_RDWR | Self.temporary | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw StateFiles.failure("create a file in", folder) }
    return Descriptor(owning: number)
  }

  private func write(_ bytes: [UInt8], to file: borrowing Descriptor) throws(Failure) {
    guard DescriptorBytes.write(bytes.span, to: file.number) else {
      throw StateFiles.failure("write to a file in", folder)
    }
  }

  private static let temporary: Int32 = 0o20_200_000  // O_TMPFILE
}

/// Moves, copies and removes the files of a state.
enum StateFiles {
  static func copy(_ file: Int32, _ count: Int, to path: String) throws(Failure) {
    let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard made >= 0 else { throw failure("create", path) }
    let target = Descriptor(owning: made)
    var offset = 0
    while offset < count {
      let moved = unsafe sendfile(target.number, file, &offset, count - offset)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw failure("write", path) }
    }
    guard fsync(target.number) == 0 else { throw failure("write", path) }
  }

  static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  static func make(_ path: String) throws(Failure) {
    guard unsafe mkdir(path, 0o700) == 0 else { throw failure("create", path) }
  }

  static func rename(_ path: String, to place: String) throws(Failure) {
    guard unsafe Glibc.rename(path, place) == 0 else { throw failure("move", path) }
  }

  static func synchronize(_ path: String) throws(Failure) {
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw failure("open", path) }
    let folder = Descriptor(owning: number)
    guard fsync(folder.number) == 0 else { throw failure("write", path) }
  }

  /// Removes a folder and all it holds, if it exists.
  static func remove(_ path: String) throws(Failure) {
    for name in try names(in: path) {
      let inner = path + "/" + name
      if unsafe unlink(inner) != 0 { try remove(inner) }
    }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// The names in a folder; none if it does not exist.
  static func names(in path: String) throws(Failure) -> [String] {
    guard let folder = unsafe opendir(path) else {
      if errno == ENOENT { return [] }
      throw failure("read", path)
    }
    defer { _ = unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func failure(_ verb: String, _ path: String) -> Failure {
    Failure(
      .storageFailed, "Cannot \(verb) \(path): \(SystemCallError(verb).reason)",
      hint: "nothing is lost: what you had is where it was")
  }
}
