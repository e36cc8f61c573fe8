package import Foundation
import LinuxSystem
package import Testing

/// One run of `authcore`, to its end.
package struct CommandRun: Sendable {
  package let arguments: [String]
  package let status: Int32
  package let output: Data
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// The one object that `--json` prints, or empty.
  package var json: [String: ParsedJSON] {
    (try? JSONDecoder().decode([String: ParsedJSON].self, from: output)) ?? [:]
  }

  /// The secret that `item get --json` prints.
  package var secret: String? {
    json["secret"]?.string.flatMap { Data(base64Encoded: $0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The name in `{"error":{"name":…}}`.
  package var errorName: String? { json["error"]?["name"]?.string }

  /// Everything there is to say about it when an expectation fails.
  package var account: String {
    "authcore \(arguments.joined(separator: " ")) → \(status)\n\(text)\n\(errors)"
  }

  /// Expects that it ended with 0.
  @discardableResult
  package func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) -> CommandRun {
    #expect(status == 0, "\(account)", sourceLocation: sourceLocation)
    return self
  }

  /// Expects this exit status, this error, or both.
  package func expect(
    status: Int32? = nil, error: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if let status { #expect(self.status == status, "\(account)", sourceLocation: sourceLocation) }
    if let error { #expect(errorName == error, "\(account)", sourceLocation: sourceLocation) }
  }
}

/// Something that commands are run for: a state folder or a service.
package protocol CommandTarget {
  /// Runs `authcore` with a passcode in a file, a secret or other bytes as standard input, and
  /// `--json` unless it is not wanted.
  func authcore(
    _ arguments: [String], passcode: String?, newPasscode: String?, secret: String, input: Data?,
    json: Bool, environment: [String: String]
  ) throws -> CommandRun
}

extension CommandTarget {
  package func authcore(
    _ arguments: [String], passcode: String? = nil, secret: String = "", input: Data? = nil,
    json: Bool = true, environment: [String: String] = [:]
  ) throws -> CommandRun {
    try authcore(
      arguments, passcode: passcode, newPasscode: nil, secret: secret, input: input, json: json,
      environment: environment)
  }

  package func authcore(
    _ arguments: String..., passcode: String? = nil, newPasscode: String? = nil,
    secret: String = "", input: Data? = nil, json: Bool = true, environment: [String: String] = [:]
  ) throws -> CommandRun {
    try authcore(
      arguments, passcode: passcode, newPasscode: newPasscode, secret: secret, input: input,
      json: json, environment: environment)
  }

  /// Runs `authcore` and expects that it ends with 0.
  @discardableResult
  package func succeed(
    _ arguments: String..., passcode: String? = nil, newPasscode: String? = nil,
    secret: String = "", input: Data? = nil, json: Bool = true, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandRun {
    try authcore(
      arguments, passcode: passcode, newPasscode: newPasscode, secret: secret, input: input,
      json: json, environment: environment
    ).expectSuccess(sourceLocation: sourceLocation)
  }

  /// The same for words in an array.
  @discardableResult
  package func succeed(
    _ arguments: [String], passcode: String? = nil, secret: String = "", input: Data? = nil,
    json: Bool = true, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandRun {
    try authcore(
      arguments, passcode: passcode, secret: secret, input: input, json: json,
      environment: environment
    ).expectSuccess(sourceLocation: sourceLocation)
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
    "PATH": "/usr/bin:/bin", "HOME": try TemporaryFolder.shared.get().path, "LANG": "C.UTF-8",
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

/// A run of a built program without a terminal that goes on while the test does something else.
package final class BackgroundRun: Sendable {
  private let outcome = Guarded<Result<CommandRun, any Error>?>(nil)

  /// Starts it.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) {
    let outcome = outcome
    SystemThread.start(name: "run") {
      let result = Result {
        try run(program, arguments, environment: environment, seconds: 240)
      }
      outcome.update { $0 = result }
    }
  }

  /// Waits for its end.
  package func end() throws -> CommandRun { try outcome.wait { $0 }.get() }
}
