import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization
import TestSupport
import Testing

/// Plugins compiled from Fixtures/ when a test asks for them.
enum Fixture {
  /// Milliseconds that only a driver that hangs takes, even on a busy machine.
  static let lastResort: UInt32 = 600_000

  /// What was compiled in this run, by source and macros: many tests ask for the same.
  private static let compiled = Mutex<[[String]: Data]>([:])

  /// Compiles a source with macros ("NAME" or "NAME=value") and options of the compiler's, which
  /// may name files of one folder only.
  /// - Returns: the path of the shared object.
  static func compile(
    _ source: String, _ macros: [String] = [], options: [String] = [],
    as name: String = "plugin.so", in folder: TemporaryFolder
  ) throws -> String {
    let output = folder.file(name)
    let key = [source] + macros + options
    if let known = compiled.withLock({ $0[key] }) ?? kept(key) {
      try known.write(to: URL(fileURLWithPath: output), options: .atomic)
      return output
    }
    let root = sources
    let fixtures = root + "/Tests/HostingTests/PluginHosting/Fixtures/"
    var launch = ProgramLaunch(
      path: try compiler(),
      arguments: [
        "-shared", "-fPIC", "-I", root + "/include", fixtures + source, "-o", output,
      ] + macros.map { "-D" + $0 } + options)
    launch.environment = EnvironmentVariable.entries
    launch.standardStreams = [nil, nil, 2]
    #expect(try launch.start().wait() == .exited(0), "\(source) must compile")
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    compiled.withLock { $0[key] = data }
    if let file = fileToKeep(key) { try data.write(to: file, options: .atomic) }
    return output
  }

  /// What an earlier run left in the folder that `AUTHCORE_FIXTURES` names, where compiling is slow:
  /// in an emulated machine.
  private static func kept(_ key: [String]) -> Data? {
    fileToKeep(key).flatMap { try? Data(contentsOf: $0) }
  }

  private static func fileToKeep(_ key: [String]) -> URL? {
    guard let folder = EnvironmentVariable.value(of: "AUTHCORE_FIXTURES") else { return nil }
    let name = key.joined(separator: " ").utf8.map { String($0, radix: 16) }.joined()
    // Options that name a folder of one test make a name that no other run asks for.
    return name.utf8.count > 200 ? nil : URL(fileURLWithPath: folder + "/" + name)
  }

  /// The package's folder; `make test` names a copy that an ordinary user can read.
  private static var sources: String {
    if let folder = EnvironmentVariable.value(of: "AUTHCORE_SOURCES") { return folder }
    // Tests/HostingTests/PluginHosting/Support/Fixture.swift
    return "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
  }

  private static func compiler() throws -> String {
    let folders = (EnvironmentVariable.value(of: "PATH") ?? "/usr/bin").split(separator: ":")
    let candidates = ["clang", "cc", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
    return try #require(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0) },
      "a C compiler is needed")
  }

  /// This build's own parts; a sandbox unless told otherwise.
  static func installation(pluginPath: String? = nil, sandbox: String? = nil) -> Installation {
    Installation(
      executableFolder: Installation.current(isService: false).executableFolder,
      pluginPath: pluginPath, sandboxSetting: sandbox)
  }

  /// A described driver from driver.c.
  static func driver(
    _ macros: [String] = [], in folder: TemporaryFolder
  ) throws -> InstalledDriver {
    try DriverCatalog(installation()).describe(compile("driver.c", macros, in: folder))
  }

  /// A session with a driver in one of its modes.
  static func session(
    mode: String, _ macros: [String] = [], in folder: TemporaryFolder,
    log: @escaping @Sendable (PluginLogLevel, String) -> Void = { _, _ in }
  ) throws -> SensorSession {
    let driver = try driver(macros, in: folder)
    let options = try SensorOption.check(
      [.init(name: "mode", value: mode)], against: driver.description, relativeTo: "/")
    return try SensorSession(driver, options: options, in: installation(), log: log)
  }
}
