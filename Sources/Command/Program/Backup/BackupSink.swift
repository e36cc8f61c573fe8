import BackupFormat
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// Where a backup is written: a file, or standard output.
final class BackupSink {
  /// Nil for standard output.
  private let file: WholeFile?

  /// Whether the backup goes to standard output.
  var isStandardOutput: Bool { file == nil }

  /// - Throws: `errSecDuplicateItem` where the file is there and may not be replaced, `usage` for
  ///   standard output that is a terminal or is to hold JSON, `storageFailed`.
  init(_ file: String, replaces: Bool, _ invocation: Invocation) throws(Failure) {
    guard file != "-" else {
      try Self.checkStandardOutput(invocation.output)
      self.file = nil
      return
    }
    let path = invocation.environment.absolute(file)
    try Self.checkPlace(path, replaces: replaces)
    self.file = try WholeFile(path, replaces: replaces)
  }

  private static func checkStandardOutput(_ output: Output) throws(Failure) {
    guard !output.isJSON else {
      throw Failure(
        .usage, "Standard output cannot hold both the backup and JSON",
        hint: "Name a file, or leave --json out.")
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure(.usage, "A backup is not for a terminal", hint: "Name a file.")
    }
  }

  private static func checkPlace(_ path: String, replaces: Bool) throws(Failure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard replaces else { throw .isThere(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        .usage, "\(path.printable) is no file that could be replaced", hint: "Choose another name.")
    }
  }

  func write(_ record: SealedRecord) throws(Failure) {
    try write(record.bytes, .item(record.kind))
  }

  /// Appends the last record.
  func write(end sealed: [UInt8]) throws(Failure) { try write(sealed, .end) }

  private func write(_ sealed: [UInt8], _ kind: BackupRecordHead.Kind) throws(Failure) {
    try write(BackupRecordHead(kind, count: sealed.count).encoded + sealed)
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    if let file { return try file.write(bytes.span) }
    guard DescriptorBytes.write(bytes.span, to: STDOUT_FILENO) else {
      throw .cannotWrite("standard output")
    }
  }

  /// Everything was written: the file gets its name, and is on the disk when this returns.
  func finish() throws(Failure) { try file?.finish() }
}
