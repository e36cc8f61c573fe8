import Cryptography
import Foundation
import TestSupport
import Testing

@Suite("Keys that never leave the enclave, through the command", .timeLimit(.minutes(60)))
struct KeyTests {
  private let message = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private func other(
    _ arguments: String..., input: Data = Data()
  ) throws -> CommandRun { try run("/usr/bin/env", arguments, input: input) }

  /// `key …` without `--json`, with bytes as standard input.
  private func key(
    _ state: TestHome, _ arguments: String..., input: Data = Data()
  ) throws -> CommandRun {
    try state.authcore(["key"] + arguments, input: input, json: false)
  }

  private func hash(_ data: Data) throws -> [UInt8] { try SHA2.sha256(Array(data).span) }

  @Test("K1: a key is made, listed, shown and removed; its name is taken once")
  func life() throws {
    let state = try TestHome()
    let create = try state.succeed("key", "create", "deploy")
    #expect(create.json["key"]?["name"]?.string == "deploy")
    #expect(create.json["key"]?["id"]?.string?.count == 32)
    #expect(create.json["key"]?["accessible"]?.string == "when-unlocked-this-device-only")
    try state.authcore("key", "create", "deploy").expect(status: 3, error: "errSecDuplicateItem")
    let list = try state.authcore("key", "list")
    #expect(list.json["keys"]?.array?.map { $0["name"]?.string } == ["deploy"], "\(list.account)")
    #expect(list.json["keys"]?.array?.first?["id"] == create.json["key"]?["id"])
    let remove = try state.succeed("key", "remove", "deploy")
    #expect(remove.json["removed"]?.number == 1, "\(remove.account)")
    #expect(try state.authcore("key", "list").json["keys"] == .array([]))
    for arguments in [
      ["public", "deploy"], ["sign", "deploy"], ["encrypt", "deploy"], ["remove", "deploy"],
    ] {
      try state.authcore(["key"] + arguments).expect(status: 3, error: "errSecItemNotFound")
    }
  }

  @Test("K2: a key of a group is listed, shown, used and removed where the group is named")
  func groups() throws {
    let state = try TestHome()
    let group = ["--group", "post"]
    func key(_ arguments: [String], in group: [String]) throws -> CommandRun {
      try state.authcore(["key"] + arguments + group, secret: "text")
    }
    let create = try key(["create", "deploy"], in: group)
    #expect(create.status == 0 && create.json["key"]?["group"]?.string == "post")
    #expect(try key(["list"], in: []).json["keys"] == .array([]))
    #expect(try key(["list"], in: group).json["keys"]?.array?.count == 1)
    for command in ["public", "sign", "encrypt", "remove"] {
      #expect(try key([command, "deploy"], in: []).status == 3)
      try key([command, "deploy"], in: group).expectSuccess()
    }
  }

  @Test("K2: items and keys know nothing of each other")
  func apartFromItems() throws {
    let state = try TestHome()
    try state.succeed("key", "create", "deploy")
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
    for command in ["get", "find"] {
      for option in ["--service", "--account", "--label"] {
        #expect(try state.authcore("item", command, option, "deploy").status == 3)
      }
    }
    #expect(try state.authcore("item", "remove", "--service", "deploy", "--all").status == 3)
    try state.succeed("key", "public", "deploy")
  }

  @Test("OpenSSL verifies what a key signs, in DER and in pieces, from its PEM")
  func openSSL() throws {
    let state = try TestHome()
    try state.succeed("key", "create", "deploy")
    let pem = try state.folder.write("key.pem", key(state, "public", "deploy").output)
    let file = try state.folder.write("message", message)
    let shown = try other("openssl", "pkey", "-pubin", "-in", pem.path, "-noout", "-text")
    #expect(shown.status == 0 && shown.text.contains("NIST CURVE: P-256"), "\(shown.account)")

    let signature = try state.folder.write(
      "signature", key(state, "sign", "deploy", input: message).output)
    let verified = try other(
      "openssl", "dgst", "-sha256", "-verify", pem.path, "-signature", signature.path, file.path)
    #expect(verified.status == 0 && verified.text.contains("Verified OK"), "\(verified.account)")
    let changed = try state.folder.write("changed", message + [0])
    let refused = try other(
      "openssl", "dgst", "-sha256", "-verify", pem.path, "-signature", signature.path, changed.path)
    #expect(refused.status != 0, "\(refused.account)")

    let digest = try Data(hash(message))
    let digestFile = try state.folder.write("digest", digest)
    let byDigest = try state.folder.write(
      "signature2", key(state, "sign", "deploy", "--digest", input: digest).output)
    try other(
      "openssl", "pkeyutl", "-verify", "-pubin", "-inkey", pem.path, "-in", digestFile.path,
      "-sigfile", byDigest.path
    ).expectSuccess()
  }

  @Test("--raw gives r and s, 32 bytes each, and --json the signature in base64")
  func rawSignature() throws {
    let state = try TestHome()
    try state.succeed("key", "create", "deploy")
    let point = try key(state, "public", "deploy", "--format", "sec1").output
    let publicKey = try P256PublicKey(point: Array(point))
    let raw = try key(state, "sign", "deploy", "--raw", input: message).output
    #expect(raw.count == 64)
    func integer(_ bytes: Data) -> [UInt8] {
      let short = Array(bytes.drop { $0 == 0 })
      let padded = (short.first ?? 0x80) >= 0x80 ? [0] + short : short
      return [2, UInt8(padded.count)] + padded
    }
    let body = integer(raw.prefix(32)) + integer(raw.suffix(32))
    let der = [0x30, UInt8(body.count)] + body
    #expect(try publicKey.isValid(der, for: Array(message).span))
    let json = try state.authcore("key", "sign", "deploy", input: message)
    let signature = try #require(
      json.json["signature"]?.string.flatMap { Data(base64Encoded: $0) }, "\(json.account)")
    #expect(try publicKey.isValid(Array(signature), for: Array(message).span))
    #expect(json.json.count == 1)
  }

  @Test("every form of the public half is the same key, to OpenSSH as well")
  func publicForms() throws {
    let state = try TestHome()
    try state.succeed("key", "create", "a key\nnot two")
    let point = try key(state, "public", "a key\nnot two", "--format", "sec1").output
    #expect(point.count == 65 && point.first == 4)
    let line = try key(state, "public", "a key\nnot two", "--format", "ssh").text
    #expect(line.hasSuffix(" a key\u{FFFD}not two\n") && line.split(separator: "\n").count == 1)
    let forms = ["pem": 91, "ssh": 104, "sec1": 65]
    for (format, count) in forms {
      let run = try state.authcore("key", "public", "a key\nnot two", "--format", format)
      let bytes = run.json["publicKey"]?.string.flatMap { Data(base64Encoded: $0) }
      #expect(bytes?.count == count && bytes?.suffix(65) == point, "\(run.account)")
    }
    let file = try state.folder.write("key.pub", Data(line.utf8))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen") else { return }
    let shown = try other("ssh-keygen", "-l", "-f", file.path)
    #expect(shown.status == 0 && shown.text.hasPrefix("256 SHA256:"), "\(shown.account)")
    let pem = try key(state, "public", "a key\nnot two")
    let pemFile = try state.folder.write("key.pem", pem.output)
    let imported = try other("ssh-keygen", "-i", "-m", "PKCS8", "-f", pemFile.path)
    #expect(
      imported.text.split(separator: " ").last?.trimmingCharacters(in: .newlines)
        == line.split(separator: " ")[1].description, "\(imported.account)")
  }

  @Test("what Python encrypts a key decrypts, and what is encrypted here Python decrypts")
  func python() throws {
    let state = try TestHome()
    let example = Products.sources.appendingPathComponent("docs/examples/authcore_ecies.py").path
    try state.succeed("key", "create", "mail")
    let pem = try state.folder.write("key.pem", key(state, "public", "mail").output)
    for text in [Data(), Data("for your eyes\n".utf8), message.prefix(48 << 10)] {
      let sealed = try other("python3", example, "encrypt", pem.path, input: text)
      #expect(sealed.status == 0 && sealed.output.count == text.count + 81, "\(sealed.account)")
      let opened = try key(state, "decrypt", "mail", input: sealed.output)
      #expect(opened.status == 0 && opened.output == text, "\(opened.account)")
      let own = try key(state, "encrypt", "mail", input: text)
      #expect(try key(state, "decrypt", "mail", input: own.output).output == text)
    }

    // The form `key encrypt` writes, to a key that Python has.
    let secret = state.folder.file("python.pem")
    try other(
      "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
      secret
    ).expectSuccess()
    let info = try other("openssl", "pkey", "-in", secret, "-pubout", "-outform", "DER").output
    let sealed = try ECIES.seal(
      Array("back to Python".utf8).span, to: P256PublicKey(point: Array(info.suffix(65))))
    let opened = try other("python3", example, "decrypt", secret, input: Data(sealed))
    #expect(opened.output == Data("back to Python".utf8), "\(opened.account)")
    var changed = sealed
    changed[70] ^= 1
    let refused = try other("python3", example, "decrypt", secret, input: Data(changed))
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.account)")
  }

  @Test("what cannot be decrypted, encrypted or signed is refused, and nothing is written")
  func badInput() throws {
    let state = try TestHome()
    try state.succeed("key", "create", "mail")
    let sealed = try key(state, "encrypt", "mail", input: Data("text".utf8)).output
    var changed = sealed
    changed[changed.count - 1] ^= 1
    for input in [Data(), sealed.dropLast(), changed, sealed + [0], Data(sealed.reversed())] {
      let run = try key(state, "decrypt", "mail", input: input)
      #expect(run.status == 64 && run.output.isEmpty, "\(run.account)")
    }
    let long = Data(count: (48 << 10) + 1)
    #expect(try key(state, "encrypt", "mail", input: long).status == 64)
    for count in [0, 31, 33, 64] {
      let run = try key(state, "sign", "mail", "--digest", input: Data(count: count))
      #expect(run.status == 64 && run.output.isEmpty, "\(run.account)")
    }
    let both = try state.authcore("--passcode-fd", "0", "key", "sign", "mail", json: false)
    #expect(both.status == 64, "\(both.account)")
    #expect(both.errors.contains("Standard input is read twice"))
  }
}
