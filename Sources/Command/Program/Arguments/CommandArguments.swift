import ArgumentParser
import CoreClient
import LinuxSystem
import Protocol

/// The arguments that the shell gave.
struct CommandArguments {
  /// The arguments without the program's name. Invalid UTF-8 in one is replaced.
  let texts: [String]
  /// The first that cannot be used, and why.
  let problem: Failure?

  /// Variables that name files. Their values must be UTF-8 too.
  private static let variables = [
    "AUTHCORE_HOME", "AUTHCORE_DRIVER", "HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
  ]

  init(_ texts: [String], problem: Failure? = nil) {
    self.texts = texts
    self.problem = problem ?? Self.tooLong(texts)
  }

  /// The arguments of this process. Invalid UTF-8 is refused, because two different byte strings
  /// could be repaired to the same text and name the same item.
  static func given() -> CommandArguments {
    var texts: [String] = []
    var problem: Failure?
    for index in stride(from: 1, to: Int(CommandLine.argc), by: 1) {
      // CommandLine.unsafeArgv has argc strings, which nobody changes.
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      if let text = unsafe String(validatingCString: argument) {
        texts.append(text)
      } else {
        // What follows `--` belongs to another program.
        if !texts.contains("--") { problem = problem ?? Self.noText("Argument \(index)") }
        texts.append(unsafe String(cString: argument))
      }
    }
    for name in variables where !EnvironmentVariable.isText(name) {
      problem = problem ?? Self.noText(name)
    }
    return CommandArguments(texts, problem: problem)
  }

  private static func noText(_ what: String) -> Failure {
    Failure(.usage, "\(what) is not valid UTF-8", hint: "Names and attributes are texts in UTF-8.")
  }

  /// No message takes a longer text. What follows `--` belongs to another program.
  private static func tooLong(_ texts: [String]) -> Failure? {
    let index = texts.prefix { $0 != "--" }.firstIndex {
      $0.utf8.count > WireDecoder.longestText
    }
    return index.map {
      Failure(.usage, "Argument \($0 + 1) is longer than \(WireDecoder.longestText) bytes")
    }
  }
}

/// Lets the options of every command stand before its name too.
///
/// ArgumentParser accepts an option only after the command that declares it, so options in front
/// are moved there.
enum OptionOrder {
  private static let flags: Set = ["--json", "--no-color", "--unattended"]
  private static let valued: Set = [
    "--driver", "--home", "--timeout", "--passcode-fd", "--passcode-file", "--answer",
  ]

  /// Moves what stands before the command's name behind it, in the same order. `root` says which
  /// names are commands.
  static func arranged(_ arguments: [String], root: any ParsableCommand.Type) -> Arranged {
    var path: [String] = []
    var moved: [String] = []
    var command = root
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if let subcommand = command.subcommand(named: argument) {
        path.append(argument)
        command = subcommand
        index += 1
      } else if flags.contains(argument) || valued.contains(where: { argument.hasPrefix($0 + "=") })
      {
        moved.append(argument)
        index += 1
      } else if valued.contains(argument) {
        moved += arguments[index..<min(index + 2, arguments.count)]
        index += 2
      } else {
        break
      }
    }
    let rest = index < arguments.count ? Array(arguments[index...]) : []
    return Arranged(
      path: path,
      commands: command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        .map { $0._commandName },
      arguments: path + moved + rest, next: rest.first)
  }

  /// Adds `--` in front of the command that `run` runs, if it is missing: what follows a command
  /// belongs to the command.
  static func separatingCommand(_ arguments: [String]) -> [String] {
    var index = 1
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--" { return arguments }
      guard argument.hasPrefix("-") else { break }
      let standsAlone =
        argument.contains("=") || flags.contains(argument)
        || ["-h", "--help", "--version"].contains(argument)
      index += standsAlone ? 1 : 2
    }
    guard index < arguments.count else { return arguments }
    return arguments[..<index] + ["--"] + arguments[index...]
  }

  /// Arguments as ArgumentParser takes them.
  struct Arranged: Equatable {
    /// The names of the command: `["item", "get"]`.
    let path: [String]
    /// The commands that could come next; empty if `path` names a command.
    let commands: [String]
    let arguments: [String]
    /// The first argument after the path that was not moved.
    let next: String?

    /// An argument in the place of a command's name that is not one.
    var unknownCommand: String? {
      commands.isEmpty ? nil : next.flatMap { $0.hasPrefix("-") ? nil : $0 }
    }

    /// Whether a flag is given, for arguments that could not be parsed.
    func asksFor(_ flag: String) -> Bool { arguments.prefix { $0 != "--" }.contains(flag) }
  }
}

extension ParsableCommand {
  fileprivate static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0._commandName == name }
  }
}
