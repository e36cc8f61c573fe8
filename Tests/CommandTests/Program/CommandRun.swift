import Foundation
import LinuxSystem

/// One run of the built `authcore` to its end, without a terminal and without a core.
struct CommandRun {
  let status: Int32
  let output: String
  let errors: String

  /// `home` is a folder that does not exist, so a command that wanted a core would make it.
  static let home = "/nonexistent/authcore-command-tests"

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String], in folder: String? = nil) throws {
    let process = Process()
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--wait", Self.program.path] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "AUTHCORE_HOME": Self.home]
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Neither is ever longer than a pipe holds, so one may be read after the other.
    self.output = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// The programs lie beside the test bundle.
  private static var program: URL {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("authcore")
  }
}
