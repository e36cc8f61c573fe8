import Foundation
import TestSupport
import Testing

/// A state folder with a passcode, and the passphrase of its backups.
private struct BackedUpState {
  static let passphrase = "correct horse battery staple"

  let state: TestHome
  let passphraseFile: String

  init() throws {
    state = try TestHome()
    passphraseFile = try state.folder.write("passphrase", Self.passphrase + "\n")
    let set = try state.authcore("passcode", "set", passcode: TestHome.passcode)
    try #require(set.status == 0, "\(set.account)")
  }

  var file: String { state.folder.file("keychain.backup") }

  func add(_ service: String, _ secret: String, _ options: String...) throws {
    let add = try state.authcore(["item", "add", "--service", service] + options, secret: secret)
    try #require(add.status == 0, "\(add.account)")
  }

  func backup(_ arguments: [String], passcode: String? = TestHome.passcode) throws -> CommandRun {
    let given = try passcode.map {
      ["--passcode-file", try state.folder.write("passcode", $0 + "\n")]
    }
    return try state.authcore(
      ["backup"] + arguments + ["--passphrase-file", passphraseFile] + (given ?? []))
  }

  func create() throws {
    let create = try backup(["create", file])
    try #require(create.status == 0, "\(create.account)")
  }

  func secret(_ service: String) throws -> String? {
    let get = try state.authcore("item", "get", "--service", service, json: false)
    return get.status == 0 ? get.text : nil
  }

  var services: [String] {
    get throws {
      let list = try state.authcore("item", "list")
      return (list.json["items"]?.array ?? []).compactMap { $0["service"]?.string }
    }
  }
}

@Suite("Backups, through the command", .timeLimit(.minutes(60)))
struct BackupCommandTests {
  @Test("K7 A9: items leave one device and come to another one; what is bound to the first stays")
  func anotherDevice() throws {
    let first = try BackedUpState()
    try first.add("mail", "gold", "--account", "ann", "--label", "Größe")
    try first.add("bank", "tin", "--accessible", "after-first-unlock")
    try first.add("guarded", "never", "--access", "presence")
    try first.add("bound", "never", "--accessible", "when-unlocked-this-device-only")
    try first.state.succeed("key", "create", "deploy")
    let create = try first.backup(["create", first.file]).expectSuccess()
    #expect(create.json["items"]?.number == 2)
    #expect(create.json["leftOut"]?.number == 3)
    let leftOut = create.json["leftOutItems"]?.array ?? []
    #expect(leftOut.map { $0["name"]?.string } == ["guarded", "bound", "deploy"])
    #expect(leftOut.map { $0["kind"]?.string } == ["item", "item", "key"])
    #expect(leftOut.first?["access"]?.string == "presence", "\(create.account)")
    var status = stat()
    #expect(unsafe stat(first.file, &status) == 0 && status.st_mode & 0o777 == 0o600)

    let second = try BackedUpState()
    // It asks for neither passcode nor touch.
    let restore = try second.backup(["restore", first.file], passcode: nil).expectSuccess()
    #expect(restore.json["added"]?.number == 2)
    #expect(try second.services.sorted() == ["bank", "mail"])
    #expect(try second.secret("mail") == "gold")
    let again = try second.backup(["restore", first.file], passcode: nil)
    #expect(again.json["kept"]?.number == 2, "\(again.account)")
  }

  @Test(
    "K1 K7: a certificate of 1 MiB leaves and comes back, and is an identity with its key again")
  func certificates() throws {
    let first = try BackedUpState()
    try first.state.succeed("key", "create", "deploy")
    let point = try first.state.authcore("key", "public", "deploy", "--format", "sec1", json: false)
      .output
    var maker = TestCertificate(point: Array(point))
    maker.subject = TestCertificate.name("deploy.example.org")
    let rest = (1 << 20) - maker.der().count - 40
    maker.extensions = [TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: rest))]
    let long = Data(maker.der())
    var small = TestCertificate(point: [4] + [UInt8](repeating: 7, count: 64))
    small.subject = TestCertificate.name("bound.example.org")
    small.serialNumber = [9]
    func item(_ state: TestHome, _ arguments: [String], _ input: Data = Data()) throws
      -> CommandRun
    {
      try state.authcore(
        ["item"] + arguments + ["--class", "certificate"], input: input, json: false)
    }
    #expect(try item(first.state, ["add"], long).status == 0)
    try item(
      first.state, ["add", "--accessible", "when-unlocked-this-device-only"], Data(small.der())
    ).expectSuccess()
    try first.add("mail", "gold")
    let create = try first.backup(["create", first.file])
    #expect(create.json["items"]?.number == 2, "\(create.account)")
    #expect(create.json["leftOut"]?.number == 2, "the key and the bound certificate")

    let second = try BackedUpState()
    for arguments in [["--dry-run"], []] {
      let restore = try second.backup(["restore", first.file] + arguments, passcode: nil)
      #expect(restore.json["added"]?.number == 2, "\(restore.account)")
    }
    let get = ["get", "--label", "deploy.example.org"]
    #expect(try item(second.state, get).output == long)
    #expect(try second.state.authcore("key", "identities").json["identities"] == .array([]))

    #expect(try item(first.state, ["remove", "--label", "deploy.example.org"]).status == 0)
    #expect(try first.state.authcore("key", "identities").json["identities"] == .array([]))
    let back = try first.backup(["restore", first.file], passcode: nil)
    #expect(back.json["added"]?.number == 1, "\(back.account)")
    let identities = try first.state.authcore("key", "identities").json["identities"]?.array
    #expect(identities?.map { $0["key"]?["name"]?.string } == ["deploy"])
    #expect(try item(first.state, get).output == long)
  }

  @Test("FINDINGS B7: a backup names what of the command's own it leaves out")
  func leftOut() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    let whole = try device.backup(["create", device.file])
    #expect(whole.json["leftOut"]?.number == 0 && whole.json["leftOutItems"] == .array([]))
    try device.add("bank", "never", "--account", "ann", "--access", "passcode")
    let passcode = try device.state.folder.write("passcode", TestHome.passcode)
    func plain(_ file: String) throws -> CommandRun {
      try device.state.authcore(
        "backup", "create", file, "--force", "--passphrase-file", device.passphraseFile,
        "--passcode-file", passcode, json: false)
    }
    let text = try plain(device.file)
    #expect(text.text.contains("bank") && text.text.contains("passcode"))
    #expect(!text.text.contains("mail") && !text.text.contains("of other programs"))
    let piped = try plain("-")
    #expect(piped.status == 0 && piped.errors.contains("bank"), "\(piped.errors)")
  }

  @Test("K7: create asks the owner, and leaves no file where that fails")
  func presence() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    let create = try device.backup(["create", device.file], passcode: nil)
    #expect(create.status == 2 && create.errorName == "notInteractive", "\(create.account)")
    let folder = device.state.folder.url.path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!names.contains { $0.hasPrefix("keychain.backup") }, "\(names)")
    try device.backup(["create", device.file], passcode: "wrong wrong").expect(status: 1)
  }

  @Test("a file that is there is kept unless it is to be replaced, and then replaced as a whole")
  func existing() throws {
    let device = try BackedUpState()
    try device.create()
    let before = try Data(contentsOf: URL(fileURLWithPath: device.file))
    let create = try device.backup(["create", device.file])
    #expect(create.status == 3 && create.errorName == "errSecDuplicateItem", "\(create.account)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.file)) == before)
    try device.backup(["create", device.file, "--force"]).expectSuccess()
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.file)) != before)
  }

  @Test("K7: a wrong passphrase, a cut, damaged or later file is said to be that, to no effect")
  func unusable() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    try device.create()
    let whole = try Data(contentsOf: URL(fileURLWithPath: device.file))
    let target = try BackedUpState()
    func restore(
      _ bytes: Data, _ passphrase: String = BackedUpState.passphrase
    ) throws -> CommandRun {
      let file = try target.state.folder.write("file", bytes).path
      let secret = try target.state.folder.write("passphrase", passphrase)
      return try target.state.authcore("backup", "restore", file, "--passphrase-file", secret)
    }
    try restore(whole, "another passphrase").expect(status: 1, error: "errSecAuthFailed")
    for cut in [150, 300, whole.count - 1] {
      try restore(whole.prefix(cut)).expect(status: 5, error: "backupDamaged")
    }
    var damaged = whole
    damaged[200] ^= 1
    #expect(try restore(damaged).errorName == "backupDamaged")
    var later = whole
    later[19] = 4
    try restore(later).expect(status: 5, error: "backupTooNew")
    #expect(try restore(Data("something else".utf8)).errorName == "errSecDecode")
    #expect(try target.services.isEmpty)
  }

  @Test("a dry run says what a restore would do, and does not")
  func dryRun() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    try device.create()
    let target = try BackedUpState()
    let run = try target.backup(["restore", device.file, "--dry-run"], passcode: nil)
    #expect(run.json["added"]?.number == 1 && run.json["dryRun"]?.bool == true, "\(run.account)")
    #expect(try target.services.isEmpty)
  }

  @Test("inspect needs no device; with the passphrase every record is checked")
  func inspect() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    try device.add("bound", "x", "--accessible", "after-first-unlock-this-device-only")
    try device.create()
    func inspect(_ arguments: String...) throws -> CommandRun {
      try run(
        "authcore",
        ["--json", "--home", "/nowhere/at/all", "backup", "inspect", device.file] + arguments)
    }
    let shown = try inspect().expectSuccess()
    #expect(shown.json["version"]?.number == 2)
    #expect(shown.json["scrypt"]?["n"]?.number == 131_072)
    #expect(shown.json["verified"]?.bool == false)
    let checked = try inspect("--passphrase-file", device.passphraseFile)
    #expect(checked.json["verified"]?.bool == true, "\(checked.account)")
    #expect(checked.json["items"]?.number == 1 && checked.json["leftOut"]?.number == 1)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: device.file))
    bytes[bytes.count - 20] ^= 1
    try bytes.write(to: URL(fileURLWithPath: device.file))
    #expect(try inspect().status == 0)
    try inspect("--passphrase-file", device.passphraseFile).expect(error: "backupDamaged")
  }

  @Test("K7: a backup goes through standard output and comes by standard input")
  func standardStreams() throws {
    let device = try BackedUpState()
    try device.add("mail", "gold")
    let passcode = try device.state.folder.write("passcode", TestHome.passcode + "\n")
    let create = try device.state.authcore(
      "backup", "create", "-", "--passphrase-file", device.passphraseFile, "--passcode-file",
      passcode, json: false)
    #expect(create.status == 0, "\(create.errors)")
    #expect(create.errors.contains("Wrote 1 item"), "\(create.errors)")
    let inspect = try device.state.authcore(
      "backup", "inspect", "-", "--passphrase-file", device.passphraseFile, input: create.output)
    #expect(inspect.json["items"]?.number == 1, "\(inspect.account)")
    let target = try BackedUpState()
    try target.state.succeed(
      "backup", "restore", "-", "--passphrase-file", target.passphraseFile, input: create.output)
    #expect(try target.secret("mail") == "gold")
    try device.state.authcore("backup", "create", "-").expect(status: 64)
  }

  @Test("a passphrase is the same however its letters are composed")
  func normalForm() throws {
    let device = try BackedUpState()
    let composed = try device.state.folder.write("composed", Data("Schl\u{FC}ssel am Brett".utf8))
    let apart = try device.state.folder.write("apart", Data("Schlu\u{308}ssel am Brett".utf8))
    try device.state.succeed(
      "backup", "create", device.file, "--passphrase-file", composed.path, "--passcode-file",
      try device.state.folder.write("passcode", TestHome.passcode))
    try run(
      "authcore", ["--json", "backup", "inspect", device.file, "--passphrase-file", apart.path]
    ).expectSuccess()
    let empty = try device.state.folder.write("empty", Data("\n".utf8))
    try run(
      "authcore", ["--json", "backup", "inspect", device.file, "--passphrase-file", empty.path]
    ).expect(status: 64)
  }
}
