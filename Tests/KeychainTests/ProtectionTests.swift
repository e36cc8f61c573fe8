import Protocol
import Testing

@Suite("Keychain protection")
final class ProtectionTests: OneKeychain {
  @Test("K6: while the device is locked its items cannot be added, read, found or updated")
  func locked() throws {
    try keychain.add("mail")
    keychain.enclave.isLocked = true
    #expect(try code { try keychain.add("news") } == .errSecInteractionNotAllowed)
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecInteractionNotAllowed)
    #expect(try code { _ = try keychain.find() } == .errSecInteractionNotAllowed)
    #expect(
      try code { try keychain.update(query("mail"), secret: "x") } == .errSecInteractionNotAllowed)
    keychain.enclave.isLocked = false
    #expect(try keychain.get(query("mail")) == "s3cret")
    #expect(try keychain.find().count == 1)
  }

  @Test("K6, A5: what is open while locked is found beside what is not")
  func partlyOpen() throws {
    try keychain.add("mail", "closed")
    try keychain.add("mail", "open", secret: "agent", accessible: .afterFirstUnlock)
    keychain.enclave.isLocked = true
    #expect(try keychain.find().map(\.account) == ["open"])
    #expect(try keychain.get(query("mail", "open")) == "agent")
    #expect(try keychain.get(query("mail")) == "agent")
    try keychain.update(query("mail"), secret: "x", all: true)
    #expect(try keychain.get(query("mail")) == "x")
    keychain.enclave.isFirstUnlocked = false
    #expect(try code { _ = try keychain.find() } == .errSecInteractionNotAllowed)
  }

  @Test(
    "K6: while a class is closed nothing tells whether a closed item is there, removing included")
  func noOracle() throws {
    try keychain.add("mail", access: "presence")
    try keychain.add("news", accessible: .afterFirstUnlock)
    let present = query("mail", "ann")
    let absent = query("mail", "nobody")
    func failures(_ query: ItemQuery) throws -> [Failure?] {
      [
        try failure { try keychain.remove(query) },
        try failure { try keychain.remove(query, all: true) },
        try failure { _ = try keychain.get(query) }, try failure { _ = try keychain.find(query) },
        try failure { try keychain.update(query, secret: "x") },
      ]
    }
    keychain.enclave.isLocked = true
    let before = keychain.enclave.counts.values.reduce(0, +)
    let ofPresent = try failures(present)
    let middle = keychain.enclave.counts.values.reduce(0, +)
    #expect(try failures(absent) == ofPresent)
    #expect(ofPresent.allSatisfy { $0?.code == .errSecInteractionNotAllowed })
    // Not even by what it costs: a lookup that finds nothing has no attributes to open, and no
    // more.
    #expect(keychain.enclave.counts.values.reduce(0, +) - middle <= middle - before)
    #expect(try keychain.remove(query("news")) == 1, "what is open can be removed")
    keychain.enclave.isLocked = false
    #expect(try failures(absent).allSatisfy { $0?.code == .errSecItemNotFound })
    #expect(try keychain.find(present).count == 1)
  }

  @Test(
    "ATTACKS 13: a removal takes what is open, and says and takes nothing of what is closed",
    arguments: [false, true])
  func partlyClosedRemoval(all: Bool) throws {
    try keychain.add("mail", "closed")
    try keychain.add("mail", "open", accessible: .afterFirstUnlock)
    keychain.enclave.isLocked = true
    #expect(try keychain.remove(query("mail"), all: all) == 1)
    #expect(
      try code { try keychain.remove(query("mail"), all: all) } == .errSecInteractionNotAllowed)
    keychain.enclave.isLocked = false
    #expect(try keychain.find().map(\.account) == ["closed"])
  }

  @Test("a class that a query names and that is open is no reason not to answer")
  func namedClass() throws {
    try keychain.add("mail")
    keychain.enclave.isLocked = true
    var query = query("mail")
    query.accessibility = .afterFirstUnlock
    #expect(try code { _ = try keychain.get(query) } == .errSecItemNotFound)
    query.accessibility = .whenUnlocked
    #expect(try code { _ = try keychain.get(query) } == .errSecInteractionNotAllowed)
  }

  @Test(
    "ATTACKS 13: a removal that names nothing is refused, whatever it allows and whoever asks",
    arguments: [false, true])
  func removeEverything(isLocked: Bool) throws {
    try keychain.add("mail")
    try keychain.add("news", accessible: .afterFirstUnlock)
    keychain.enclave.isLocked = isLocked
    for all in [false, true] {
      for isSynchronizable in [nil, false, true] as [Bool?] {
        var everything = ItemQuery()
        everything.isSynchronizable = isSynchronizable
        #expect(try code { try keychain.remove(everything, all: all) } == .errSecParam)
      }
    }
    keychain.enclave.isLocked = false
    #expect(try keychain.find().count == 2)
  }

  @Test("A9: an item with access control stays on this device", arguments: Accessibility.allCases)
  func deviceOnly(_ accessibility: Accessibility) throws {
    let added = try keychain.add("mail", accessible: accessibility, access: "biometry-current")
    #expect(added.accessibility.isThisDeviceOnly)
    #expect(added.accessibility == accessibility.onThisDeviceOnly)
    let plain = try keychain.add("news", accessible: accessibility)
    #expect(plain.accessibility == accessibility)
    #expect(try keychain.find() == [added, plain])
  }

  @Test(
    "E1, E4, A3: a protected item opens with the evidence the enclave holds, and says what it needs"
  )
  func evidence() throws {
    try keychain.add("mail", access: "biometry-any and passcode")
    let control = try AccessControl(parsing: "biometry-any and passcode")
    func needed(_ held: EvidenceSet) -> TestKeychain.NeedsEvidence {
      .init(needed: EvidenceNeeded(accessControl: control, held: held, item: "mail"))
    }
    #expect(throws: needed([])) { try keychain.get(query("mail"), context: 7) }
    keychain.enclave.evidence[7] = .biometry
    #expect(throws: needed(.biometry)) { try keychain.get(query("mail"), context: 7) }
    keychain.enclave.evidence[7] = [.biometry, .passcode]
    #expect(try keychain.get(query("mail"), context: 7) == "s3cret")
    #expect(throws: needed([])) { try keychain.get(query("mail"), context: 8) }
  }

  @Test("A7, A8: an update of several items needs the evidence of each; without it none is changed")
  func protectedUpdate() throws {
    try keychain.add("mail", "plain", secret: "one")
    try keychain.add("mail", "touch", secret: "one", access: "biometry-any")
    try keychain.add("mail", "code", secret: "one", access: "passcode")
    keychain.enclave.evidence[7] = .biometry
    let before = try keychain.find()
    #expect(throws: TestKeychain.NeedsEvidence.self) {
      try keychain.update(query("mail"), secret: "two", all: true, context: 7)
    }
    #expect(throws: TestKeychain.NeedsEvidence.self, "attributes are protected too") {
      try keychain.update(query("mail", "code"), changes(label: "L"), context: 7)
    }
    #expect(try keychain.find() == before)
    #expect(try keychain.get(query("mail", "plain")) == "one")
    keychain.enclave.evidence[7] = [.biometry, .passcode]
    #expect(try keychain.update(query("mail"), secret: "two", all: true, context: 7) == 3)
    for account in ["plain", "touch", "code"] {
      #expect(try keychain.get(query("mail", account), context: 7) == "two")
    }
    #expect(try keychain.find().map(\.accessControl) == before.map(\.accessControl))
  }

  @Test("A4: without a passcode no protected item can be added")
  func noPasscode() throws {
    keychain.enclave.isPasscodeSet = false
    #expect(try code { try keychain.add("mail", access: "presence") } == .passcodeNotSet)
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound, "nothing is stored")
    try keychain.add("mail")
  }

  @Test("with the passcode go its class and every item with access control, of all applications")
  func passcodeBound() throws {
    try keychain.add("stays", "one")
    try keychain.add("stays", "two", accessible: .afterFirstUnlockThisDeviceOnly)
    try keychain.add("goes", "three", accessible: .whenPasscodeSetThisDeviceOnly)
    try keychain.add("goes", "four", app: "/usr/bin/news", access: "presence")
    try keychain.add("goes", "five", accessible: .afterFirstUnlock, access: "passcode")
    #expect(try keychain.removePasscodeBound() == 3)
    #expect(try keychain.find().map(\.service) == ["stays", "stays"])
    #expect(try code { _ = try keychain.find(app: "/usr/bin/news") } == .errSecItemNotFound)
    #expect(try keychain.removePasscodeBound() == 0)
  }

  @Test("K5, E1: no name and no secret lies readable in the folder")
  func nothingReadable() throws {
    try keychain.add(
      "a-telling-service", "a-telling-account", label: "a-telling-label",
      secret: "a-telling-secret", app: "/a-telling-app")
    try keychain.update(
      query("a-telling-service"), changes(label: "another-label"), secret: "another-secret",
      app: "/a-telling-app")
    let everything = try folder.everything
    for text in ["a-telling", "another", "service-", TestKeychain.app] {
      #expect(!contains(everything, Array(text.utf8)), "\(text)")
    }
  }
}

@Suite("What applications say of items beside what protects them")
final class StatedAccessibilityTests: OneKeychain {
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
