import Protocol
import Testing

@Suite("What applications say of items beside what protects them")
struct StatedAccessibilityTests {
  let folder: TestFolder
  let keychain: TestKeychain

  init() throws {
    folder = try TestFolder()
    keychain = try TestKeychain(folder)
  }

  private func item(stated: String?, _ accessibility: Accessibility) -> ItemAttributes {
    var item = ItemAttributes()
    item.service = "mail"
    item.accessibility = accessibility
    item.values[.statedAccessibility] = stated.map { .text($0) }
    return item
  }

  @Test("A5: a deprecated class is read back, found by, and protected as the one in its place")
  func readBack() throws {
    let added = try keychain.add(item(stated: "dk", .afterFirstUnlock), secret: "always")
    #expect(added.values[.statedAccessibility] == .text("dk"))
    #expect(added.accessibility == .afterFirstUnlock)
    let stated = query(nil, [.statedAccessibility: .text("dk")])
    #expect(try keychain.find(stated) == [added])
    #expect(
      try code { _ = try keychain.find(query(nil, [.statedAccessibility: .text("")])) }
        == .errSecItemNotFound)
    keychain.enclave.isLocked = true
    #expect(try keychain.get(stated) == "always")
  }

  @Test("A5: it goes with the class it was said of, and stays with every other change")
  func changed() throws {
    try keychain.add(item(stated: "dk", .afterFirstUnlock))
    try keychain.update(query("mail"), changes(label: "Mail"))
    #expect(try keychain.find()[0].values[.statedAccessibility] == .text("dk"))
    var other = ItemChanges()
    other.accessibility = .whenUnlocked
    try keychain.update(query("mail"), other)
    let item = try keychain.find()[0]
    #expect(item.values[.statedAccessibility] == nil && item.accessibility == .whenUnlocked)
    var back = ItemChanges()
    back.accessibility = .afterFirstUnlockThisDeviceOnly
    back.terms[.statedAccessibility] = .text("dku")
    try keychain.update(query("mail"), back)
    #expect(try keychain.find()[0].values[.statedAccessibility] == .text("dku"))
    try keychain.update(query("mail"), changes(guarding: .by(AccessControl(parsing: "presence"))))
    #expect(try keychain.find()[0].values[.statedAccessibility] == .text("dku"))
  }

  @Test("K1: an item becomes synchronizable, and is another one from then on")
  func synchronizable() throws {
    try keychain.add(item(stated: nil, .whenUnlocked), secret: "one")
    var changes = ItemChanges()
    changes.isSynchronizable = true
    #expect(try keychain.update(query("mail"), changes) == 1)
    #expect(try code { _ = try keychain.find(query("mail")) } == .errSecItemNotFound)
    var wanted = query("mail")
    wanted.isSynchronizable = true
    #expect(try keychain.get(wanted) == "one")
    // Its name is another: there is room for one that is not synchronizable, and none for a second
    // one that is.
    try keychain.add(item(stated: nil, .whenUnlocked), secret: "two")
    #expect(try keychain.get(query("mail")) == "two")
    #expect(try code { try keychain.update(query("mail"), changes) } == .errSecDuplicateItem)
    #expect(try keychain.get(query("mail")) == "two")
  }
}
