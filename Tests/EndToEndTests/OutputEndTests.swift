import Foundation
import TestSupport
import Testing

@Suite("Outputs that are closed, full or end", .timeLimit(.minutes(15)))
struct OutputEndTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private static let commands = [
    "status", "status --json", "item list", "item get mail", "item get mail --json",
    "key public deploy", "--help", "help item", "--version", "driver list", "export -",
    "--generate-completion-script bash", "--driver replay sensor capture -",
  ]

  /// Runs words of a shell after `authcore --home HOME`.
  private func shell(_ words: String, before: String = "", after: String = "") throws -> CommandRun
  {
    let program = "'\(Products.program("authcore"))'"
    return try run(
      "/bin/bash", ["-c", "\(before) \(program) \(words) \(after)"],
      environment: ["AUTHCORE_HOME": state.home])
  }

  private func setUp() throws -> String {
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("item", "add", "mail", secret: "s3cret").status == 0)
    #expect(try state.authcore("key", "create", "deploy").status == 0)
    let passcode = try state.folder.write("passcode", Data(TestHome.passcode.utf8)).path
    return " --passcode-file '\(passcode)'"
  }

  @Test("a result that cannot be written is a failure, and standard error says so")
  func standardOutput() throws {
    let passcode = try setUp()
    for command in Self.commands {
      let words = command + (command.hasPrefix("export") ? passcode : "")
      for end in ["> /dev/full", ">&-"] {
        let run = try shell(words, after: end)
        #expect(run.status == 5, "\(command) \(end): \(run.account)")
        #expect(run.errors.contains("tandard output"), "\(command) \(end): \(run.account)")
      }
      // Whoever ignores SIGPIPE hands that down (nohup does not, Python does).
      let ignored = try shell(
        words, before: "trap '' PIPE;", after: "| true; exit ${PIPESTATUS[0]}")
      #expect([0, 5].contains(ignored.status), "\(command): \(ignored.account)")
      let ended = try shell(words, after: "| true; exit ${PIPESTATUS[0]}")
      #expect(
        [0, 141].contains(ended.status) && ended.errors.isEmpty == !command.hasPrefix("export"),
        "\(command): \(ended.account)")
    }
  }

  @Test("what goes to standard error is not needed, and standard input may be closed")
  func otherStreams() throws {
    let passcode = try setUp()
    for command in Self.commands {
      let words = command + (command.hasPrefix("export") ? passcode : "")
      for end in ["2>&- > /dev/null", "2> /dev/full > /dev/null", "<&- > /dev/null"] {
        let run = try shell(words, after: end)
        #expect(run.status == 0, "\(command) \(end): \(run.account)")
      }
    }
    let add = try shell("item add news", after: "<&- 2>&- >&-")
    #expect(add.status == 5, "its result cannot be written: \(add.account)")
    #expect(try state.authcore("item", "find", "news").status == 0)
    #expect(try shell("item get news", after: "2>&-").text == "")
  }
}
