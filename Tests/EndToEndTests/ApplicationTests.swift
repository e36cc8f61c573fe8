import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Items of several programs", .timeLimit(.minutes(15)))
struct ApplicationTests {
  let state: TestHome
  /// A copy of the command at another place.
  let copy: URL

  init() throws {
    state = try TestHome()
    copy = state.folder.url.resolvingSymlinksInPath().appendingPathComponent("other")
    try Self.install(at: copy)
  }

  private static func install(at place: URL) throws {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Products.program("authcore")), to: place)
  }

  /// Runs the copy, with the core that the command has started.
  private func other(_ arguments: String..., secret: String = "") throws -> CommandRun {
    try run(copy.path, ["--json", "--home", state.home] + arguments, input: Data(secret.utf8))
  }

  private func expectSecret(_ secret: String, of run: CommandRun) {
    #expect(
      run.json["secret"]?.string == Data(secret.utf8).base64EncodedString(), "\(run.account)")
  }

  @Test("K2: a copy of the command elsewhere is another application; what it adds is its own")
  func separation() throws {
    #expect(try state.authcore("item", "add", "--service", "mail", secret: "mine").status == 0)
    let missing = try other("item", "get", "--service", "mail")
    #expect(missing.errorName == "errSecItemNotFound", "\(missing.account)")
    let add = try other("item", "add", "--service", "mail", secret: "theirs")
    #expect(add.status == 0, "\(add.account)")
    #expect(add.json["item"]?["group"]?.string == copy.path, "\(add.account)")
    expectSecret("theirs", of: try other("item", "get", "--service", "mail"))
    #expect(try other("item", "remove", "--service", "mail").status == 0)
    expectSecret("mine", of: try state.authcore("item", "get", "--service", "mail"))
    // The file may change: what lies there is the application.
    #expect(try other("item", "add", "--service", "news", secret: "kept").status == 0)
    try Self.install(at: copy)
    expectSecret("kept", of: try other("item", "get", "--service", "news"))
    let foreign = try state.authcore("item", "get", "--service", "news", "--group", copy.path)
    #expect(foreign.status == 4, "\(foreign.account)")
    #expect(foreign.errorName == "errSecMissingEntitlement", "\(foreign.account)")
  }

  @Test("K2: a group is shared by the programs that name it, and items move in and out of it")
  func groups() throws {
    let add = try state.authcore(
      "item", "add", "--service", "mail", "--group", "post", secret: "ours")
    #expect(add.json["item"]?["group"]?.string == "post", "\(add.account)")
    #expect(try state.authcore("item", "get", "--service", "mail").status == 3)
    expectSecret("ours", of: try other("item", "get", "--service", "mail", "--group", "post"))
    let taken = try other(
      "item", "update", "--service", "mail", "--group", "post", "--set-group", copy.path)
    #expect(taken.status == 0, "\(taken.account)")
    expectSecret("ours", of: try other("item", "get", "--service", "mail"))
    #expect(
      try state.authcore("item", "get", "--service", "mail", "--group", "post").status == 3)
  }

  @Test("K2: the owner shares an item with a program, which opens it and cannot change it")
  func sharing() throws {
    try state.setUp()
    #expect(try state.authcore("item", "add", "--service", "mail", secret: "gold").status == 0)
    func share(_ more: String..., passcode: String?) throws -> CommandRun {
      let arguments = ["item", "share", "--service", "mail", "--with", copy.path] + more
      return try run(
        "authcore",
        ["--json", "--home", state.home] + arguments
          + (passcode.map { ["--passcode-file", $0] } ?? []))
    }
    let unproved = try share(passcode: nil)
    #expect(unproved.errorName == "notInteractive", "\(unproved.account)")
    let missing = try other("item", "get", "--service", "mail")
    #expect(missing.status == 3, "\(missing.account)")
    let file = try state.folder.write("passcode", Data("\(TestHome.passcode)\n".utf8)).path
    let shared = try share(passcode: file)
    #expect(shared.status == 0, "\(shared.account)")
    #expect(
      shared.json["item"]?["sharedWith"]?.array?.compactMap(\.string) == [copy.path],
      "\(shared.account)")
    expectSecret("gold", of: try other("item", "get", "--service", "mail"))
    let all = try other("item", "get", "--service", "mail", "--all")
    #expect(all.json["items"]?.array?.count == 1, "\(all.account)")
    for change in [
      try other("item", "update", "--service", "mail", "--set-label", "x"),
      try other("item", "remove", "--service", "mail"),
      try other("item", "share", "--service", "mail", "--with", "/bin/sh"),
    ] {
      #expect(change.errorName == "errSecItemNotFound", "\(change.account)")
    }
    #expect(try share("--end", passcode: nil).status == 0)
    #expect(try other("item", "get", "--service", "mail").status == 3)
    let nothing = try state.authcore(
      "item", "share", "--service", "mail", "--with", "/nothing/here")
    #expect(nothing.status == 64, "\(nothing.account)")
  }

  @Test("K2: what another program shares is not in the way of an import, nor replaced by it")
  func importing() throws {
    #expect(try state.authcore("item", "add", "--service", "mail", secret: "theirs").status == 0)
    let share = try state.authcore("item", "share", "--service", "mail", "--with", copy.path)
    #expect(share.status == 0, "\(share.account)")
    expectSecret("theirs", of: try other("item", "get", "--service", "mail"))
    let file = try state.folder.write(
      "passwords.csv", Data("name,url,username,password\nmail,,,own\n".utf8))
    let imported = try other("import", file.path, "--apply", "--replace")
    #expect(imported.json["added"]?.number == 1, "\(imported.account)")
    expectSecret("theirs", of: try state.authcore("item", "get", "--service", "mail"))
    let again = try other("import", file.path)
    #expect(again.json["identical"]?.number == 1, "\(again.account)")
  }
}
