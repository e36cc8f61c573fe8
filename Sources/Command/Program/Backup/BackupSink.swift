import BackupFormat
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// Where a backup is written: a file that is there whole or not at all and that its owner alone can
/// read, or standard output.
final class BackupSink {
  private let path: String
  private let replaces: Bool
  /// What is written until it is whole; nil for standard output, and once it has its name.
  private var temporary: String?
  private let descriptor: Descriptor

  /// Whether the backup goes to standard output.
  let isStandardOutput: Bool

  /// - Throws: `errSecDuplicateItem` where the file is there and may not be replaced, `usage` for
  ///   standard output that is a terminal or is to hold JSON, `storageFailed`.
  init(_ file: String, replaces: Bool, _ invocation: Invocation) throws(Failure) {
    self.replaces = replaces
    isStandardOutput = file == "-"
    guard !isStandardOutput else {
      path = "standard output"
      descriptor = try Self.standardOutput(invocation.output)
      return
    }
    path = invocation.environment.absolute(file)
    try Self.checkPlace(path, replaces: replaces)
    let temporary = "\(path).\(getpid())"
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Self.cannotWrite(path) }
    self.temporary = temporary
    descriptor = Descriptor(owning: number)
  }

  private static func standardOutput(_ output: Output) throws(Failure) -> Descriptor {
    guard !output.isJSON else {
      throw Failure(
        .usage, "Standard output cannot hold both the backup and JSON",
        hint: "Name a file, or leave --json out.")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure(.usage, "A backup is not for a terminal", hint: "Name a file.")
    }
    let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw cannotWrite("standard output") }
    return Descriptor(owning: copy)
  }

  private static func checkPlace(_ path: String, replaces: Bool) throws(Failure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard replaces else { throw isThere(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        .usage, "\(path.printable) is no file that could be replaced", hint: "Choose another name.")
    }
  }

  /// Appends a record.
  func write(_ record: SealedRecord) throws(Failure) {
    try write(record.bytes, .item(record.kind))
  }

  /// Appends the last record.
  func write(end sealed: [UInt8]) throws(Failure) { try write(sealed, .end) }

  private func write(_ sealed: [UInt8], _ kind: BackupRecordHead.Kind) throws(Failure) {
    try write(BackupRecordHead(kind, count: sealed.count).encoded + sealed)
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.span.extracting(droppingFirst: written).withUnsafeBytes {
        unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.cannotWrite(path) }
      written += count
    }
  }

  /// Everything was written: the file gets its name, and is on the disk when this returns.
  func finish() throws(Failure) {
    guard let temporary else { return }
    guard fsync(descriptor.number) == 0 else { throw Self.cannotWrite(path) }
    // link(2) never replaces a file; where there are no links, as on a memory stick, rename(2) has to
    // do.
    if !replaces, unsafe link(temporary, path) == 0 {
      unsafe unlink(temporary)
    } else {
      guard replaces || errno != EEXIST else { throw Self.isThere(path) }
      guard unsafe rename(temporary, path) == 0 else { throw Self.cannotWrite(path) }
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

  private static func isThere(_ path: String) -> Failure {
    Failure(
      .errSecDuplicateItem, "\(path) is there already",
      hint: "Choose another name, or replace it with --force.")
  }

  private static func cannotWrite(_ path: String) -> Failure {
    .cannotWrite(path, hint: "Nothing was left there.")
  }

  deinit { if let temporary { unsafe unlink(temporary) } }
}
