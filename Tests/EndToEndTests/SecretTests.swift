import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Secrets to the last byte", .timeLimit(.minutes(60)))
struct SecretInputTests {
  private func command(
    _ state: TestHome, _ arguments: [String], input: [UInt8] = []
  ) throws -> CommandRun {
    try state.authcore(arguments, input: Data(input), json: false)
  }

  @Test(
    "what standard input holds is stored to the last byte",
    arguments: [[], [0x0A], [0x61, 0x0A], [0x61, 0x0A, 0x0A], [0, 0xFF, 0x0D, 0x0A], [0xC3]])
  func bytes(secret: [UInt8]) throws {
    let state = try TestHome()
    let add = try command(state, ["item", "add", "key"], input: secret).expectSuccess()
    #expect(add.errors.contains("newline") == (secret.last == 0x0A), "\(add.account)")
    let get = try command(state, ["item", "get", "key"])
    #expect(get.output == Data(secret), "\(get.account)")
    #expect(
      try command(state, ["item", "update", "key", "--secret"], input: secret + [0x0A]).status == 0)
    #expect(try command(state, ["item", "get", "key"]).output == Data(secret + [0x0A]))
  }

  @Test("--strip-newline drops exactly one, when an item is added and when it is changed")
  func strip() throws {
    let state = try TestHome()
    let strip = "--strip-newline"
    let add = try command(state, ["item", "add", "key", strip], input: [0x61, 0x0A, 0x0A])
    #expect(add.status == 0 && add.errors.isEmpty, "\(add.account)")
    #expect(try command(state, ["item", "get", "key"]).output == Data([0x61, 0x0A]))
    try command(
      state, ["item", "update", "key", "--secret", strip], input: [0x62, 0x0A]
    ).expectSuccess()
    #expect(try command(state, ["item", "get", "key"]).output == Data([0x62]))
    try command(state, ["item", "update", "key", "--set-label", "x", strip]).expect(status: 64)
  }

  @Test("the longest secret is taken, and one byte more is refused and not cut")
  func longest() throws {
    let state = try TestHome()
    let longest = [UInt8](repeating: 0x0A, count: 48 << 10)
    #expect(try command(state, ["item", "add", "key"], input: longest).status == 0)
    #expect(try command(state, ["item", "get", "key"]).output == Data(longest))
    try command(state, ["item", "add", "more"], input: longest + [0x61]).expect(status: 64)
  }

  @Test("- is standard input wherever a file with a secret is named, and for one of them only")
  func dash() throws {
    let state = try TestHome()
    let (passcode, backup) = (Array("correct horse\n".utf8), state.folder.file("backup"))
    #expect(
      try command(state, ["passcode", "set", "--passcode-file", "-"], input: passcode).status == 0)
    #expect(try command(state, ["unlock", "--passcode-file", "-"], input: passcode).status == 0)
    for twice in [
      ["item", "add", "key", "--passcode-file", "-"],
      ["item", "add", "key", "--access", "app-password", "--app-password-file", "-"],
      ["item", "update", "key", "--secret", "--new-app-password-file", "/dev/stdin"],
      ["passcode", "change", "--passcode-file", "-", "--new-passcode-file", "-"],
      ["passcode", "change", "--passcode-fd", "0", "--new-passcode-file", "-"],
      ["backup", "create", backup, "--passcode-file", "-", "--passphrase-file", "-"],
      ["backup", "restore", "-", "--passphrase-file", "-"],
      ["backup", "restore", "/dev/stdin", "--passphrase-fd", "0"],
      ["backup", "inspect", "-", "--verify", "--passphrase-file", "-"],
      ["import", "-", "--passcode-file", "-"], ["import", "/dev/stdin", "--passcode-file", "-"],
      ["key", "sign", "key", "--passcode-file", "-"],
      ["item", "add", "--class", "certificate", "--file", "-", "--passcode-file", "-"],
    ] {
      let run = try command(state, twice, input: passcode)
      #expect(run.status == 64 && run.errors.contains("tandard input"), "\(run.account)")
    }
  }
}

@Suite("Secrets that authcore makes up", .timeLimit(.minutes(60)))
struct GenerateTests {
  @Test("a secret is added and not shown, with its bits, and comes back as it was shown")
  func life() throws {
    let state = try TestHome()
    let quiet = try state.succeed("item", "generate", "github", "ann", json: false)
    #expect(quiet.text == "Added github / ann: a secret of 131 bits.\n", "\(quiet.account)")
    let got = try state.authcore("item", "get", "github", "ann", json: false)
    #expect(got.output.count == 20 && !quiet.text.contains(got.text))
    let shown = try state.authcore(
      "item", "generate", "wifi", "--words", "6", "--show", json: false)
    let words = try state.authcore("item", "get", "wifi", json: false).text
    #expect(shown.text == words + "\n", "\(shown.account)")
    #expect(words.split(separator: "-").count == 6 && shown.errors.contains("62 bits"))
    let json = try state.authcore(
      "item", "generate", "door", "--alphabet", "digits", "--length", "6", "--show")
    let code = try #require(json.json["secret"]?.string.flatMap { Data(base64Encoded: $0) })
    #expect(code.count == 6 && code.allSatisfy { (0x30...0x39).contains($0) }, "\(json.account)")
    #expect(json.json["bits"]?.number == 19 && json.errors.contains("by trying"), "\(json.account)")
    let hidden = try state.authcore("item", "generate", "x", "--characters", "ab")
    #expect(hidden.json["secret"] == nil && hidden.json["item"]?["service"]?.string == "x")
  }

  @Test("FINDINGS B11: no example of its help makes a secret that it warns of")
  func examples() throws {
    let help = try run("authcore", ["item", "generate", "--help"]).text
    let examples = help.split(separator: "\n").compactMap { line in
      line.split(separator: " ").starts(with: ["authcore", "item", "generate"])
        ? line.split(separator: " ").dropFirst(3).map(String.init) : nil
    }
    #expect(examples.count == 3, "\(help)")
    let state = try TestHome.enrolled()
    for words in examples {
      let made = try state.succeed(["item", "generate"] + words)
      #expect(!made.errors.contains("by trying"), "\(made.account)")
    }
  }

  @Test("it is guarded as an added one is")
  func guarded() throws {
    let state = try TestHome.enrolled()
    let made = try state.authcore("item", "generate", "vault", "--access", "biometry-current")
    #expect(made.json["item"]?["access"]?.string == "biometry-current", "\(made.account)")
    try state.authcore("item", "generate", "vault").expect(error: "errSecDuplicateItem")
    try state.succeed("--driver", state.ownerTouch(), "item", "get", "vault")
  }

  @Test(
    "what contradicts itself is refused before a core is asked",
    arguments: [
      [], ["s", "--words", "4", "--length", "8"],
      ["s", "--alphabet", "digits", "--characters", "ab"],
      ["s", "--words", "0"], ["s", "--alphabet", "nonsense"], ["s", "--class", "key"],
    ])
  func usage(words: [String]) throws {
    try run(
      "authcore",
      ["--json", "--home", "/nonexistent/authcore-generate", "item", "generate"] + words
    ).expect(status: 64)
  }
}

@Suite("Planted texts", .timeLimit(.minutes(60)))
struct PlantedTextTests {
  /// A text that is found nowhere by chance.
  private static func planted(_ what: String) -> String { "planted-\(what)-7Qx2" }

  /// Every form in which bytes may be written.
  private static func forms(of text: String) -> [(name: String, bytes: Data)] {
    let bytes = Data(text.utf8)
    let hex = bytes.hexDigits.joined()
    var forms = [
      ("UTF-8", bytes), ("hex", Data(hex.utf8)), ("HEX", Data(hex.uppercased().utf8)),
      ("UTF-16LE", text.data(using: .utf16LittleEndian) ?? bytes),
      ("UTF-16BE", text.data(using: .utf16BigEndian) ?? bytes),
    ]
    // Base64 depends on the offset modulo three; the ends mix with their neighbors.
    for offset in 0..<3 {
      let shifted = Data(repeating: 0, count: offset) + bytes
      let encoded = Data(shifted.base64EncodedString().utf8)
      forms.append(("base64 + \(offset)", encoded.dropFirst(4).dropLast(4)))
    }
    return forms
  }

  private static func value(of name: AttributeName, in itemClass: ItemClass) -> AttributeValue? {
    let text = planted("\(itemClass.name)-\(name.name)")
    return switch name.form {
    case .text, .textOrData: .text(text)
    case .data: .data(Array(text.utf8))
    case .number, .flag, .time: nil
    }
  }

  @Test("K3: a text in any attribute of any class is in no file of the folder, in any form")
  func everywhere() throws {
    let state = try TestHome()
    let connection = try CoreAccess(
      to: .folder(state.home), program: Products.program("authcored")
    ).connect()
    var texts: [String] = []
    for itemClass in ItemClass.allCases where itemClass != .certificate {
      var attributes = ItemAttributes()
      attributes.itemClass = itemClass
      for name in itemClass.attributes {
        guard let value = Self.value(of: name, in: itemClass) else { continue }
        attributes.values[name] = value
        texts.append(Self.planted("\(itemClass.name)-\(name.name)"))
      }
      let secret = Self.planted("secret of \(itemClass.name)")
      texts.append(secret)
      try add(attributes, secret, to: connection)
    }
    texts.append(Self.planted("key"))
    let _: KeyCreated = try connection.ask(
      CreateKey(
        name: Self.planted("key"), accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil))
    #expect(texts.count > 25)
    try expectNone(of: texts, in: state, "while the core runs")
    try state.succeed("quit")
    try expectNone(of: texts, in: state, "after its end")
  }

  private func add(
    _ attributes: ItemAttributes, _ secret: String, to connection: CoreConnection
  ) throws(Failure) {
    let bytes = Array(secret.utf8)
    let request = AddItem(attributes: attributes, secret: SecretBytes(copying: bytes.span))
    let _: ItemAdded = try connection.ask(request)
  }

  private func expectNone(of texts: [String], in state: TestHome, _ when: String) throws {
    var files = 0
    for entry in try FileManager.default.subpathsOfDirectory(atPath: state.home) {
      guard let contents = FileManager.default.contents(atPath: state.home + "/" + entry) else {
        continue
      }
      files += 1
      for text in texts {
        for form in Self.forms(of: text) {
          let isThere = contents.range(of: form.bytes) != nil
          #expect(!isThere, "\(text) in \(entry) as \(form.name), \(when)")
        }
      }
    }
    #expect(files > 2)
    // The search finds a planted text.
    for form in Self.forms(of: texts[0]) {
      let text = Data(" before ".utf8) + Data(texts[0].utf8)
      let isFound = text.range(of: form.bytes) != nil
      #expect(isFound == (form.name == "UTF-8"))
    }
  }
}
