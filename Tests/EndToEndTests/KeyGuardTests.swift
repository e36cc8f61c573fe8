import Cryptography
import Foundation
import TestSupport
import Testing

@Suite("What guards keys, through the command", .timeLimit(.minutes(60)))
struct KeyGuardTests {
  private func keys(_ state: TestHome) throws -> [String] {
    try state.authcore("key", "list").json["keys"]?.array?.compactMap { $0["name"]?.string } ?? []
  }

  @Test("X1 E4: a key behind a finger signs with a touch, and asks for one each time")
  func touch() throws {
    let state = try TestHome.enrolled()
    let create = try state.authcore("key", "create", "deploy", "--access", "biometry-current")
    #expect(create.json["key"]?["access"]?.string == "biometry-current", "\(create.account)")
    let touched = try state.succeed(
      "--driver", state.ownerTouch(), "key", "sign", "deploy", secret: "release")
    #expect(touched.errors.contains("authcore wants to use the key deploy."), "\(touched.account)")
    let again = try state.authcore(
      "--driver", try state.tape([String]()), "key", "sign", "deploy", secret: "release")
    #expect(again.errorName == "timedOut", "no touch, no signature: \(again.account)")
    try state.authcore(
      "--driver", state.strangerTouches(3), "key", "sign", "deploy", secret: "release"
    ).expect(status: 1, error: "authenticationFailed")
    try state.authcore("key", "sign", "deploy", passcode: TestHome.passcode, secret: "release")
      .expect(error: "biometryNotAvailable")

    for arguments in [["public", "deploy"], ["encrypt", "deploy"]] {
      let open = try state.authcore(["key"] + arguments, secret: "x")
      #expect(open.status == 0, "asks for nothing: \(open.account)")
    }
    try state.succeed("key", "remove", "deploy")
  }

  @Test("A3: a key behind the passcode decrypts with it, and not without; --reason is shown")
  func passcode() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "mail", "--access", "passcode")
    let sealed = try state.authcore("key", "encrypt", "mail", secret: "for ann", json: false)
    func decrypt(_ more: String..., passcode: String?) throws -> CommandRun {
      var all = ["--json", "--home", state.home, "key", "decrypt", "mail"] + more
      if let passcode {
        all += ["--passcode-file", try state.folder.write("given", passcode)]
      }
      return try run("authcore", all, input: sealed.output)
    }
    try decrypt(passcode: nil).expect(status: 2, error: "notInteractive")
    try decrypt(passcode: "not the passcode").expect(status: 1)
    let right = try decrypt("--reason", "Read Ann's letter", passcode: TestHome.passcode)
    #expect(
      right.json["data"]?.string == Data("for ann".utf8).base64EncodedString(), "\(right.account)")
  }

  @Test("A1: a key behind an application password signs with that one and no other")
  func applicationPassword() throws {
    let state = try TestHome.enrolled()
    let right = try state.folder.write("right", "apple")
    let wrong = try state.folder.write("wrong", "pear")
    try state.authcore("key", "create", "app", "--app-password-file", right).expect(status: 64)
    let create = try state.authcore(
      "key", "create", "app", "--access", "app-password", "--app-password-file", right)
    #expect(create.json["key"]?["access"]?.string == "app-password", "\(create.account)")
    try state.succeed("key", "sign", "app", "--app-password-file", right, secret: "x")
    try state.authcore("key", "sign", "app", "--app-password-file", wrong, secret: "x").expect(
      status: 1, error: "errSecAuthFailed")
    try state.authcore("key", "sign", "app", secret: "x").expect(error: "notInteractive")
  }

  @Test("K6: on a locked device no key is used, shown or said to be there")
  func locked() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "deploy")
    try state.succeed(
      "key", "create", "agent", "--accessible", "after-first-unlock-this-device-only")
    try state.succeed("lock")
    for name in ["deploy", "nothing"] {
      for arguments in [["sign", name], ["public", name], ["encrypt", name], ["remove", name]] {
        try state.authcore(["key"] + arguments).expect(
          status: 4, error: "errSecInteractionNotAllowed")
      }
    }
    try state.authcore("key", "create", "more").expect(status: 4)
    #expect(try keys(state) == ["agent"])
    try state.succeed("key", "sign", "agent", secret: "x")
    try state.succeed("unlock", passcode: TestHome.passcode)
    #expect(try keys(state) == ["deploy", "agent"])
    try state.succeed("key", "sign", "deploy", secret: "x")
  }

  @Test("A9: without a passcode no guarded key is made; removing it destroys them")
  func passcodeRemoval() throws {
    let state = try TestHome()
    try state.authcore("key", "create", "early", "--access", "presence").expect(
      status: 2, error: "passcodeNotSet")
    try state.setUp()
    try state.succeed("key", "create", "guarded", "--access", "presence")
    try state.succeed(
      "key", "create", "bound", "--accessible", "when-passcode-set-this-device-only")
    try state.succeed("key", "create", "plain")
    try state.succeed("passcode", "remove", passcode: TestHome.passcode)
    #expect(try keys(state) == ["plain"])
    try state.succeed("key", "sign", "plain", secret: "x")
  }

  @Test("A2: a key behind biometry-current is gone for good once another finger is enrolled")
  func fingersChanged() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "vault", "--access", "biometry-current")
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let sign = try state.authcore(
      "--driver", state.ownerTouch(), "key", "sign", "vault", secret: "x")
    #expect(sign.status == 1 && sign.errorName == "errSecAuthFailed", "\(sign.account)")
    #expect(sign.text.contains("the key is bound to a set of fingers"), "\(sign.account)")
    try state.succeed("key", "remove", "vault")
  }
}

@Suite("Certificates and identities, through the command", .timeLimit(.minutes(60)))
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
    try state.authcore(
      ["item"] + arguments + ["--class", "certificate"], input: Data(input), json: false)
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
    try item("add", input: first).expect(status: 3)

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
    let json = try state.authcore("item", "get", "--class", "certificate", "--attribute", serial)
    #expect(json.json["certificate"]?.string == Data(second).base64EncodedString())
    try state.authcore("item", "get", "--label", "host-2.example.org").expect(
      status: 64, error: "errSecParam")
    #expect(try item("remove", "--label", "host-1.example.org").status == 0)
    #expect(try item("get").status == 0)
  }

  @Test("what is no certificate ends with 64 and adds nothing; so does a byte over the limit")
  func refused() throws {
    let good = certificate(1).der()
    let damaged = pem(certificate(2).der()) + pem(Array(good.dropLast()))
    for input in [[], Array("hello".utf8), good + [0], Array(damaged.utf8)] {
      try item("add", input: input).expect(status: 64)
    }
    var large = certificate(3)
    large.extensions = [
      TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: 1 << 20))
    ]
    let add = try item("add", input: large.der())
    #expect(add.status == 64 && add.errors.contains("1048576"), "\(add.account)")
    for arguments in [["--access", "presence"], ["--service", "x"]] {
      try state.authcore(
        ["item", "add", "--class", "certificate"] + arguments, input: Data(good), json: false
      ).expect(status: 64)
    }
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    // One that is longer than usual messages.
    large.extensions = [
      TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: (1 << 20) - 1000))
    ]
    #expect(try item("add", input: large.der()).status == 0)
    #expect(try item("get", "--label", "host-3.example.org").output == Data(large.der()))
  }

  @Test("K1: a certificate that a key signed for itself makes an identity with it")
  func identity() throws {
    try state.succeed("key", "create", "deploy")
    try state.succeed("key", "create", "other")
    let point = try state.authcore("key", "public", "deploy", "--format", "sec1", json: false)
      .output
    var maker = TestCertificate(point: Array(point))
    maker.subject = TestCertificate.name("deploy.example.org")
    maker.issuer = maker.subject
    let signature = try state.authcore(
      "key", "sign", "deploy", input: Data(maker.toBeSigned), json: false
    ).output
    let der = maker.der(signature: Array(signature))
    let file = try state.folder.write("deploy.pem", Data(pem(der).utf8))
    try run("/usr/bin/env", ["openssl", "verify", "-CAfile", file.path, file.path]).expectSuccess()

    #expect(try state.authcore("key", "identities").json["identities"] == .array([]))
    #expect(try item("add", "--file", file.path).status == 0)
    let found = try state.authcore("key", "identities")
    let identities = try #require(found.json["identities"]?.array, "\(found.account)")
    #expect(identities.map { $0["key"]?["name"]?.string } == ["deploy"])
    #expect(identities[0]["certificate"]?["subjectName"]?.string == "CN=deploy.example.org")
    #expect(
      identities[0]["key"]?["publicKeyHash"] == identities[0]["certificate"]?["publicKeyHash"])
    try state.succeed("key", "remove", "deploy")
    #expect(try state.authcore("key", "identities").json["identities"] == .array([]))
  }
}
