import Foundation
import TestSupport
import Testing

@Suite("Application passwords, through the command", .timeLimit(.minutes(60)))
struct AppPasswordCommandTests {
  private let state: TestHome
  private let gold = Data("gold".utf8).base64EncodedString()

  init() throws {
    state = try TestHome.enrolled()
  }

  private func file(_ password: String) throws -> String {
    try state.folder.write("app-\(UUID().uuidString)", "\(password)\n")
  }

  private func add(_ access: String, _ password: String = "apple") throws {
    try state.succeed(
      "item", "add", "--service", "vault", "--access", access, "--app-password-file",
      file(password), secret: "gold")
  }

  private func get(_ password: String?, passcode: String? = nil) throws -> CommandRun {
    guard let password else {
      return try state.authcore("item", "get", "--service", "vault", passcode: passcode)
    }
    return try state.authcore(
      "item", "get", "--service", "vault", "--app-password-file", file(password),
      passcode: passcode)
  }

  @Test("A1: the right one opens, a wrong one is refused, a missing one is asked for")
  func life() throws {
    try add("app-password")
    let right = try get("apple")
    #expect(right.json["secret"]?.string == gold, "\(right.account)")
    try get("pear").expect(status: 1, error: "errSecAuthFailed")
    try get(nil).expect(status: 2, error: "notInteractive")
    try state.succeed(
      "item", "update", "--service", "vault", "--secret", "--app-password-file", file("apple"),
      secret: "lion")
    let lion = Data("lion".utf8).base64EncodedString()
    #expect(try get("apple").json["secret"]?.string == lion)
    let find = try state.authcore("item", "find", "--service", "vault")
    #expect(find.json["items"]?.array?.first?["access"]?.string == "app-password")
  }

  @Test("A1: the passcode alone does not open what needs the password, though or joins them")
  func besides() throws {
    try add("passcode or app-password")
    #expect(try get(nil, passcode: TestHome.passcode).errorName == "notInteractive")
    #expect(try get("apple").errorName == "notInteractive")
    let both = try get("apple", passcode: TestHome.passcode)
    #expect(both.json["secret"]?.string == gold, "\(both.account)")
  }

  @Test("on a terminal it is chosen twice, and asked for again where it is wrong")
  func terminal() throws {
    let chosen = try TerminalRun(
      ["--home", state.home, "item", "add", "--service", "vault", "--access", "app-password"],
      [
        .init(seen: "Secret", typed: "gold\n"),
        .init(seen: "again", typed: "gold\n"),
        .init(seen: "Application password", typed: "apple\n"),
        .init(seen: "same again", typed: "apple\n"),
      ])
    #expect(chosen.status == 0, "\(chosen)")
    let opened = try TerminalRun(
      ["--home", state.home, "item", "get", "--service", "vault"],
      [
        .init(seen: "Application password", typed: "pear\n"),
        .init(seen: "not the application password", typed: "apple\n"),
      ])
    #expect(opened.status == 0 && opened.shown.contains("gold"), "\(opened)")
    #expect(!opened.shown.contains("apple") && opened.isTerminalAsBefore)
  }

  @Test("what guards an item is changed by what guards it now, passwords too")
  func setAccess() throws {
    func update(_ arguments: String..., passcode: String? = nil) throws -> CommandRun {
      try state.authcore(
        ["item", "update", "--service", "vault"] + arguments
          + (passcode.map { ["--passcode-file", try file($0)] } ?? []))
    }
    try state.succeed("item", "add", "--service", "vault", secret: "gold")
    try update("--set-access", "app-password", "--app-password-file", file("apple")).expectSuccess()
    #expect(try get(nil).errorName == "notInteractive")
    #expect(try get("apple").json["secret"]?.string == gold)

    try update(
      "--set-access", "app-password", "--app-password-file", file("pear"),
      "--new-app-password-file", file("plum")
    ).expect(error: "errSecAuthFailed")
    try update(
      "--set-access", "app-password", "--app-password-file", file("apple"),
      "--new-app-password-file", file("plum")
    ).expectSuccess()
    #expect(try get("apple").errorName == "errSecAuthFailed")
    #expect(try get("plum").json["secret"]?.string == gold)

    try update("--set-access", "passcode and app-password", "--app-password-file", file("plum"))
      .expectSuccess()
    #expect(try get("plum").errorName == "notInteractive")
    #expect(try get("plum", passcode: TestHome.passcode).json["secret"]?.string == gold)

    try update(
      "--set-access", "none", "--app-password-file", file("plum"), passcode: TestHome.passcode
    ).expectSuccess()
    #expect(try get(nil).json["secret"]?.string == gold)
  }

  @Test("two secrets from standard input, and a password for nothing, are usage errors")
  func usage() throws {
    func add(_ arguments: String...) throws -> CommandRun {
      try state.authcore(["item", "add", "--service", "s"] + arguments, secret: "x")
    }
    for wrong in [
      try add("--access", "app-password", "--app-password-fd", "0"),
      try add("--access", "app-password", "--app-password-file", "/dev/stdin"),
      try add("--access", "passcode", "--app-password-file", file("apple")),
      try add("--access", "app-password", "--app-password-fd", "0", "--passcode-fd", "0"),
      try add("--access", "presence", "--accessible", "when-unlocked"),
      try add("--access", "presence and passcode"),
    ] {
      #expect(wrong.status == 64, "\(wrong.account)")
    }
    try add("--access", "app-password").expect(error: "notInteractive")
    try add("--access", "app-password", "--app-password-file", file("")).expect(
      error: "errSecParam")
  }
}
