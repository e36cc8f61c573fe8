import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A file that its owner alone can read, and that is there whole or not at all: it gets its name when
/// it is finished. Otherwise nothing is left of it.
final class WholeFile {
  private let path: String
  private let replaces: Bool
  private let hint: String?
  private let descriptor: Descriptor
  /// What it is called until it is whole; nil once it has its name.
  private var temporary: String?

  /// - Parameters:
  ///   - path: where it will be.
  ///   - replaces: whether a file that is there may be replaced.
  ///   - hint: what to say where it cannot be written.
  /// - Throws: `usage`, `storageFailed`.
  init(_ path: String, replaces: Bool, hint: String? = "Nothing was left there.") throws(Failure) {
    let name = "\(path).\(getpid())"
    let number = Self.make(name)
    guard number >= 0 else { throw .cannotWrite(path, hint: hint) }
    descriptor = Descriptor(owning: number)
    temporary = name
    (self.path, self.replaces, self.hint) = (path, replaces, hint)
  }

  /// A file of that name and of no other, which is there while it is written.
  /// - Throws: `errSecDuplicateItem` where there is one, `usage`, `storageFailed`.
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

  /// Everything was written: the file gets its name, and is on the disk when this returns.
  /// - Throws: `errSecDuplicateItem` where there is one meanwhile, `usage`, `storageFailed`.
  func finish() throws(Failure) {
    guard let temporary else { return }
    guard fsync(descriptor.number) == 0 else { throw .cannotWrite(path, hint: hint) }
    // link(2) never replaces a file; where there are no links, as on a memory stick, rename(2) has to
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

  /// The name is lost with the power until its folder is on the disk, too (fsync(2)).
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
  /// Why a file that the command line names cannot be written, by `errno`: an error of usage where it
  /// could not be made by anybody, for its name.
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

  /// Says that a file that the command line names is there already.
  static func isThere(_ path: String, canReplace: Bool = true) -> Failure {
    Failure(
      .errSecDuplicateItem, "\(path.printable) is there already",
      hint: canReplace
        ? "Choose another name, or replace it: --force" : "Choose another name.")
  }
}
