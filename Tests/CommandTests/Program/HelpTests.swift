import ArgumentParser
import Foundation
import Testing

@testable import authcore

@Suite("Help, and names that were mistyped", .timeLimit(.minutes(15)))
struct HelpTests {
  /// The names of every command that does something, hidden ones apart.
  private static let commands: [[String]] = leaves(of: AuthcoreCommand.self, [])

  private static func leaves(of command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    let parts = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return parts.isEmpty ? [path] : parts.flatMap { leaves(of: $0, path + [$0._commandName]) }
  }

  @Test("every command shows how it is called, and what its exit codes mean", arguments: commands)
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

  @Test("no example is of a command that there is not")
  func known() {
    let names = Set(Self.commands.map { $0.joined(separator: " ") })
    #expect(Set(HelpExamples.of.keys).subtracting(names).isEmpty)
    #expect(HelpExamples.of.values.joined().allSatisfy { $0.contains("authcore") })
  }

  @Test("slips of the fingers are counted, and a swap is one")
  func slips() {
    func count(_ typed: String, _ name: String) -> Int {
      NearestName.slips(from: Array(typed), to: Array(name))
    }
    #expect(count("", "abc") == 3 && count("abc", "") == 3 && count("item", "item") == 0)
    #expect(count("itme", "item") == 1 && count("enrll", "enroll") == 1)
    #expect(count("finngers", "finger") == 2 && count("xyz", "abc") == 3)
  }

  @Test("the nearest name is suggested where one is near, and one alone is nearest")
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
