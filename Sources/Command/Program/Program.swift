import ArgumentParser
import CoreClient
import Glibc
import Protocol

/// One run of the program, from its arguments to its exit code.
struct Program {
  let arguments: CommandArguments

  /// Parses, carries out, reports.
  func run() -> Int32 {
    StandardStreams.occupy()
    let arranged = OptionOrder.arranged(arguments.texts, root: AuthcoreCommand.self)
    if let problem = arguments.problem ?? Self.unknownCommand(arranged) {
      return report(problem, arranged)
    }
    var command: any ParsableCommand
    do {
      command = try AuthcoreCommand.parseAsRoot(
        arranged.path == [RunCommand._commandName]
          ? OptionOrder.separatingCommand(arranged.arguments) : arranged.arguments)
      guard let command = command as? any ClientCommand else {
        // A group of commands, or `help`. It prints by throwing.
        try command.run()
        return 0
      }
      return run(command)
    } catch {
      return report(error, arranged)
    }
  }

  private func run(_ command: any ClientCommand) -> Int32 {
    let options = command.options
    // Git does not read JSON.
    let isJSON = options.json && !(command is GitCredentialCommand)
    let output = Output(isJSON: isJSON, look: .ofEnvironment(noColor: options.noColor))
    let interrupts = Interrupts(isJSON: isJSON)
    do throws(Failure) {
      let invocation = try Invocation(options, output, interrupts)
      invocation.missingStateFolder = command.missingStateFolder
      invocation.unlocks = command.unlocks && !options.noUnlock
      try command.run(invocation)
      return output.couldWrite ? invocation.result.rawValue : Self.couldNotWrite
    } catch {
      guard let signal = interrupts.caught else {
        output.failure(error)
        return error.exitCode
      }
      output.failure(Interrupts.interrupted)
      return 128 + signal
    }
  }

  /// Says on standard error that the result is lost, even with `--json`: an object would be lost
  /// too.
  /// - Returns: the exit code.
  private static var couldNotWrite: Int32 {
    let failure = Failure(
      .storageFailed, "Standard output cannot be written",
      hint: "Is it closed, or its disk full? What the command did is done.")
    Output(isJSON: false, look: .plain).failure(failure)
    return failure.exitCode
  }

  /// An unknown command is reported first: not even its help can be shown.
  private static func unknownCommand(_ arranged: OptionOrder.Arranged) -> Failure? {
    var arranged = arranged
    if arranged.path.isEmpty, arranged.next == "help" {
      let names = arranged.arguments.drop { $0 != "help" }.dropFirst()
      arranged = OptionOrder.arranged(Array(names), root: AuthcoreCommand.self)
    }
    guard let unknown = arranged.unknownCommand, unknown != "help" || !arranged.path.isEmpty else {
      return nil
    }
    let name = (["authcore"] + arranged.path).joined(separator: " ")
    let typed = (arranged.path + [unknown.printable]).joined(separator: " ")
    return .usage(
      "Unknown command \u{201C}\(typed)\u{201D}",
      hint: NearestName.of(unknown, among: arranged.commands)
        .map { "Did you mean: \(name) \($0)" }
        ?? "The commands are: " + arranged.commands.joined(separator: ", "))
  }

  private func report(_ failure: Failure, _ arranged: OptionOrder.Arranged) -> Int32 {
    output(arranged).failure(failure)
    return failure.exitCode
  }

  private func output(_ arranged: OptionOrder.Arranged) -> Output {
    Output(
      isJSON: arranged.asksFor("--json")
        && arranged.path.first != GitCredentialCommand._commandName,
      look: .ofEnvironment(noColor: arranged.asksFor("--no-color")))
  }

  /// Prints help. Everything else that ArgumentParser throws is a usage error.
  private func report(_ error: any Error, _ arranged: OptionOrder.Arranged) -> Int32 {
    guard AuthcoreCommand.exitCode(for: error) != .success else {
      let output = Output(isJSON: false, look: .plain)
      output.line(HelpText.completed(AuthcoreCommand.fullMessage(for: error)))
      return output.couldWrite ? 0 : Self.couldNotWrite
    }
    let name = (["authcore"] + arranged.path).joined(separator: " ")
    return report(
      Failure(.usage, AuthcoreCommand.message(for: error), hint: "Run: \(name) --help"), arranged)
  }
}

extension Failure {
  var exitCode: Int32 { code.exitCode }
}

enum StandardStreams {
  /// Opens `/dev/null` in place of closed standard streams. Otherwise the next file would take the
  /// number, and output could go into the connection to the core. Reading gives the end of file
  /// there, writing fails.
  static func occupy() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }
}
