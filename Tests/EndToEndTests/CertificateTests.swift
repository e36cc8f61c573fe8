import Cryptography
import Foundation
import TestSupport
import Testing

@Suite("Certificates and identities, through the command", .timeLimit(.minutes(15)))
struct CertificateTests {
  private let state: TestHome

  init() throws { state = try TestHome() }

  private func pem(_ der: [UInt8]) -> String {
    "-----BEGIN CERTIFICATE-----\n"
      + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
      + "\n-----END CERTIFICATE-----\n"
  }

  private func certificate(_ serial: UInt8) -> TestCertificate {
    var maker = TestCertificate(point: [4] + [UInt8](repeating: 7, count: 64))
    maker.serialNumber = [serial]
    maker.subject = TestCertificate.name("host-\(serial).example.org")
    return maker
  }

  /// `item … --class certificate` without `--json`, with bytes as standard input.
  private func item(_ arguments: String..., input: [UInt8] = []) throws -> CommandRun {
    try run(
      "authcore", ["--home", state.home, "item"] + arguments + ["--class", "certificate"],
      input: Data(input))
  }

  @Test("K1: certificates of a file are added, listed in words, found, written and removed")
  func life() throws {
    let (first, second) = (certificate(1).der(), certificate(2).der())
    let chain =
      "A chain\n" + pem(first) + "-----BEGIN PRIVATE KEY-----\n?\n-----END PRIVATE KEY-----\n"
    let file = try state.folder.write("chain.pem", Data((chain + pem(second)).utf8))
    let add = try item("add", "--file", file.path)
    #expect(add.status == 0 && add.text.contains("host-2.example.org"), "\(add.account)")
    #expect(add.errors.contains("PRIVATE KEY"), "\(add.account)")
    let again = try item("add", input: first)
    #expect(again.status == 3, "\(again.account)")

    let list = try item("list")
    #expect(list.text.contains("CN=host-1.example.org"), "\(list.account)")
    #expect(list.text.contains("CN=issuer"), "\(list.account)")
    let serial = "serialNumber=" + Data([2]).base64EncodedString()
    let found = try state.authcore("item", "find", "--attribute", serial)
    let items = try #require(found.json["items"]?.array, "\(found.account)")
    #expect(items.map { $0["subjectName"]?.string } == ["CN=host-2.example.org"])
    #expect(items[0]["publicKeyHash"]?.string?.isEmpty == false)

    #expect(try item("get", "--label", "host-2.example.org").output == Data(second))
    let all = try item("get", "--pem", "--all")
    #expect(all.text == pem(first) + pem(second), "\(all.account)")
    let json = try state.authcore(
      "item", "get", "--class", "certificate", "--attribute", serial)
    #expect(json.json["certificate"]?.string == Data(second).base64EncodedString())
    let secret = try state.authcore("item", "get", "--label", "host-2.example.org")
    #expect(secret.status == 64 && secret.errorName == "errSecParam", "\(secret.account)")
    #expect(try item("remove", "--label", "host-1.example.org").status == 0)
    #expect(try item("get").status == 0)
  }

  @Test("what is no certificate ends with 64 and adds nothing; so does a byte over the limit")
  func refused() throws {
    let good = certificate(1).der()
    let damaged = pem(certificate(2).der()) + pem(Array(good.dropLast()))
    for input in [[], Array("hello".utf8), good + [0], Array(damaged.utf8)] {
      let add = try item("add", input: input)
      #expect(add.status == 64, "\(add.account)")
    }
    var large = certificate(3)
    large.extensions = [
      TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: 1 << 20))
    ]
    let add = try item("add", input: large.der())
    #expect(add.status == 64 && add.errors.contains("1048576"), "\(add.account)")
    for arguments in [["--access", "presence"], ["--service", "x"]] {
      let run = try run(
        "authcore",
        ["--home", state.home, "item", "add", "--class", "certificate"] + arguments,
        input: Data(good))
      #expect(run.status == 64, "\(run.account)")
    }
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    // One that the usual messages are too short for.
    large.extensions = [
      TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: (1 << 20) - 1000))
    ]
    #expect(try item("add", input: large.der()).status == 0)
    #expect(try item("get", "--label", "host-3.example.org").output == Data(large.der()))
  }

  @Test("K1: a certificate that a key signed for itself makes an identity with it")
  func identity() throws {
    #expect(try state.authcore("key", "create", "deploy").status == 0)
    #expect(try state.authcore("key", "create", "other").status == 0)
    let point = try run(
      "authcore", ["--home", state.home, "key", "public", "deploy", "--format", "sec1"]
    ).output
    var maker = TestCertificate(point: Array(point))
    maker.subject = TestCertificate.name("deploy.example.org")
    maker.issuer = maker.subject
    let signature = try run(
      "authcore", ["--home", state.home, "key", "sign", "deploy"], input: Data(maker.toBeSigned)
    ).output
    let der = maker.der(signature: Array(signature))
    let file = try state.folder.write("deploy.pem", Data(pem(der).utf8))
    let verified = try run(
      "/usr/bin/env", ["openssl", "verify", "-CAfile", file.path, file.path])
    #expect(verified.status == 0, "\(verified.account)")

    #expect(try state.authcore("key", "identities").json["identities"] == .array([]))
    #expect(try item("add", "--file", file.path).status == 0)
    let found = try state.authcore("key", "identities")
    let identities = try #require(found.json["identities"]?.array, "\(found.account)")
    #expect(identities.map { $0["key"]?["name"]?.string } == ["deploy"])
    #expect(identities[0]["certificate"]?["subjectName"]?.string == "CN=deploy.example.org")
    #expect(
      identities[0]["key"]?["publicKeyHash"] == identities[0]["certificate"]?["publicKeyHash"])
    #expect(try state.authcore("key", "remove", "deploy").status == 0)
    #expect(try state.authcore("key", "identities").json["identities"] == .array([]))
  }
}
