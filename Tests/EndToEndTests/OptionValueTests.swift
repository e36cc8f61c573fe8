import Foundation
import TestSupport
import Testing

/// A command as the program describes itself.
private struct DescribedCommand: Decodable {
  let commandName: String
  let arguments: [Argument]?
  let subcommands: [DescribedCommand]?

  struct Argument: Decodable {
    let kind: String
    let isOptional: Bool
    let valueName: String?
    let preferredName: Name?

    struct Name: Decodable {
      let name: String
    }
  }

  struct Tree: Decodable {
    let command: DescribedCommand
  }

  /// Commands without subcommands, with their names from the root.
  func leaves(_ path: [String] = []) -> [(path: [String], command: DescribedCommand)] {
    let own = (subcommands ?? []).filter { $0.commandName != "help" }
    let below = own.flatMap { $0.leaves(path + [$0.commandName]) }
    return below + (own.isEmpty || path.isEmpty ? [(path, self)] : [])
  }

  var positionals: [Argument] { (arguments ?? []).filter { $0.kind == "positional" } }
  var options: [String] {
    (arguments ?? []).filter { $0.kind == "option" }.compactMap { $0.preferredName?.name }
  }
}

@Suite("Every option and argument with unexpected values", .timeLimit(.minutes(60)))
struct OptionValueTests {
  /// Values to try. No text in UTF-8 begins with `\377` or `\376`.
  private static let values: [(name: String, words: String)] = [
    ("empty", "''"), ("negative", "-1"), ("not a number", "nan"),
    ("of 300 letters", "\(String(repeating: "n", count: 300))"),
    ("huge", "\(String(repeating: "n", count: 9000))"), ("no text", "\"$(printf '\\377\\376')\""),
    ("steering", "\"$(printf 'a\\033[31m\\342\\200\\256b')\""),
  ]

  private let state: TestHome
  private let tree: DescribedCommand

  init() throws {
    state = try TestHome()
    let dump = try run("authcore", ["--experimental-dump-help"])
    tree = try JSONDecoder().decode(DescribedCommand.Tree.self, from: dump.output).command
  }

  /// Runs words of a shell in a folder of this test, with a driver and without a person.
  private func shell(_ words: String) throws -> CommandRun {
    let folder = state.folder.url.path
    let command = "cd '\(folder)' && exec '\(Products.program("authcore"))' \(words)"
    return try run(
      "/bin/sh", ["-c", command],
      environment: ["AUTHCORE_HOME": state.home, "AUTHCORE_DRIVER": "replay"])
  }

  /// Expects a usage error or a sensible answer: no failure of the core, no signal, no silence.
  private func check(_ words: String, _ what: String, mustBeUsage: Bool = false) throws {
    let run = try shell(words)
    let isSensible = mustBeUsage ? run.status == 64 : [0, 1, 2, 3, 4, 64].contains(run.status)
    #expect(isSensible, "\(what): \(run.status) \(run.text.prefix(300)) \(run.errors.prefix(600))")
    #expect(!run.errors.contains("belong to different versions"), "\(what)")
    #expect(!run.errors.contains("does not understand its client"), "\(what)")
    #expect(!run.errors.utf8.contains(0x1B), "\(what): \(run.errors)")
  }

  private func words(
    _ path: [String], _ command: DescribedCommand, replacing position: Int? = nil,
    by value: String = ""
  ) -> String {
    var words = path
    for (index, argument) in command.positionals.enumerated() {
      if index == position {
        words.append(value)
      } else if !argument.isOptional || index < position ?? 0 {
        words.append("x")
      }
    }
    return words.joined(separator: " ")
  }

  @Test("the tree is whole, and every option of its own that a command has is tried")
  func ownOptions() throws {
    let leaves = tree.leaves()
    #expect(leaves.count > 40)
    let shared = Set(tree.options)
    #expect(shared.isSuperset(of: ["driver", "home", "timeout", "passcode-fd", "answer"]))
    var tried = 0
    for (path, command) in leaves where !path.isEmpty {
      for option in command.options where !shared.contains(option) {
        let start = words(path, command)
        try check("\(start) --\(option)", "\(path) --\(option) missing", mustBeUsage: true)
        for value in Self.values {
          let mustBeUsage = ["huge", "no text", "negative"].contains(value.name)
          // With any other value it serves until it is ended.
          if path == ["agent", "ssh"] && !mustBeUsage { continue }
          try check(
            "\(start) --\(option) \(value.words)", "\(path) --\(option) \(value.name)",
            mustBeUsage: mustBeUsage)
          tried += 1
        }
      }
    }
    #expect(tried > 300)
  }

  @Test("every option that all commands have")
  func sharedOptions() throws {
    for option in tree.options {
      for start in ["", "item list"] {
        try check("\(start) --\(option)", "\(start) --\(option) missing", mustBeUsage: true)
        for value in Self.values {
          let words = ["--\(option)", value.words]
          let what = "\(start) --\(option) \(value.name)"
          let isUsage = ["huge", "no text", "negative", "empty"].contains(value.name)
          try check("\(start) \(words[0]) \(words[1])", what, mustBeUsage: isUsage)
          if !start.isEmpty {
            try check("\(words[0]) \(words[1]) \(start)", what + " in front", mustBeUsage: isUsage)
          }
          guard value.name == "negative" else { continue }
          try check("\(start) \(words[0])=\(words[1])", what + " behind =")
        }
      }
    }
  }

  @Test("every argument that is no option")
  func positionals() throws {
    for (path, command) in tree.leaves() where !path.isEmpty {
      for position in command.positionals.indices {
        for value in Self.values {
          try check(
            words(path, command, replacing: position, by: value.words),
            "\(path) argument \(position) \(value.name)",
            mustBeUsage: ["huge", "no text", "negative"].contains(value.name))
        }
      }
    }
  }

  @Test("two byte strings that are no text name no item, and least of all the same")
  func invalidText() throws {
    #expect(try shell("item add \"$(printf '\\377\\376')\" ann").errors.contains("not valid UTF-8"))
    let json = try shell("item add mail --label \"$(printf '\\376\\377')\" --json")
    #expect(json.status == 64 && json.errorName == "usage", "\(json.account)")
    let list = try shell("item list --json")
    #expect(list.json["items"]?.array?.isEmpty == true, "\(list.account)")
    for variable in ["AUTHCORE_HOME", "AUTHCORE_DRIVER", "HOME", "XDG_STATE_HOME"] {
      let program = Products.program("authcore")
      let command =
        "\(variable)=\"$(printf '/tmp/\\377')\" exec '\(program)' status --home '\(state.home)'"
      let odd = try run("/bin/sh", ["-c", command])
      #expect(odd.status == 64 && odd.errors.contains(variable), "\(odd.account)")
    }
  }

  @Test("a command that there is not is an error, also where its help is asked for")
  func unknownCommands() throws {
    for words in [
      "help nosuch", "help item nosuch", "nosuch --help", "item nosuch --help", "nosuch -h",
      "item nosuch x", "--json help nosuch",
    ] {
      let run = try shell(words)
      #expect(run.status == 64, "\(run.account)")
      #expect((run.errors + run.text).contains("nosuch”"), "\(run.account)")
    }
    for words in ["help", "help item", "help item get", "--help", "item --help", "help help"] {
      let run = try shell(words)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.account)")
    }
  }
}

@Suite("Outputs that are closed, full or end", .timeLimit(.minutes(60)))
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
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    try state.succeed("item", "add", "mail", secret: "s3cret")
    try state.succeed("key", "create", "deploy")
    let passcode = try state.folder.write("passcode", TestHome.passcode)
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
      // A parent that ignores SIGPIPE hands that down (Python does).
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
    try state.succeed("item", "find", "news")
    #expect(try shell("item get news", after: "2>&-").text == "")
  }
}
