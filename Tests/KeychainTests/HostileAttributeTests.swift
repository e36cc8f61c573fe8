import KeychainEngine
import Protocol
import Testing

@Suite("Attributes that mean harm")
final class HostileAttributeTests: OneKeychain {
  /// Texts that SQL, terminals, paths or C would take for more than text.
  private static let texts = [
    "'; DROP TABLE items; --", "\" OR 1=1 --", "%", "_", "?", "?1", ":service", "x'00'", "NULL",
    "\u{0}", "a\u{0}b", "\u{1B}[2J", "\u{202E}gpj", "../../etc/passwd", "\n", "\u{FEFF}",
    "e\u{301}", "\u{E9}", "\u{1F468}\u{200D}\u{1F469}", "$(reboot)", "%n%s",
    String(repeating: "x", count: AttributeValue.longestText),
  ]

  @Test("K1 K2: every text in every attribute is kept as it is, and found by itself alone")
  func injections() throws {
    for itemClass in [ItemClass.generic, .internet, .key, .note] {
      let names = itemClass.attributes.filter { [.text, .textOrData].contains($0.form) }
      for (number, text) in Self.texts.enumerated() {
        var item = ItemAttributes()
        item.itemClass = itemClass
        for name in names { item.values[name] = .text(text) }
        try keychain.add(item, secret: "\(number)")
      }
      for name in names {
        for (number, text) in Self.texts.enumerated() {
          #expect(
            try keychain.get(query(itemClass, [name: .text(text)])) == "\(number)",
            "\(itemClass) \(name) \(number)")
        }
      }
    }
    #expect(try keychain.find().count == 4 * Self.texts.count)
  }

  @Test("a text in two forms of Unicode is two texts: what was added is what is found")
  func forms() throws {
    try keychain.add("e\u{301}", secret: "decomposed")
    try keychain.add("\u{E9}", secret: "composed")
    #expect(try keychain.get(query("e\u{301}")) == "decomposed")
    #expect(try keychain.get(query("\u{E9}")) == "composed")
    var changes = ItemChanges()
    changes.terms = [.comment: .text("\u{E9}"), .account: .text("e\u{301}")]
    try keychain.update(query("\u{E9}"), changes)
    #expect(
      try code { _ = try keychain.find(query(nil, [.comment: .text("e\u{301}")])) }
        == .errSecItemNotFound)
    // A change from one form to the other is a change of the name.
    changes.terms = [.account: .text("\u{E9}")]
    try keychain.update(query(nil, "e\u{301}"), changes)
    #expect(
      try code { _ = try keychain.find(query(nil, "e\u{301}")) } == .errSecItemNotFound)
    #expect(try keychain.find(query(nil, "\u{E9}")).count == 1)
  }

  /// Number and fields of an ``AddItem`` whose attributes are these bytes.
  private func reply(toAttributes bytes: [UInt8]) throws -> Failure {
    var message = WireEncoder()
    message.write(AddItem.number, "", ItemClass.generic)
    message.writeRaw(bytes.span)
    message.write("", false, Accessibility.whenUnlocked, AccessControl?.none, Int64(0), Int64(0))
    message.writeBytes([1])
    let request = ApplicationRequest.encoded(
      context: ContextName(1, of: Requester(application: TestKeychain.app, connection: 1)),
      message: message.finish())
    return try Failure.decode(keychain.engine.handle(request.bytes).bytes)
  }

  @Test("ten thousand attributes, one of them twice, out of order, empty or unknown, add nothing")
  func malformed() throws {
    func encoded(_ count: UInt32, _ entries: [(UInt8, AttributeValue)]) -> [UInt8] {
      var encoder = WireEncoder()
      encoder.write(count)
      for (name, value) in entries { encoder.write(name, value) }
      return encoder.finishPlain()
    }
    let text = AttributeValue.text("a")
    var invalid = encoded(1, [(1, .text("ab"))])
    invalid[invalid.count - 1] = 0xFF
    let malformed = [
      encoded(10_000, (0..<10_000).map { (UInt8($0 % 250), text) }),
      encoded(2, [(1, text), (1, text)]), encoded(2, [(2, text), (1, text)]),
      encoded(1, [(1, .text(""))]), encoded(1, [(200, text)]), encoded(.max, []),
      encoded(1, [(1, .text(String(repeating: "x", count: AttributeValue.longestText + 1)))]),
      encoded(1, [(10, .data([UInt8](repeating: 1, count: AttributeValue.longestData + 1)))]),
      invalid,
    ]
    for bytes in malformed {
      let failure = try reply(toAttributes: bytes)
      #expect([.errSecParam, .engineFailed].contains(failure.code), "\(failure)")
    }
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
  }

  @Test("attributes that are each in order and too many together are refused with the limit named")
  func tooMuch() throws {
    var item = ItemAttributes()
    for name in ItemClass.generic.attributes {
      switch name.form {
      case .text, .textOrData: item.values[name] = .text(String(repeating: "x", count: 1024))
      case .data: item.values[name] = .data([UInt8](repeating: 1, count: 4096))
      default: break
      }
    }
    // All that a generic item may have is within the limit.
    let added = try keychain.add(item)
    #expect(try keychain.find() == [added])
  }
}
