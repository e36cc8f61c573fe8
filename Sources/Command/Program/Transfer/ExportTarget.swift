import Glibc
import Protocol

/// Where an export is written: standard output, or a file.
final class ExportTarget {
  /// What names standard output.
  static let standardOutput = "-"

  private let path: String
  private let replaces: Bool
  private let output: Output
  private var file: WholeFile?

  /// - Throws: `usage` where the one object of `--json` would be written to the same place, or what
  ///   is there is no file; `errSecDuplicateItem` where there is one that is not to be replaced.
  init(_ path: String, replaces: Bool, _ output: Output) throws(Failure) {
    (self.path, self.replaces, self.output) = (path, replaces, output)
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
    guard replaces else { throw .isThere(path) }
  }

  func begin() throws(Failure) {
    if path != Self.standardOutput { file = try WholeFile(path, replaces: replaces) }
  }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    if let file { return try file.write(bytes) }
    output.secret(bytes)
    guard output.couldWrite else {
      throw Failure(.storageFailed, "Standard output cannot be written")
    }
  }

  /// Puts the file in its place. Where an export ends before, nothing is left of it.
  func finish() throws(Failure) { try file?.finish() }
}
