import Foundation
import TestSupport
import Testing

@Suite("The applications of the keychain, through the command", .timeLimit(.minutes(15)))
struct ApplicationCommandTests {
  @Test("app list names who keeps something, and app forget takes it away")
  func life() throws {
    let state = try TestHome()
    #expect(try state.authcore("app", "list").json["applications"]?.array?.isEmpty == true)
    #expect(try state.authcore("item", "add", "mail", "ann", secret: "mine").status == 0)
    #expect(
      try state.authcore("item", "share", "mail", "--with", "/usr/bin/env").status == 0)
    let list = try state.authcore("app", "list")
    let names = list.json["applications"]?.array?.compactMap { $0["name"]?.string }
    #expect(names?.first == (try? Self.canonical("/usr/bin/env")), "\(list.account)")
    #expect(names?.last == "authcore", "\(list.account)")
    let text = try state.authcore("app", "list", json: false).text
    #expect(text.contains("authcore: 1 item"), "\(text)")
    #expect(text.contains("/env: 1 shared with it"), "\(text)")

    let asked = try state.authcore("app", "forget", "/usr/bin/env")
    #expect(asked.errorName == "notInteractive", "\(asked.account)")
    let env = try Self.canonical("/usr/bin/env")
    let forgotten = try state.authcore("app", "forget", env, "--yes")
    #expect(forgotten.json["removed"]?.number == 1, "\(forgotten.account)")
    let found = try state.authcore("item", "find", "mail")
    #expect(!found.text.contains("/env"), "\(found.account)")
    let again = try state.authcore("app", "forget", env, "--yes")
    #expect(again.status == 3 && again.errorName == "errSecItemNotFound", "\(again.account)")
    #expect(try state.authcore("app", "forget", "family", "--yes").errorName == "errSecParam")
  }

  @Test("where a passcode is set the owner is asked before an application is forgotten")
  func presence() throws {
    let state = try TestHome()
    #expect(
      try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("item", "add", "mail", secret: "mine").status == 0)
    let unasked = try state.authcore("app", "forget", "authcore", "--yes")
    #expect(unasked.status == 2 && unasked.errorName == "notInteractive", "\(unasked.account)")
    #expect(try state.authcore("item", "get", "mail", json: false).text == "mine")
    let asked = try state.authcore(
      "app", "forget", "authcore", "--yes", passcode: TestHome.passcode)
    #expect(asked.json["removed"]?.number == 1, "\(asked.account)")
    #expect(try state.authcore("item", "get", "mail").status == 3)
  }

  private static func canonical(_ path: String) throws -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
