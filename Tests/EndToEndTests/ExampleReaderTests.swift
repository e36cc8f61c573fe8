import Cryptography
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("A reader in another language, written from docs/cryptography.md", .timeLimit(.minutes(15)))
struct ExampleReaderTests {
  @Test(
    "K1 K3 K5: root key and passcode open all of a state folder, without a line of this code",
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func opensEverything(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    let read = try python(fixture.home, fixture.passcodeFile, fixture.appPasswordFile)
    #expect(read.status == 0, "\(read.account)")
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
    let state = try TestHome()
    try state.setUp()
    let guards = ["free": [], "touched": ["--access", "biometry-current"]]
    var points: [String: String] = [:]
    for (name, access) in guards {
      let made = try run(
        "authcore", ["--json", "--home", state.home, "key", "create", name] + access)
      #expect(made.status == 0, "\(made.account)")
      let shown = try state.authcore("key", "public", name, "--format", "sec1")
      points[name] = shown.json["publicKey"]?.string
    }
    #expect(try state.authcore("quit").status == 0)
    let passcode = try state.folder.write("passcode", Data(TestHome.passcode.utf8))
    let read = try python(state.home, passcode.path)
    #expect(read.status == 0, "\(read.account)")
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
    let state = try TestHome()
    try state.setUp()
    let der = TestCertificate(point: [4, 1]).der()
    let added = try run(
      "authcore", ["--home", state.home, "item", "add", "--class", "certificate"],
      input: Data(der))
    #expect(added.status == 0, "\(added.account)")
    #expect(try state.authcore("quit").status == 0)
    let passcode = try state.folder.write("passcode", Data(TestHome.passcode.utf8))
    let read = try python(state.home, passcode.path)
    let found = try JSONDecoder().decode(FoundCertificate.self, from: read.output)
    #expect(found.certificate == Data(der) && found.label == "subject", "\(read.account)")
  }

  private struct FoundCertificate: Decodable {
    let label: String
    let certificate: Data
  }

  /// A line of its output about a key.
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

  /// A line of its output.
  private struct Found: Decodable {
    let service: String
    let account: String
    let label: String
    let accessible: String
    let access: String?
    let secret: Data
  }

  /// Debian's, which has the package `cryptography` (scripts/apt-packages).
  private func python(
    _ home: String, _ passcodeFile: String, _ appPasswordFile: String? = nil
  ) throws -> CommandRun {
    let reader = Products.sources.appendingPathComponent("docs/examples/read_state.py")
    let passwords = [passcodeFile] + (appPasswordFile.map { [$0] } ?? [])
    return try run("/usr/bin/python3", [reader.path, home] + passwords)
  }
}
