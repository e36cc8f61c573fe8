import Foundation

/// A run of `exercise usb` under `umockdev-run`, which shows it a device that is not there.
struct UmockdevRun {
  /// What it printed, line by line, without the log.
  let lines: [String]
  /// What the transport logged and said of failures.
  let log: [String]

  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run") }

  /// `device` is the file that describes the device; `traffic` its recording and what it is a
  /// recording of, ["-p", "/sys/devices/…=FILE"] or ["-i", "/dev/bus/…=FILE"]; `arguments` are
  /// those of `exercise usb`.
  init(device: String, traffic: [String] = [], _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/umockdev-run")
    process.arguments =
      ["-d", device] + traffic + ["--", Self.program, "usb"] + arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let all = text.split(separator: "\n").map { String($0) }
    let isLogged = { (line: String) in line.hasPrefix("log: ") || line.hasPrefix("error: ") }
    log = all.filter(isLogged)
    lines = all.filter { !isLogged($0) }
  }

  /// It lies beside the test program.
  private static var program: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("exercise").path
  }
}
