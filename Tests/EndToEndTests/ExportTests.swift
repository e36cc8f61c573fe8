import Foundation
import TestSupport
import Testing

@Suite("Export, through the command", .timeLimit(.minutes(60)))
struct ExportTests {
  /// Items of every kind that can be exported, with a secret of bytes among them.
  private func fill(_ state: TestHome) throws {
    for (arguments, secret) in [
      (["--service", "mail", "--account", "ann", "--label", "Mail, \"work\""], "p\"w,\n"),
      (["--service", "bytes", "--attribute", "comment=a\nb"], "\u{0}x"),
      (
        [
          "--class", "internet", "--server", "example.org", "--attribute", "protocol=htps",
          "--attribute", "port=8443", "--account", "ann",
        ], "web"
      ),
      (["--class", "note", "--label", "Recipe"], "flour\r\nwater"),
      (["--service", "guarded", "--access", "passcode"], "by passcode"),
    ] {
      try state.succeed(["item", "add"] + arguments, secret: secret)
    }
    try state.succeed(
      "item", "add", "--service", "touch", "--access", "biometry-any", secret: "by touch")
  }

  /// The items of a state folder and their secrets, without what differs between folders.
  private func items(_ state: TestHome) throws -> Set<String> {
    var described: Set<String> = []
    let list = try state.authcore("item", "list").json["items"]?.array ?? []
    for item in list where item["service"]?.string != "touch" {
      let id = try #require(item["id"]?.string)
      let opened = try state.authcore("item", "get", "--id", id, passcode: TestHome.passcode)
      let names = ["class", "service", "server", "account", "label", "comment", "protocol"]
      described.insert(
        names.map { item[$0]?.string ?? "" }.joined(separator: "|")
          + "|\(item["port"]?.number ?? 0)|" + (opened.json["secret"]?.string ?? opened.account))
    }
    return described
  }

  @Test("what export writes is what import takes back, but for what the passcode does not open")
  func roundTrip() throws {
    let state = try TestHome.enrolled()
    try fill(state)
    let file = state.folder.file("all.csv")
    let export = try state.succeed("export", file, passcode: TestHome.passcode)
    #expect(export.json["items"]?.number == 5, "\(export.account)")
    #expect(export.json["leftOut"]?.number == 1)
    #expect(export.errors.contains("not protected"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("by touch") && text.contains("by passcode"))
    let other = try TestHome.enrolled()
    let imported = try other.authcore("import", file, "--apply")
    #expect(imported.json["added"]?.number == 5, "\(imported.account)")
    #expect(imported.json["source"]?.string == "Bitwarden")
    #expect(try items(other) == items(state))
    let same = try state.authcore("import", file)
    #expect(same.json["identical"]?.number == 4 && same.json["new"]?.number == 0, "\(same.account)")
  }

  @Test("A3: without the passcode nothing is written; a finger is not enough")
  func passcodeOnly() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "s", secret: "x")
    let file = state.folder.file("all.csv")
    try state.authcore("export", file).expect(error: "notInteractive")
    let finger = try state.authcore("--driver", state.ownerTouch(), "export", file)
    #expect(finger.status != 0, "\(finger.account)")
    try state.authcore("export", file, passcode: "wrong passcode").expect(status: 1)
    #expect(!FileManager.default.fileExists(atPath: file))
    let names = try FileManager.default.contentsOfDirectory(atPath: state.folder.url.path)
    #expect(!names.contains { $0.hasPrefix("all.csv") })
    try TestHome().authcore("export", file).expect(error: "passcodeNotSet")
  }

  @Test("a file that is there stays, unless --force is given; a link and a device always stay")
  func existingFiles() throws {
    let state = try TestHome.enrolled()
    let file = try state.folder.write("there.csv", "old")
    try state.authcore("export", file, passcode: TestHome.passcode).expect(
      status: 3, error: "errSecDuplicateItem")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    try state.succeed("export", file, "--force", passcode: TestHome.passcode)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("folder,"))
    let link = state.folder.file("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    for path in [link, "/dev/null"] {
      try state.authcore("export", path, "--force", passcode: TestHome.passcode).expect(status: 64)
    }
  }

  @Test("standard output gets the file and nothing else")
  func standardOutput() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "s", secret: "x")
    let piped = try state.succeed("export", "-", passcode: TestHome.passcode, json: false)
    #expect(piped.text.hasPrefix("folder,favorite,"), "\(piped.account)")
    #expect(piped.text.split(separator: "\r\n").count == 2)
    #expect(piped.errors.contains("Exported 1 item"))
    try state.authcore("export", "-", passcode: TestHome.passcode).expect(status: 64)
  }
}
