import Foundation
import TestSupport
import Testing

@Suite(
  "A reader of backups in another language, written from docs/backup-format.md",
  .timeLimit(.minutes(15)))
struct ExampleBackupTests {
  /// Debian's, which has the package `cryptography` (scripts/apt-packages).
  private func python(_ file: String, _ passphraseFile: String) throws -> CommandRun {
    let reader = Products.sources.appendingPathComponent("docs/examples/read_backup.py")
    return try run("/usr/bin/python3", [reader.path, file, passphraseFile])
  }

  private func lines(_ run: CommandRun) throws -> [[String: JSONValue]] {
    try run.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode([String: JSONValue].self, from: $0)
    }
  }

  private func secret(_ line: [String: JSONValue]) -> String? {
    line["secret"]?.string.flatMap { Data(base64Encoded: $0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("K7: what the command writes the other reader reads, every attribute of it")
  func whatIsWritten() throws {
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    let additions: [([String], String)] = [
      (["--service", "mail", "--account", "ann", "--label", "Größe"], "gold"),
      (
        [
          "--class", "internet", "--server", "example.org", "--account", "bob", "--accessible",
          "after-first-unlock", "--attribute", "port=443",
        ], ""
      ), (["--service", "long"], String(repeating: "long ", count: 5000)),
      (["--service", "guarded", "--access", "presence"], "never"),
    ]
    for (options, secret) in additions {
      let add = try run(
        "authcore", ["--json", "--home", state.home, "item", "add"] + options,
        input: Data(secret.utf8))
      #expect(add.status == 0, "\(add.account)")
    }
    let file = state.folder.url.appendingPathComponent("backup").path
    let passphrase = try state.folder.write("passphrase", Data("Schlu\u{308}ssel und Brett\n".utf8))
    let create = try state.authcore(
      "backup", "create", file, "--passphrase-file", passphrase.path,
      passcode: TestHome.passcode)
    #expect(create.status == 0, "\(create.account)")
    let read = try python(file, passphrase.path)
    #expect(read.status == 0, "\(read.account)")
    let lines = try lines(read)
    try #require(lines.count == 4, "\(read.account)")
    #expect(lines[0]["service"]?.string == "mail" && lines[0]["account"]?.string == "ann")
    #expect(lines[0]["label"]?.string == "Größe")
    #expect(lines[0]["accessible"]?.string == "when-unlocked")
    #expect(lines[1]["server"]?.string == "example.org" && lines[1]["port"]?.number == 443)
    #expect(lines[1]["class"]?.string == "internet")
    #expect(lines[1]["accessible"]?.string == "after-first-unlock")
    #expect(lines[..<3].map(secret) == additions[..<3].map(\.1))
    #expect(lines[3]["items"]?.number == 3 && lines[3]["leftOut"]?.number == 1)

    let wrong = try state.folder.write("wrong", Data("another".utf8))
    let guess = try python(file, wrong.path)
    #expect(guess.status == 1 && guess.errors.contains("another one"), "\(guess.account)")
    #expect(guess.output.isEmpty)
  }

  private func fixture(_ version: Int) -> URL {
    Products.sources.appendingPathComponent("Tests/EndToEndTests/Fixtures/backup-\(version)")
  }

  @Test("FINDINGS B7: guarded items of the third version are read, here and there")
  func thirdVersion() throws {
    let fixture = fixture(3)
    let file = fixture.appendingPathComponent("keychain.backup").path
    let passphrase = fixture.appendingPathComponent("passphrase").path
    let lines = try lines(python(file, passphrase))
    #expect(lines.dropLast().map { $0["access"]?.string } == [nil, "biometry-current", "passcode"])
    #expect(
      lines.dropLast().map(secret) == ["mail", "bank", "safe"].map { "secret of \($0)" })
    let state = try TestHome()
    try state.setUp()
    let restore = try state.authcore("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.status == 0 && restore.json["added"]?.number == 3, "\(restore.account)")
    let get = try state.authcore(
      "--driver", state.ownerTouch(), "item", "get", "bank", json: false)
    #expect(get.text == "secret of bank", "\(get.account)")
  }

  @Test("K7: certificates of the second version are read, here and there")
  func secondVersion() throws {
    let fixture = fixture(2)
    let file = fixture.appendingPathComponent("keychain.backup").path
    let passphrase = fixture.appendingPathComponent("passphrase").path
    let der = try Data(contentsOf: fixture.appendingPathComponent("certificate.der"))
    let lines = try lines(python(file, passphrase))
    try #require(lines.count == 3)
    #expect(secret(lines[0]) == "secret of mail" && lines[0]["certificate"] == nil)
    #expect(lines[1]["label"]?.string == "deploy.example.org" && lines[1]["secret"] == nil)
    #expect(lines[1]["certificate"]?.string == der.base64EncodedString())
    let state = try TestHome()
    let restore = try state.authcore("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.status == 0 && restore.json["added"]?.number == 2, "\(restore.account)")
    let get = try state.authcore(
      "item", "get", "--class", "certificate", "--label", "deploy.example.org", json: false)
    #expect(get.output == der, "\(get.account)")
  }

  @Test("K7: what the first version of the format wrote is read, here and there")
  func firstVersion() throws {
    let fixture = fixture(1)
    let file = fixture.appendingPathComponent("keychain.backup").path
    let passphrase = fixture.appendingPathComponent("passphrase").path
    let services = ["mail", "bank", "note to myself"]
    let lines = try lines(python(file, passphrase))
    #expect(lines.dropLast().compactMap { $0["service"]?.string } == services)
    #expect(lines.dropLast().map(secret) == services.map { "secret of \($0)" })
    let state = try TestHome()
    let restore = try state.authcore("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.status == 0 && restore.json["added"]?.number == 3, "\(restore.account)")
    for service in services {
      let get = try state.authcore("item", "get", "--service", service, json: false)
      #expect(get.text == "secret of \(service)", "\(get.account)")
    }
  }
}
