import Protocol
import Testing

@testable import ItemTransfer

@Suite("Items as CSV, and back")
struct ItemExportTests {
  private func item(
    _ itemClass: ItemClass, _ values: AttributeValues
  ) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.itemClass = itemClass
    attributes.values = values
    return attributes
  }

  /// What reading an item's row gives.
  private func readBack(
    _ attributes: ItemAttributes, _ secret: [UInt8]
  ) -> (outcome: CSVOutcome, row: String) {
    let row = ItemExport.row(attributes, secret.span)
    var bytes = Array(ItemExport.header.utf8)
    for index in 0..<row.count { bytes.append(row.bytes[index]) }
    return (CSVOutcome(bytes), String(decoding: bytes, as: UTF8.self))
  }

  private static let internet: AttributeValues = [
    .server: .text("example.org"), .protocol: .text("htps"), .account: .text("ann"),
    .label: .text("Mail"), .authenticationType: .text("form"), .path: .text("/login"),
    .port: .number(8443), .comment: .text("a \"note\",\r\nof two lines"),
  ]

  @Test("an item of a web login has no field of ours, and comes back as it was")
  func plain() {
    for comment in ["", "a \"note\",\r\nof two lines"] {
      var attributes = item(.internet, Self.internet)
      attributes.values[text: .comment] = comment
      let (outcome, row) = readBack(attributes, Array("p\"w,\r\nü".utf8))
      // Notes of another program are no comment, so a comment has to say that it is one.
      #expect(outcome.program == "Bitwarden" && row.contains("authcore.") == !comment.isEmpty)
      #expect(outcome.items.map(\.attributes) == [attributes])
      #expect(outcome.items.map(\.text) == ["p\"w,\r\nü"])
    }
  }

  @Test("attributes without a column are custom fields, and every attribute comes back")
  func exact() {
    let values: [(ItemClass, AttributeValues)] = [
      (.generic, [.service: .text("mail")]), (.generic, [.account: .text("a")]),
      (.generic, [.account: .data([0, 255])]), (.generic, [:]),
      (.generic, [.service: .text("a\u{0}b%"), .label: .text("l\nm"), .generic: .data([1, 2])]),
      (
        .generic,
        [
          .label: .text("only a label"), .comment: .text("and a comment"), .isInvisible: .number(1),
          .creator: .number(-5), .description: .text("d"), .type: .number(1 << 40),
        ]
      ),
      (.internet, [.server: .text("example.org")]), (.internet, [.account: .text("ann")]),
      (.internet, [.server: .text("two words"), .protocol: .text("xxxx"), .port: .number(70_000)]),
      (.internet, [.server: .text("Example.org"), .protocol: .text("ftp "), .path: .text("/")]),
      (.note, [.label: .text("Recipe")]), (.note, [.service: .text("s"), .comment: .text("c")]),
      (.key, [.label: .text("k"), .applicationTag: .data([7]), .canSign: .number(1)]),
    ]
    for (itemClass, values) in values {
      let attributes = item(itemClass, values)
      for secret in [[], Array("secret".utf8), [0, 255, 10], Array("a\rb\"".utf8)] as [[UInt8]] {
        let (outcome, row) = readBack(attributes, secret)
        #expect(outcome.items.map(\.attributes) == [attributes], "\(row)")
        #expect(outcome.items.first?.secret == secret, "\(row)")
      }
    }
  }

  @Test("the largest item comes back")
  func largest() {
    let text = String(repeating: "\"", count: 1024)
    let values: AttributeValues = [
      .service: .text(text), .account: .text(text), .label: .text(text), .comment: .text(text),
      .description: .text(String(repeating: "\n", count: 1024)),
      .generic: .data([UInt8](repeating: 0, count: 4096)),
    ]
    for byte in [UInt8(ascii: "\""), 0] {
      let secret = [UInt8](repeating: byte, count: largestItemSecret)
      let outcome = readBack(item(.generic, values), secret).outcome
      #expect(outcome.items.map(\.attributes) == [item(.generic, values)])
      #expect(outcome.items.first?.secret == secret)
    }
  }

  @Test("a change that another program makes in a column counts")
  func changedColumns() throws {
    let attributes = item(.generic, [.service: .text("mail"), .account: .text("ann")])
    let row = readBack(attributes, Array("old".utf8)).row
    #expect(row.contains("authcore.service: text:mail"))
    let changed = row.replacing("\"ann\"", with: "\"bob\"").replacing("\"old\"", with: "\"new\"")
    let outcome = CSVOutcome(Array(changed.utf8))
    #expect(outcome.items.map(\.attributes.account) == ["bob"])
    #expect(outcome.items.map(\.attributes.service) == ["mail"])
    #expect(outcome.items.map(\.text) == ["new"])
  }

  @Test("a broken custom field is kept as text, and one that the class lacks is left out")
  func brokenFields() {
    for line in [
      "authcore.class: nonsense", "authcore.port: number:x", "authcore.generic: data:0",
      "authcore.comment: text:%G0", "authcore.nonsense: text:x", "authcore.port: 5",
    ] {
      let outcome = CSVOutcome(
        "type,name,notes,fields,login_uri,login_username,login_password",
        "login,a,,\(line),,u,p")
      #expect(outcome.items.count == 2 && outcome.items.last?.text == line)
    }
    let outcome = CSVOutcome(
      "type,name,notes,fields,login_uri,login_username,login_password",
      "login,a,,\"authcore.class: generic\nauthcore.port: number:5\nauthcore.label: number:5\",,u,p"
    )
    #expect(outcome.items.map(\.attributes.values.names) == [[.account, .label]])
  }
}
