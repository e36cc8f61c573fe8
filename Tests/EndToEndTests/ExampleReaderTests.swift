import Cryptography
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("A reader in another language, written from docs/cryptography.md", .timeLimit(.minutes(60)))
struct ExampleReaderTests {
  @Test(
    "K1 K3 K5: root key and passcode open all of a state folder, without a line of this code",
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func opensEverything(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    let read = try python(fixture.home, fixture.passcodeFile, fixture.appPasswordFile)
      .expectSuccess()
    let lines = read.output.split(separator: UInt8(ascii: "\n"))
    let keys = try fixture.keys()
    #expect(lines.count == fixture.items.count + keys.count)
    for (line, key) in zip(lines.dropFirst(fixture.items.count), keys) {
      let found = try JSONDecoder().decode(FoundKey.self, from: line)
      #expect(found.key == key.name)
      #expect(found.access ?? "" == key.access)
      let scalar = try #require(found.privateKey)
      let pair = try P256PrivateKey(scalar: SecretBytes(copying: Array(scalar).span))
      #expect(Data(pair.publicKey.point).base64EncodedString() == found.publicKey)
    }
    for (line, item) in zip(lines, fixture.items) {
      let found = try JSONDecoder().decode(Found.self, from: line)
      #expect(found.service == item.service)
      #expect(found.account == "account of \(item.service)")
      #expect(found.label == "label of \(item.service)")
      #expect(found.accessible == item.accessible)
      #expect(found.access ?? "" == item.access)
      #expect(found.secret == item.secret)
    }
  }

  @Test("E1: root key and passcode open private keys as well, whose halves belong together")
  func opensKeys() throws {
    let state = try TestHome.enrolled()
    let guards = ["free": [], "touched": ["--access", "biometry-current"]]
    var points: [String: String] = [:]
    for (name, access) in guards {
      try state.succeed(["key", "create", name] + access)
      let shown = try state.authcore("key", "public", name, "--format", "sec1")
      points[name] = shown.json["publicKey"]?.string
    }
    try state.succeed("quit")
    let passcode = try state.folder.write("passcode", Data(TestHome.passcode.utf8))
    let read = try python(state.home, passcode.path).expectSuccess()
    let keys = try read.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(FoundKey.self, from: $0)
    }
    #expect(keys.count == 2)
    for key in keys {
      #expect(key.publicKey == points[key.key])
      let scalar = try #require(key.privateKey)
      let pair = try P256PrivateKey(scalar: SecretBytes(copying: Array(scalar).span))
      #expect(Data(pair.publicKey.point).base64EncodedString() == key.publicKey)
    }
  }

  @Test("K3: root key and passcode open certificates as well, and nothing less")
  func opensCertificates() throws {
    let state = try TestHome.enrolled()
    let der = TestCertificate(point: [4, 1]).der()
    try state.succeed("item", "add", "--class", "certificate", input: Data(der), json: false)
    try state.succeed("quit")
    let passcode = try state.folder.write("passcode", Data(TestHome.passcode.utf8))
    let read = try python(state.home, passcode.path)
    let found = try JSONDecoder().decode(FoundCertificate.self, from: read.output)
    #expect(found.certificate == Data(der) && found.label == "subject", "\(read.account)")
  }

  private struct FoundCertificate: Decodable {
    let label: String
    let certificate: Data
  }

  private struct FoundKey: Decodable {
    let key: String
    let access: String?
    let publicKey: String
    let privateKey: Data?
  }

  @Test("K5: neither another passcode nor a changed byte of the keybag opens anything")
  func opensNothingElse() throws {
    let fixture = try StateFixture("state-5a3dfaf")
    let folder = try TemporaryFolder()
    let wrong = try folder.write("passcode", Data("another passcode\n".utf8))
    let guess = try python(fixture.home, wrong.path)
    #expect(guess.status == 1, "\(guess.account)")
    #expect(guess.output.isEmpty)
    let keybag = URL(fileURLWithPath: fixture.home).appendingPathComponent("enclave/keybag")
    var bytes = try Data(contentsOf: keybag)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: keybag)
    let changed = try python(fixture.home, fixture.passcodeFile)
    #expect(changed.status == 1, "\(changed.account)")
    #expect(changed.errors.contains("it was changed"), "\(changed.account)")
  }

  private struct Found: Decodable {
    let service: String
    let account: String
    let label: String
    let accessible: String
    let access: String?
    let secret: Data
  }

  /// Debian's Python has the package `cryptography` (scripts/apt-packages).
  private func python(
    _ home: String, _ passcodeFile: String, _ appPasswordFile: String? = nil
  ) throws -> CommandRun {
    let reader = Products.sources.appendingPathComponent("docs/examples/read_state.py")
    let passwords = [passcodeFile] + (appPasswordFile.map { [$0] } ?? [])
    return try run("/usr/bin/python3", [reader.path, home] + passwords)
  }
}

@Suite(
  "A reader of backups in another language, written from docs/backup-format.md",
  .timeLimit(.minutes(60)))
struct ExampleBackupTests {
  /// Debian's Python has the package `cryptography` (scripts/apt-packages).
  private func python(_ file: String, _ passphraseFile: String) throws -> CommandRun {
    let reader = Products.sources.appendingPathComponent("docs/examples/read_backup.py")
    return try run("/usr/bin/python3", [reader.path, file, passphraseFile])
  }

  private func lines(_ run: CommandRun) throws -> [[String: ParsedJSON]] {
    try run.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode([String: ParsedJSON].self, from: $0)
    }
  }

  private func secret(_ line: [String: ParsedJSON]) -> String? {
    line["secret"]?.string.flatMap { Data(base64Encoded: $0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("K7: what the command writes the other reader reads, every attribute of it")
  func whatIsWritten() throws {
    let state = try TestHome.withPasscode()
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
      try state.succeed(["item", "add"] + options, secret: secret)
    }
    let file = state.folder.file("backup")
    let passphrase = try state.folder.write("passphrase", Data("Schlu\u{308}ssel und Brett\n".utf8))
    try state.succeed(
      "backup", "create", file, "--passphrase-file", passphrase.path, passcode: TestHome.passcode)
    let read = try python(file, passphrase.path).expectSuccess()
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
    let state = try TestHome.enrolled()
    let restore = try state.succeed("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.json["added"]?.number == 3, "\(restore.account)")
    let get = try state.authcore("--driver", state.ownerTouch(), "item", "get", "bank", json: false)
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
    let restore = try state.succeed("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.json["added"]?.number == 2, "\(restore.account)")
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
    let restore = try state.succeed("backup", "restore", file, "--passphrase-file", passphrase)
    #expect(restore.json["added"]?.number == 3, "\(restore.account)")
    for service in services {
      let get = try state.authcore("item", "get", "--service", service, json: false)
      #expect(get.text == "secret of \(service)", "\(get.account)")
    }
  }
}
