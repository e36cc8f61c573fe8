import GRDB
import Protocol
import Testing

@Suite("Classes of keychain items")
final class ClassTests: OneKeychain {
  private func item(
    _ itemClass: ItemClass, _ values: AttributeValues, isSynchronizable: Bool = false
  ) -> ItemAttributes {
    var item = ItemAttributes()
    item.itemClass = itemClass
    item.values = values
    item.isSynchronizable = isSynchronizable
    return item
  }

  /// Classes whose items have a secret.
  private static let secretClasses = ItemClass.allCases.filter { $0 != .certificate }

  /// A value that an attribute of a form may hold; another for another number.
  private static func value(_ form: AttributeName.Form, _ number: UInt8) -> AttributeValue {
    switch form {
    case .text: .text("text \(number)")
    case .data, .textOrData: .data([number, 0, 255])
    case .number, .time: .number(Int64(number))
    case .flag: .number(Int64(number % 2))
    }
  }

  private static func everyAttribute(_ itemClass: ItemClass, _ number: UInt8) -> AttributeValues {
    var values = AttributeValues()
    for name in itemClass.attributes { values[name] = value(name.form, number) }
    return values
  }

  @Test("K1 K3: an item of a class keeps every attribute of it", arguments: secretClasses)
  func everyAttribute(_ itemClass: ItemClass) throws {
    let values = Self.everyAttribute(itemClass, 3)
    let added = try keychain.add(item(itemClass, values), secret: "it")
    #expect(added.values == values && values.names.count == itemClass.attributes.count)
    let again = try TestKeychain(folder)
    #expect(try again.find() == [added])
    #expect(try again.get(query(itemClass, [:])) == "it")
  }

  @Test(
    "K1: an item is found by each attribute alone, and by no other value of it",
    arguments: secretClasses)
  func everyQuery(_ itemClass: ItemClass) throws {
    let wanted = try keychain.add(item(itemClass, Self.everyAttribute(itemClass, 1)))
    var others = Self.everyAttribute(itemClass, 2)
    try keychain.add(item(itemClass, others))
    for name in itemClass.attributes {
      let value = Self.value(name.form, 1)
      #expect(try keychain.find(query(itemClass, [name: value])) == [wanted], "\(name)")
      #expect(try keychain.find(query(nil, [name: value])) == [wanted], "\(name)")
      #expect(
        try code { _ = try keychain.find(query(itemClass, [name: Self.value(name.form, 8)])) }
          == (name.form == .flag ? nil : .errSecItemNotFound), "\(name)")
      // Nothing is asked for as an empty text, whatever the form.
      #expect(
        try code { _ = try keychain.find(query(itemClass, [name: .text("")])) }
          == .errSecItemNotFound, "\(name)")
      others[name] = nil
    }
    #expect(others.isEmpty)
  }

  @Test(
    "K1: two items of a class that agree in their primary key are one", arguments: secretClasses)
  func primaryKeys(_ itemClass: ItemClass) throws {
    let first = Self.everyAttribute(itemClass, 1)
    try keychain.add(item(itemClass, first))
    for name in itemClass.attributes {
      var other = first
      other[name] = Self.value(name.form, 2)
      let expected: FailureCode? =
        itemClass.primaryKey.contains(name) ? nil : .errSecDuplicateItem
      #expect(try code { try keychain.add(item(itemClass, other)) } == expected, "\(name)")
    }
    #expect(try code { try keychain.add(item(itemClass, first)) } == .errSecDuplicateItem)
    try keychain.add(item(itemClass, first, isSynchronizable: true))
    #expect(
      try code { try keychain.add(item(itemClass, first, isSynchronizable: true)) }
        == .errSecDuplicateItem)
  }

  @Test("K1: items of two classes with the same attributes are two")
  func classesApart() throws {
    for itemClass in [ItemClass.generic, .internet, .note] {
      try keychain.add(item(itemClass, [.account: .text("ann"), .label: .text("L")]))
    }
    #expect(try keychain.find(query(nil, [.account: .text("ann")])).count == 3)
    #expect(try keychain.remove(query(.internet, [.account: .text("ann")])) == 1)
    #expect(try keychain.find().map(\.itemClass) == [.generic, .note])
  }

  @Test("K1: a query says which items it means by class, and by being synchronizable or not")
  func synchronizable() throws {
    let values: AttributeValues = [.service: .text("mail"), .account: .text("ann")]
    let here = try keychain.add(item(.generic, values))
    let everywhere = try keychain.add(item(.generic, values, isSynchronizable: true))
    var wanted = query("mail")
    #expect(try keychain.find(wanted) == [here])
    wanted.isSynchronizable = true
    #expect(try keychain.find(wanted) == [everywhere])
    wanted.isSynchronizable = nil
    #expect(try keychain.find(wanted) == [here, everywhere])
  }

  @Test("K1: an account of bytes comes back as bytes, and is no text of the same bytes")
  func accountOfBytes() throws {
    let bytes: AttributeValue = .data(Array("ann".utf8))
    let asData = try keychain.add(item(.generic, [.service: .text("mail"), .account: bytes]))
    let asText = try keychain.add("mail", "ann")
    #expect(try keychain.find(query(.generic, [.account: bytes])) == [asData])
    #expect(try keychain.find(query(.generic, [.account: .text("ann")])) == [asText])
  }

  @Test("K1: its identifier alone finds an item, also after everything else has changed")
  func identifier() throws {
    let added = try keychain.add("mail", "ann", secret: "it")
    try keychain.add("news", "ann")
    try keychain.update(query("mail"), changes(service: "post", account: "bob", label: "L"))
    var byIdentifier = ItemQuery()
    byIdentifier.identifier = added.identifier
    #expect(try keychain.find(byIdentifier).map(\.service) == ["post"])
    #expect(try keychain.get(byIdentifier) == "it")
    for other in [
      "", "00", added.identifier.uppercased() + "G", String(added.identifier.dropLast()),
    ] {
      byIdentifier.identifier = other
      #expect(try code { _ = try keychain.get(byIdentifier) } == .errSecItemNotFound)
    }
  }

  @Test(
    "an attribute that the class has not, or of another form, is refused before anything is kept")
  func wrongAttributes() throws {
    try keychain.add("mail")
    let wrong: [(ItemClass, AttributeValues, FailureCode)] = [
      (.generic, [.server: .text("a")], .errSecNoSuchAttr),
      (.internet, [.service: .text("a")], .errSecNoSuchAttr),
      (.generic, [.label: .data([1])], .errSecParam),
      (.internet, [.port: .text("993")], .errSecParam),
      (.generic, [.isInvisible: .number(2)], .errSecParam),
      (.generic, [.generic: .text("a")], .errSecParam),
      (.certificate, [.label: .text("a")], .errSecParam),
    ]
    for (itemClass, values, expected) in wrong {
      #expect(try code { try keychain.add(item(itemClass, values)) } == expected)
      var changes = ItemChanges()
      for name in values.names { changes.terms[name] = values[name] }
      guard itemClass == .generic else { continue }
      #expect(try code { try keychain.update(query("mail"), changes) } == expected)
      #expect(try code { _ = try keychain.find(query(.generic, changes.terms)) } == expected)
    }
    #expect(try keychain.find().count == 1)
  }

  @Test("K8: an update changes any attribute, and takes one away")
  func updates() throws {
    try keychain.add(item(.internet, [.server: .text("a.example"), .port: .number(993)]))
    var changes = ItemChanges()
    changes.terms = [.port: .text(""), .comment: .text("old"), .server: .text("b.example")]
    #expect(try keychain.update(query(.internet, [.port: .number(993)]), changes) == 1)
    let changed = try keychain.find(query(.internet, [.server: .text("b.example")]))
    #expect(changed.map(\.values) == [[.server: .text("b.example"), .comment: .text("old")]])
    // The primary key went along: the name it had is free, the one it has is taken.
    try keychain.add(item(.internet, [.server: .text("a.example"), .port: .number(993)]))
    #expect(
      try code { try keychain.add(item(.internet, [.server: .text("b.example")])) }
        == .errSecDuplicateItem)
  }

  @Test("A8: what wants more than is proved can be left out, and is told from what is not there")
  func onlyOpenable() throws {
    let open = try keychain.add("mail", "open")
    let guarded = try keychain.add("mail", "guarded", access: "passcode")
    #expect(try keychain.findOpenable(query("mail")) == [open])
    keychain.enclave.evidence = [1: .passcode]
    #expect(try keychain.findOpenable(query("mail")) == [open, guarded])
    #expect(try keychain.findOpenable(query("mail"), context: 2) == [open])
    #expect(
      try code { _ = try keychain.findOpenable(query("mail", "guarded"), context: 2) }
        == .errSecItemNotFound)
  }

  @Test("K6: while a class is closed, a query by what is sealed tells nothing of what is in it")
  func closedClasses() throws {
    try keychain.add(item(.generic, [.service: .text("a"), .comment: .text("x")]))
    var reachable = item(.generic, [.service: .text("b"), .comment: .text("y")])
    reachable.accessibility = .afterFirstUnlock
    let open = try keychain.add(reachable)
    keychain.enclave.isLocked = true
    #expect(try keychain.find(query(.generic, [.comment: .text("y")])) == [open])
    for comment in ["x", "z"] {
      #expect(
        try code { _ = try keychain.find(query(.generic, [.comment: .text(comment)])) }
          == .errSecInteractionNotAllowed)
      #expect(
        try code { _ = try keychain.remove(query(.generic, [.comment: .text(comment)])) }
          == .errSecInteractionNotAllowed)
    }
    #expect(try keychain.remove(query(.generic, [.comment: .text("y")])) == 1)
    keychain.enclave.isLocked = false
    #expect(try keychain.find().map(\.service) == ["a"])
  }

  @Test("a damaged row is not removed by a query that asks for what is sealed in it")
  func damagedRows() throws {
    try keychain.add(item(.generic, [.service: .text("a"), .comment: .text("x")]))
    try keychain.add(item(.generic, [.service: .text("b"), .comment: .text("x")]))
    try tamper(folder) { database in
      try database.execute(sql: "UPDATE items SET sealedAttributes = x'00' WHERE sequence = 1")
    }
    #expect(try keychain.remove(query(.generic, [.comment: .text("x")]), all: true) == 1)
    #expect(try keychain.remove(query("a")) == 1)
  }
}
