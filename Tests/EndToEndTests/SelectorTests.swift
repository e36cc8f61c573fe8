import Foundation
import TestSupport
import Testing

@Suite("Which items a command means", .timeLimit(.minutes(15)))
struct SelectorTests {
  @Test("plain arguments are the service and the account, in every command that selects items")
  func plainArguments() throws {
    let state = try TestHome()
    let add = try state.authcore("item", "add", "mail", "ann", secret: "a")
    #expect(add.json["item"]?["service"]?.string == "mail", "\(add.account)")
    #expect(add.json["item"]?["account"]?.string == "ann", "\(add.account)")
    #expect(try state.authcore("item", "add", "mail", "bob", secret: "b").status == 0)
    #expect(try state.authcore("item", "get", "mail", "bob", json: false).text == "b")
    #expect(try state.authcore("item", "find", "mail").json["items"]?.array?.count == 2)
    #expect(try state.authcore("item", "list", "mail", "ann").json["items"]?.array?.count == 1)
    #expect(try state.authcore("item", "list", "post").json["items"]?.array?.count == 0)
    #expect(try state.authcore("item", "update", "mail", "bob", "--set-label", "Bob's").status == 0)
    #expect(try state.authcore("item", "get", "--label", "Bob's", json: false).text == "b")
    #expect(try state.authcore("item", "remove", "mail", "bob").status == 0)
    #expect(try state.authcore("item", "find", "mail").json["items"]?.array?.count == 1)
  }

  @Test("several matches are listed, and --all --json gets them")
  func several() throws {
    let state = try TestHome()
    for account in ["ann", "bob"] {
      #expect(try state.authcore("item", "add", "mail", account, secret: account).status == 0)
    }
    for command in [["get"], ["update", "--set-label", "x"], ["remove"]] {
      let run = try run("authcore", ["--json", "--home", state.home, "item"] + command + ["mail"])
      #expect(run.status == 64 && run.errorName == "ambiguous", "\(run.account)")
      #expect(run.text.contains("ann") && run.text.contains("bob"), "\(run.account)")
    }
    let all = try state.authcore("item", "get", "mail", "--all")
    #expect(all.json["items"]?.array?.count == 2, "\(all.account)")
    #expect(
      try state.authcore("item", "update", "mail", "--all", "--set-label", "x")
        .json["updated"]?.number == 2)
  }

  @Test("--id selects one item, and an empty service is that of items that have none")
  func identifierAndEmptyService() throws {
    let state = try TestHome()
    let add = try state.authcore("item", "add", "mail", "ann", secret: "a")
    let id = try #require(add.json["item"]?["id"]?.string, "\(add.account)")
    #expect(try state.authcore("item", "add", "--account", "ann", secret: "none").status == 0)
    #expect(try state.authcore("item", "get", "--id", id, json: false).text == "a")
    let none = try state.authcore("item", "get", "--service", "", "--account", "ann", json: false)
    #expect(none.text == "none", "\(none.account)")
    let list = try state.authcore("item", "list", "--service", "")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    #expect(try state.authcore("item", "remove", "--id", id).json["removed"]?.number == 1)
  }

  @Test("remove --all shows what would go, and asks")
  func removeAllAsks() throws {
    let state = try TestHome()
    for account in ["ann", "bob"] {
      #expect(try state.authcore("item", "add", "mail", account, secret: account).status == 0)
    }
    func remove(typing answer: String) throws -> TerminalRun {
      try TerminalRun(
        ["--home", state.home, "item", "remove", "mail", "--all"],
        [.init(seen: "Type remove", typed: answer + "\n")])
    }
    let refused = try remove(typing: "no")
    #expect(refused.status == 1, "\(refused.shown)")
    #expect(refused.shown.contains("mail / ann") && refused.shown.contains("mail / bob"))
    #expect(try state.authcore("item", "list").json["items"]?.array?.count == 2)
    let agreed = try remove(typing: "remove")
    #expect(agreed.status == 0, "\(agreed.shown)")
    #expect(try state.authcore("item", "list").json["items"]?.array?.isEmpty == true)
  }
}
