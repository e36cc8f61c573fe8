import Protocol
import Testing

@Suite("Keychain items")
final class ItemTests: OneKeychain {
  @Test("K8: query first; nothing there: add; changed: update; done: remove")
  func flow() throws {
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
    try keychain.add("mail", secret: "one")
    #expect(try keychain.get(query("mail")) == "one")
    #expect(try keychain.update(query("mail"), secret: "two") == 1)
    #expect(try keychain.get(query("mail")) == "two")
    #expect(try keychain.remove(query("mail")) == 1)
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
    #expect(try code { try keychain.remove(query("mail")) } == .errSecItemNotFound)
    #expect(try code { try keychain.update(query("mail"), secret: "x") } == .errSecItemNotFound)
  }

  @Test("K3: an item is its attributes and a secret; the keychain gives it an identifier and times")
  func attributes() throws {
    let added = try keychain.add("mail", "ann", label: "Post", secret: "")
    #expect(added.identifier.count == 32)
    #expect(added.createdAt > 0 && added.modifiedAt == added.createdAt)
    #expect(added.service == "mail" && added.account == "ann" && added.label == "Post")
    #expect(added.accessibility == .whenUnlocked && added.accessControl == nil)
    #expect(try keychain.find() == [added])
    #expect(try keychain.get(query("mail")) == "")
  }

  @Test("K1: items outlive the engine, and come oldest first")
  func persistence() throws {
    for name in ["c", "a", "b"] { try keychain.add(name, secret: name) }
    let again = try TestKeychain(folder)
    #expect(try again.find().map(\.service) == ["c", "a", "b"])
    #expect(try again.get(query("a")) == "a")
  }

  @Test("K2: an application reaches its own items and never those of another")
  func applications() throws {
    try keychain.add("mail", secret: "mine")
    try keychain.add("mail", secret: "theirs", app: "/usr/bin/news")
    #expect(try keychain.get(query("mail")) == "mine")
    #expect(try keychain.get(query("mail"), app: "/usr/bin/news") == "theirs")
    #expect(try keychain.find().count == 1)
    #expect(try code { _ = try keychain.find(app: "/usr/bin/chat") } == .errSecItemNotFound)
    #expect(try keychain.update(ItemQuery(), secret: "new", all: true) == 1)
    #expect(try keychain.remove(query("mail"), all: true) == 1)
    #expect(try keychain.get(query("mail"), app: "/usr/bin/news") == "theirs")
  }

  @Test("one service and account is one item; service alone or account alone may repeat")
  func duplicates() throws {
    try keychain.add("mail", "ann", secret: "one")
    #expect(
      try code { try keychain.add("mail", "ann", label: "other", secret: "two") }
        == .errSecDuplicateItem)
    try keychain.add("mail", "bob")
    try keychain.add("news", "ann")
    #expect(try keychain.get(query("mail", "ann")) == "one")
    // No name may be made up of two others.
    try keychain.add("mailann", "")
    try keychain.add("", "mailann")
    #expect(try keychain.find().count == 5)
  }

  @Test(
    "items are found by every attribute and every combination",
    arguments: [
      (query("mail"), 2), (query(nil, "ann"), 2), (query(label: "L"), 2), (query("mail", "ann"), 1),
      (query("mail", label: "L"), 1), (query(nil, "ann", label: "L"), 1),
      (query("mail", "bob", label: "L"), 1), (query("mail", "ann", label: "L"), 0),
      (query("mai"), 0), (ItemQuery(), 3),
    ])
  func finding(_ query: ItemQuery, _ count: Int) throws {
    try keychain.add("mail", "ann")
    try keychain.add("mail", "bob", label: "L")
    try keychain.add("news", "ann", label: "L")
    var classed = query
    classed.itemClass = .generic
    for query in [query, classed] {
      if count == 0 {
        #expect(try code { _ = try keychain.find(query) } == .errSecItemNotFound)
      } else {
        #expect(try keychain.find(query).count == count)
      }
    }
  }

  @Test("an ambiguous name is refused and its candidates are listed, unless all are meant")
  func ambiguity() throws {
    let keychain = keychain
    try keychain.add("mail", "ann", label: "Post\u{1B}[2J")
    try keychain.add("mail", "bob")
    for body in [
      { _ = try keychain.get(query("mail")) }, { try keychain.update(query("mail"), secret: "x") },
      { try keychain.remove(query("mail")) },
    ] as [() throws -> Void] {
      let failure = try #require(try failure(of: body))
      #expect(failure.code == .ambiguous)
      #expect(failure.message.contains("2 items match: mail/ann “Post"))
      #expect(failure.message.contains("mail/bob"))
      #expect(!failure.message.contains("\u{1B}"), "a name may not steer the terminal")
      #expect(failure.hint != nil)
    }
    #expect(try keychain.update(query("mail"), secret: "same", all: true) == 2)
    #expect(try keychain.get(query("mail", "bob")) == "same")
    #expect(try keychain.remove(query("mail"), all: true) == 2)
  }

  @Test("a long list of candidates is cut")
  func longAmbiguity() throws {
    for index in 0..<12 {
      try keychain.add("mail", "\(index)" + String(repeating: "x", count: 900))
    }
    let failure = try #require(try failure { _ = try keychain.get(query("mail")) })
    #expect(failure.message.contains("12 items match"))
    #expect(failure.message.contains("4 more"))
    #expect(failure.message.count < 600)
  }

  @Test("an update changes what it names, keeps the item's identity and its time of creation")
  func update() throws {
    let added = try keychain.add("mail", "ann", label: "Post", secret: "one")
    try keychain.update(query("mail"), changes(account: "anna", label: ""))
    let found = try #require(try keychain.find(query("mail", "anna")).first)
    #expect(found.identifier == added.identifier && found.createdAt == added.createdAt)
    #expect(found.modifiedAt > added.modifiedAt)
    #expect(found.label == "")
    #expect(try keychain.get(query("mail", "anna")) == "one")
    #expect(try code { _ = try keychain.find(query("mail", "ann")) } == .errSecItemNotFound)
    #expect(try code { _ = try keychain.find(query(label: "Post")) } == .errSecItemNotFound)
  }

  @Test("an update that would make two items one is refused and changes nothing")
  func updateToDuplicate() throws {
    try keychain.add("mail", "ann")
    try keychain.add("mail", "bob")
    let before = try keychain.find()
    #expect(
      try code { try keychain.update(query("mail", "bob"), changes(account: "ann")) }
        == .errSecDuplicateItem)
    #expect(
      try code { try keychain.update(query("mail"), changes(account: "eve"), all: true) }
        == .errSecDuplicateItem)
    #expect(try keychain.find() == before)
  }

  @Test("an update without a change is refused")
  func emptyUpdate() throws {
    try keychain.add("mail")
    #expect(try code { try keychain.update(query("mail")) } == .errSecParam)
  }

  @Test("K4: a small secret is taken up to its limit, a larger one is refused with the reason")
  func sizes() throws {
    let largest = String(repeating: "k", count: largestItemSecret)
    try keychain.add("key", secret: largest)
    #expect(try keychain.get(query("key")) == largest)
    let failure = try #require(try failure { try keychain.add("disk", secret: largest + "k") })
    #expect(failure.code == .errSecParam)
    #expect(failure.message.contains("at most \(largestItemSecret)"))
    let longName = String(repeating: "n", count: AttributeValue.longestText + 1)
    #expect(try code { try keychain.add(longName) } == .errSecParam)
  }
}

@Suite("The clock")
struct ClockTests {
  // In a process of its own, since all hosts have one clock.
  @Test("a clock that is set back, before 1970 even, changes dates and nothing else")
  func setBack() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let keychain = try TestKeychain(folder)
      let first = try keychain.add("mail", secret: "1")
      for time in [1_000, 0, -1_000_000_000] as [Int64] {
        FakeHost.setClock(to: time)
        try keychain.update(query("mail"), secret: "at \(time)")
        try keychain.add("added at \(time)")
        let items = try TestKeychain(folder).find()
        let mail = try #require(items.first)
        #expect(mail.service == "mail", "the order is that of adding")
        #expect(mail.createdAt == first.createdAt && mail.modifiedAt < mail.createdAt)
        #expect(items.last?.service == "added at \(time)")
        #expect(try keychain.get(query("mail")) == "at \(time)")
      }
      #expect(try keychain.find().count == 4)
      #expect(try keychain.remove(ItemQuery.everything, all: true) == 4)
    }
  }
}

extension ItemQuery {
  /// What all items here have.
  fileprivate static var everything: ItemQuery {
    var query = ItemQuery()
    query.account = "ann"
    return query
  }
}
