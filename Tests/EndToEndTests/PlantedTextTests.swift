import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Planted texts", .timeLimit(.minutes(15)))
struct PlantedTextTests {
  /// A text that is found nowhere by chance.
  private static func planted(_ what: String) -> String { "planted-\(what)-7Qx2" }

  /// Every form in which somebody may have written bytes down.
  private static func forms(of text: String) -> [(name: String, bytes: Data)] {
    let bytes = Data(text.utf8)
    let hex = bytes.hexDigits.joined()
    var forms = [
      ("UTF-8", bytes), ("hex", Data(hex.utf8)), ("HEX", Data(hex.uppercased().utf8)),
      ("UTF-16LE", text.data(using: .utf16LittleEndian) ?? bytes),
      ("UTF-16BE", text.data(using: .utf16BigEndian) ?? bytes),
    ]
    // Base64 of a text depends on where in three bytes it begins; its ends mix with what is around.
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
    // What is written back when it ends.
    #expect(try state.authcore("quit").status == 0)
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
    // The search finds what is there.
    for form in Self.forms(of: texts[0]) {
      let text = Data(" before ".utf8) + Data(texts[0].utf8)
      let isFound = text.range(of: form.bytes) != nil
      #expect(isFound == (form.name == "UTF-8"))
    }
  }
}
