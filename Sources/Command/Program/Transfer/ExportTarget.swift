import Glibc
import LinuxSystem
import Protocol

/// Where an export is written: standard output, or a file that is there whole or not at all, and that
/// its owner alone can read.
final class ExportTarget {
  /// What names standard output.
  static let standardOutput = "-"

  private let path: String
  private let replaces: Bool
  private let output: Output
  private var file: Descriptor?
  private var temporary: String { "\(path).\(getpid())" }

  /// - Throws: `usage` where the one object of `--json` would be written to the same place, or what
  ///   is there is no file; `errSecDuplicateItem` where there is one that is not to be replaced.
  init(_ path: String, replaces: Bool, _ output: Output) throws(Failure) {
    self.path = path
    self.replaces = replaces
    self.output = output
    guard path != Self.standardOutput else {
      guard !output.isJSON else {
        throw Failure(
          .usage, "--json and the export cannot both go to standard output",
          hint: "Name a file, or leave --json out.")
      }
      return
    }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        .usage, "\(path) is there and is no file", hint: "Choose another name, or - for a pipe.")
    }
    guard replaces else { throw existing }
  }

  private var existing: Failure {
    Failure(
      .errSecDuplicateItem, "\(path) is there already",
      hint: "Choose another name, or replace it: --force")
  }

  private func failure() -> Failure { .cannotWrite(path) }

  /// Opens it.
  func begin() throws(Failure) {
    guard path != Self.standardOutput else { return }
    let number = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw failure() }
    file = Descriptor(owning: number)
  }

  /// Writes on.
  func write(_ bytes: Span<UInt8>) throws(Failure) {
    guard let number = file?.number else {
      output.secret(bytes)
      guard output.couldWrite else {
        throw Failure(.storageFailed, "Standard output cannot be written")
      }
      return
    }
    let isWritten = unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe Glibc.write(
          number, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
    guard isWritten else { throw failure() }
  }

  /// Puts the file in its place.
  func finish() throws(Failure) {
    guard let number = file?.number else { return }
    guard fsync(number) == 0 else { throw failure() }
    if replaces {
      guard unsafe rename(temporary, path) == 0 else { throw failure() }
    } else {
      // link(2) never replaces a file.
      guard unsafe link(temporary, path) == 0 else {
        throw errno == EEXIST ? existing : failure()
      }
      unsafe unlink(temporary)
    }
    file = nil
  }

  // What was written of it is removed where the export ends early.
  deinit { if file != nil { unsafe unlink(temporary) } }
}
