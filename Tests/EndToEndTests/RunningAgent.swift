import Foundation
import TestSupport
import Testing

/// `authcore agent ssh` of a state folder, until the value ends.
final class RunningAgent {
  let socket: String
  let log: URL
  private let home: String
  private let process = Process()
  private let errors = Pipe()
  private var said = Data()

  init(
    _ state: TestHome, driver: String? = nil, _ arguments: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    home = state.folder.path
    socket = state.folder.file("agent")
    log = state.folder.url.appendingPathComponent("log")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments =
      [
        "--fork", "--wait", Products.program("authcore"), "--home", state.home, "agent", "ssh",
        "--socket", socket, "--log", log.path,
      ] + (driver.map { ["--driver", $0] } ?? []) + arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": home, "AUTHCORE_TPM": "off",
      "AUTHCORE_SERVICE": "off",
    ].merging(environment) { $1 }
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try waitUntilItSays("serves")
  }

  /// Waits until the text is among what it said at its terminal.
  func waitUntilItSays(_ text: String) throws {
    while !String(decoding: said, as: UTF8.self).contains(text) {
      let more = errors.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the agent ended: \(String(decoding: said, as: UTF8.self))")
      said += more
    }
  }

  /// Runs a client of the agent.
  func run(_ program: String, _ arguments: [String], input: Data = Data()) throws -> CommandRun {
    try TestSupport.run(
      program, arguments, input: input, environment: ["SSH_AUTH_SOCK": socket, "HOME": home])
  }

  /// The lines of the log.
  var lines: [String] {
    get throws {
      try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  /// Asks it to end, and waits until it has.
  func end() {
    // setsid runs the agent as its child and ends after it.
    for child in children(of: process.processIdentifier) { kill(child, SIGTERM) }
    process.waitUntilExit()
  }

  private func children(of parent: Int32) -> [Int32] {
    let path = "/proc/\(parent)/task/\(parent)/children"
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }

  deinit { if process.isRunning { end() } }
}

extension TestHome {
  /// Makes a key.
  /// - Returns: the file with its public half.
  func makeKey(_ name: String, _ options: String...) throws -> URL {
    try succeed(["key", "create", name] + options)
    return try publicHalf(name)
  }

  func publicHalf(_ name: String) throws -> URL {
    let line = try authcore(["key", "public", name, "--format", "ssh"], json: false)
    return try folder.write("\(name).pub", Data(line.text.utf8))
  }
}
