import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A file that only its owner can read, and that is whole or not there: it gets its name when it is
/// finished.
final class WholeFile {
  private let path: String
  private let replaces: Bool
  private let hint: String?
  private let descriptor: Descriptor
  /// Its name until it is finished; nil afterwards.
  private var temporary: String?

  /// - Parameters:
  ///   - path: where it will be.
  ///   - replaces: whether a file that is there may be replaced.
  ///   - hint: for failures to write it.
  /// - Throws: `usage`, `storageFailed`.
  init(_ path: String, replaces: Bool, hint: String? = "Nothing was left there.") throws(Failure) {
    let name = "\(path).\(getpid())"
    let number = Self.make(name)
    guard number >= 0 else { throw .cannotWrite(path, hint: hint) }
    descriptor = Descriptor(owning: number)
    temporary = name
    (self.path, self.replaces, self.hint) = (path, replaces, hint)
  }

  /// Creates a file that exists while it is written.
  /// - Throws: `errSecDuplicateItem` if it exists, `usage`, `storageFailed`.
  static func create(_ path: String) throws(Failure) -> Descriptor {
    let number = make(path)
    guard number >= 0 else {
      throw errno == EEXIST ? .isThere(path, canReplace: false) : .cannotWrite(path)
    }
    return Descriptor(owning: number)
  }

  private static func make(_ path: String) -> Int32 {
    unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  }

  /// Gives it the owner and the permissions of another file.
  func take(rightsOf other: stat) throws(Failure) {
    guard fchown(descriptor.number, other.st_uid, other.st_gid) == 0,
      fchmod(descriptor.number, other.st_mode & 0o7777) == 0
    else { throw .cannotWrite(path, hint: hint) }
  }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    guard DescriptorBytes.write(bytes, to: descriptor.number) else {
      throw .cannotWrite(path, hint: hint)
    }
  }

  /// Gives the file its name. It is on the disk when this returns.
  /// - Throws: `errSecDuplicateItem` if one has appeared, `usage`, `storageFailed`.
  func finish() throws(Failure) {
    guard let temporary else { return }
    guard fsync(descriptor.number) == 0 else { throw .cannotWrite(path, hint: hint) }
    // link(2) never replaces a file. Where it does not work, as on a memory stick, rename(2) must
    // do.
    if !replaces, unsafe link(temporary, path) == 0 {
      unsafe unlink(temporary)
    } else {
      guard replaces || errno != EEXIST else { throw .isThere(path) }
      guard unsafe rename(temporary, path) == 0 else { throw .cannotWrite(path, hint: hint) }
    }
    self.temporary = nil
    syncFolder()
  }

  /// The name may be lost until its folder is on the disk too (fsync(2)).
  private func syncFolder() {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }

  deinit { if let temporary { unsafe unlink(temporary) } }
}

extension Failure {
  /// Says by `errno` why a file cannot be written: an error of usage if nobody could write it under
  /// that name.
  static func cannotWrite(_ path: String, hint: String? = nil) -> Failure {
    let number = errno
    if [ENAMETOOLONG, ENOENT, ENOTDIR, EISDIR, ELOOP].contains(number) {
      return Failure(
        .usage, "Cannot write \(path.printable): \(SystemCallError.text(of: number))",
        hint: "Choose another name, in a folder that is there.")
    }
    return Failure(
      .storageFailed, "Cannot write \(path.printable): \(SystemCallError.text(of: number))",
      hint: hint)
  }

  static func isThere(_ path: String, canReplace: Bool = true) -> Failure {
    Failure(
      .errSecDuplicateItem, "\(path.printable) is there already",
      hint: canReplace ? "Choose another name, or replace it: --force" : "Choose another name.")
  }
}
