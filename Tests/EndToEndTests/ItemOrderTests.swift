import Foundation
import TestSupport
import Testing

@Suite("The order of items, through the command", .timeLimit(.minutes(15)))
struct ItemOrderTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private func add(_ arguments: String...) throws {
    let add = try run(
      "authcore", ["--json", "--home", state.home, "item", "add"] + arguments, input: Data([1]))
    try #require(add.status == 0, "\(add.account)")
  }

  private func labels(_ command: String, _ arguments: String...) throws -> [String?] {
    let run = try run(
      "authcore", ["--json", "--home", state.home, "item", command] + arguments)
    #expect(run.status == 0, "\(run.account)")
    return (run.json["items"]?.array ?? []).map { $0["label"]?.string }
  }

  @Test("items come in the order of their age, or of what --sort names, from either end, so many")
  func orders() throws {
    try add("--service", "b", "--account", "3", "--label", "first")
    try add("--service", "C", "--account", "2", "--label", "Second")
    try add("--class", "internet", "--server", "a", "--account", "2", "--label", "third")
    try add("--class", "note", "--service", "d", "--label", "Fourth", "--account", "1")
    let age = ["first", "Second", "third", "Fourth"]
    for command in ["list", "find"] {
      #expect(try labels(command) == age)
      #expect(try labels(command, "--reverse") == age.reversed())
      #expect(try labels(command, "--limit", "2") == ["first", "Second"])
      #expect(try labels(command, "--reverse", "--limit", "1") == ["Fourth"])
      #expect(
        try labels(command, "--sort", "service") == ["third", "first", "Second", "Fourth"])
      #expect(try labels(command, "--sort", "label") == ["first", "Fourth", "Second", "third"])
      // The older one first where the account does not tell.
      #expect(
        try labels(command, "--sort", "account") == ["Fourth", "Second", "third", "first"])
      #expect(
        try labels(command, "--sort", "account", "--reverse", "--limit", "3")
          == ["first", "third", "Second"])
      #expect(
        try labels(command, "--sort", "class") == ["first", "Second", "third", "Fourth"])
      #expect(try labels(command, "--sort", "created") == age)
      for limit in ["4", "5", "4294967296", "9223372036854775807"] {
        #expect(try labels(command, "--limit", limit) == age)
        #expect(try labels(command, "--sort", "created", "--limit", limit) == age)
      }
    }
    #expect(
      try labels("find", "--account", "2", "--sort", "label", "--reverse", "--limit", "1")
        == ["third"])
    let table = try state.authcore("item", "list", "--sort", "label", "--limit", "1", json: false)
    #expect(table.text.contains("first") && !table.text.contains("Fourth"), "\(table.account)")
    let none = try state.authcore("item", "find", "--service", "x", "--sort", "label")
    #expect(none.status == 3, "\(none.account)")
  }

  @Test("an item that was changed last is the last of those sorted by that")
  func modified() throws {
    try add("--service", "a", "--label", "a")
    try add("--service", "b", "--label", "b")
    // Dates are whole seconds: the clock moves on while the item is changed until it shows.
    let before = try date(of: "b")
    repeat {
      let update = try state.authcore("item", "update", "--service", "a", "--set-label", "a")
      try #require(update.status == 0, "\(update.account)")
    } while try date(of: "a") == before
    #expect(try labels("list", "--sort", "modified") == ["b", "a"])
    #expect(try labels("list", "--sort", "modified", "--reverse", "--limit", "1") == ["a"])
  }

  private func date(of service: String) throws -> String {
    let find = try state.authcore("item", "find", "--service", service)
    return try #require(find.json["items"]?.array?.first?["modifiedAt"]?.string)
  }
}
