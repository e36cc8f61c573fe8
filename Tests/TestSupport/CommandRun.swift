package import Foundation

/// One run of `authcore`, to its end.
package struct CommandRun: Sendable {
  package let arguments: [String]
  package let status: Int32
  package let output: Data
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// The one object that `--json` prints; empty where it is none.
  package var json: [String: JSONValue] {
    (try? JSONDecoder().decode([String: JSONValue].self, from: output)) ?? [:]
  }

  /// The name in `{"error":{"name":…}}`.
  package var errorName: String? { json["error"]?["name"]?.string }

  /// Everything there is to say about it when an expectation fails.
  package var account: String {
    "authcore \(arguments.joined(separator: " ")) → \(status)\n\(text)\n\(errors)"
  }
}

/// Runs a built program without a controlling terminal, and waits for its end; one that does not end
/// within `seconds` is killed.
package func run(
  _ program: String, _ arguments: [String], input: Data = Data(),
  environment: [String: String] = [:], seconds: Int = 300
) throws -> CommandRun {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
  process.arguments =
    ["--wait", "/usr/bin/timeout", "--signal=KILL", "\(seconds)", Products.program(program)]
    + arguments
  process.environment = [
    "PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "LANG": "C.UTF-8",
    "AUTHCORE_TPM": "off", "AUTHCORE_SERVICE": "off",
  ].merging(environment) { $1 }
  let scratch = try TemporaryFolder()
  let inputFile = try scratch.write("input", input)
  let outputFile = try scratch.write("output", Data())
  let errorFile = try scratch.write("errors", Data())
  process.standardInput = try FileHandle(forReadingFrom: inputFile)
  process.standardOutput = try FileHandle(forWritingTo: outputFile)
  process.standardError = try FileHandle(forWritingTo: errorFile)
  try process.run()
  process.waitUntilExit()
  return CommandRun(
    arguments: arguments, status: process.terminationStatus,
    output: try Data(contentsOf: outputFile),
    errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
}
