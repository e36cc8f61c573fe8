import ArgumentParser
import Foundation
import Testing

@testable import authcore

@Suite("Help, and names that were mistyped", .timeLimit(.minutes(60)))
struct HelpTests {
  /// The names of every command that does something, hidden ones apart.
  private static let commands: [[String]] = leaves(of: AuthcoreCommand.self, [])

  private static func leaves(of command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    let parts = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return parts.isEmpty ? [path] : parts.flatMap { leaves(of: $0, path + [$0._commandName]) }
  }

  @Test("every command shows an example and its exit codes", arguments: commands)
  func examples(path: [String]) throws {
    let name = path.joined(separator: " ")
    let help = try CommandRun(path + ["--help"])
    #expect(help.status == 0)
    let lines = help.output.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("  ") && $0.contains("authcore \(name)") }, "\(help.output)")
    #expect(help.output.contains("\nEXIT CODES:\n  0    done\n"))
    #expect(help.output.components(separatedBy: "EXIT CODES:").count == 2)
  }

  @Test("every example is of an existing command")
  func known() {
    let names = Set(Self.commands.map { $0.joined(separator: " ") })
    #expect(Set(HelpExamples.of.keys).subtracting(names).isEmpty)
    #expect(HelpExamples.of.values.joined().allSatisfy { $0.contains("authcore") })
  }

  @Test("typing slips are counted, and a swap is one slip")
  func slips() {
    func count(_ typed: String, _ name: String) -> Int {
      NearestName.slips(from: Array(typed), to: Array(name))
    }
    #expect(count("", "abc") == 3 && count("abc", "") == 3 && count("item", "item") == 0)
    #expect(count("itme", "item") == 1 && count("enrll", "enroll") == 1)
    #expect(count("finngers", "finger") == 2 && count("xyz", "abc") == 3)
  }

  @Test("the nearest name is suggested if there is exactly one")
  func nearest() {
    let names = ["status", "item", "key", "lock", "unlock", "import", "export"]
    #expect(NearestName.of("statsu", among: names) == "status")
    #expect(NearestName.of("unlcok", among: names) == "unlock")
    #expect(NearestName.of("k", among: names) == nil)
    #expect(NearestName.of("xxport", among: ["import", "export"]) == "export")
    #expect(NearestName.of("axport", among: ["export", "import"]) == "export")
    #expect(NearestName.of("locks", among: ["lock", "locke"]) == nil)
    #expect(NearestName.of("nonsense", among: names) == nil)
  }
}

@Suite("Options before and after the command")
struct OptionOrderTests {
  private func arranged(_ arguments: String...) -> [String] {
    OptionOrder.arranged(arguments, root: AuthcoreCommand.self).arguments
  }

  @Test("options before the command's name are moved behind it, in order")
  func moved() {
    #expect(arranged("--json", "status") == ["status", "--json"])
    #expect(
      arranged("--driver", "replay:tape=a\\,b", "--json", "item", "get", "--service", "s")
        == ["item", "get", "--driver", "replay:tape=a\\,b", "--json", "--service", "s"])
    #expect(
      arranged("item", "--home=/x", "get", "--json") == ["item", "get", "--home=/x", "--json"])
  }

  @Test("arguments behind it stay")
  func kept() {
    #expect(arranged("status", "--json") == ["status", "--json"])
    #expect(
      arranged("finger", "rename", "status", "lock") == ["finger", "rename", "status", "lock"])
    #expect(arranged("help", "item") == ["help", "item"])
  }

  @Test("a value is not taken for a command, nor an argument after -- for an option")
  func values() {
    #expect(arranged("--home", "status", "lock") == ["lock", "--home", "status"])
    #expect(arranged("--", "status") == ["--", "status"])
    #expect(arranged("--home") == ["--home"])
  }

  @Test("without a command the options stay what they are")
  func guided() {
    #expect(arranged("--driver", "replay", "--json") == ["--driver", "replay", "--json"])
    #expect(arranged() == [])
  }

  @Test("the command of run is separated from the options, with any name and arguments")
  func passedOn() {
    func separated(_ arguments: String...) -> [String] { OptionOrder.separatingCommand(arguments) }
    #expect(
      separated("run", "--env", "A=b", "ls", "-l") == ["run", "--env", "A=b", "--", "ls", "-l"])
    #expect(
      separated("run", "--env=A=b", "--json", "ls", "--", "x")
        == ["run", "--env=A=b", "--json", "--", "ls", "--", "x"])
    #expect(separated("run", "--env", "A=b", "--", "-x") == ["run", "--env", "A=b", "--", "-x"])
    #expect(separated("run", "--help", "ls") == ["run", "--help", "--", "ls"])
    #expect(separated("run", "--env") == ["run", "--env"])
  }

  @Test("--json is seen even if the arguments cannot be parsed")
  func json() {
    let arranged = OptionOrder.arranged(["--json", "nonsense"], root: AuthcoreCommand.self)
    #expect(arranged.asksFor("--json"))
    #expect(
      !OptionOrder.arranged(["x", "--", "--json"], root: AuthcoreCommand.self).asksFor("--json"))
  }
}

@Suite("Completing what is typed")
struct CompletionTests {
  @Test("quotation marks and backslashes that were typed are no part of a word")
  func unquoted() {
    #expect(CompletionWords.unquoted("mail") == "mail")
    #expect(CompletionWords.unquoted("'my mail") == "my mail")
    #expect(CompletionWords.unquoted("my\\ ma\"i'l\"") == "my mai'l")
    #expect(CompletionWords.unquoted("\\") == "\\")
  }

  @Test("options and the service are found in an unfinished command line")
  func words() {
    let words = CompletionWords(["authcore", "--home", "/x", "item", "get", "my\\ mail", ""])
    #expect(words.value(of: "--home") == "/x" && words.value(of: "--driver") == nil)
    #expect(words.firstArgument(behind: "item") == "my mail")
    let option = CompletionWords(["authcore", "item", "get", "--service=a=b", ""])
    #expect(option.value(of: "--service") == "a=b" && option.firstArgument(behind: "item") == nil)
  }

  @Test("texts of other programs are quoted for the shell, and texts of several lines are left out")
  func quoting() {
    let texts = ["a b", "it's", "$(touch x)", "two\nlines", "", "https://x", "b"]
    #expect(
      CompletionText.lines(texts, beginningWith: "", for: .bash)
        == ["'$(touch x)'", "'a b'", "'b'", "'https://x'", "'it'\\''s'"])
    #expect(CompletionText.lines(texts, beginningWith: "h", for: .zsh) == ["https\\://x"])
    #expect(CompletionText.lines(texts, beginningWith: "'a ", for: .fish) == ["a b"])
  }
}
