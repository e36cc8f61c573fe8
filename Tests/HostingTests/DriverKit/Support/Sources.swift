import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The package's files, and programs that build something from them.
enum Sources {
  /// The package's folder; `make test` names a copy that an ordinary user can read.
  static var folder: String {
    if let folder = ProcessInfo.processInfo.environment["AUTHCORE_SOURCES"] { return folder }
    // Tests/HostingTests/DriverKit/Support/Sources.swift
    return "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
  }

  /// The Swift files below a folder, relative to it.
  static func files(below path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + path)
      .filter { $0.hasSuffix(".swift") }
  }

  /// Where the products of this build lie.
  static var products: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0])
      .deletingLastPathComponent().path
  }

  /// What a program printed, and how it ended.
  struct Run {
    let status: Int32
    let output: String
  }

  /// Runs a program of PATH, or one of this build by its whole path.
  static func run(_ arguments: [String], in folder: String? = nil) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: output)
  }

  /// Compiles a file of Fixtures or Drivers/Template as a plugin.
  static func compile(
    _ source: String, _ macros: [String] = [], as name: String, in folder: TemporaryFolder
  ) throws -> String {
    let output = folder.file(name)
    let run = try run(
      [
        "cc", "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-pthread",
        "-I", self.folder + "/include", "-I", self.folder + "/Drivers/Template", "-I",
        self.folder + "/Drivers",
        self.folder + "/" + source, "-o", output,
      ] + macros.map { "-D" + $0 } + ["-lm"])
    try #require(run.status == 0, "\(run.output)")
    return output
  }
}
