import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// Where a command writes its product: a file that is whole or not there, or standard output.
final class OutputFile {
  let isStandardOutput: Bool
  private let path: String
  private let replaces: Bool
  private var file: WholeFile?

  /// Checks the place, and makes nothing yet.
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - replaces: whether a file that is there may be replaced.
  ///   - content: what is written, for messages: `backup`.
  ///   - suitsTerminal: whether a terminal may show it.
  ///   - invocation: the command that writes it.
  /// - Throws: `usage` if that cannot be written there; `errSecDuplicateItem` for a file that is
  ///   there and is to stay.
  init(
    _ path: String, replaces: Bool, for content: String, suitsTerminal: Bool,
    _ invocation: Invocation
  ) throws(Failure) {
    isStandardOutput = path == "-"
    self.path = isStandardOutput ? path : invocation.environment.absolute(path)
    self.replaces = replaces
    guard !isStandardOutput else {
      try invocation.output.check(takes: content, suitsTerminal: suitsTerminal)
      return
    }
    var status = stat()
    guard unsafe lstat(self.path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .usage(
        "\(path.printable) is not a regular file",
        hint: "Choose another name, or - for standard output.")
    }
    guard replaces else { throw .isThere(path) }
  }

  /// Begins to write, under a temporary name.
  func begin() throws(Failure) {
    if !isStandardOutput { file = try WholeFile(path, replaces: replaces) }
  }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    if let file { return try file.write(bytes) }
    guard DescriptorBytes.write(bytes, to: STDOUT_FILENO) else {
      throw .cannotWrite("standard output")
    }
  }

  /// Gives the file its name. A command that ends before leaves nothing.
  func finish() throws(Failure) { try file?.finish() }
}

extension Output {
  /// Refuses to write something to standard output.
  /// - Throws: `usage` if `--json` needs it, or it is a terminal that must not show it.
  func check(takes content: String, suitsTerminal: Bool = false) throws(Failure) {
    guard !isJSON else {
      throw .usage(
        "Standard output cannot hold both the \(content) and JSON",
        hint: "Name a file, or leave --json out.")
    }
    guard suitsTerminal || isatty(STDOUT_FILENO) == 0 else {
      throw .usage("A \(content) is not for a terminal", hint: "Name a file.")
    }
  }
}
