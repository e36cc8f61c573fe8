import Glibc
import Protocol
import Testing

@testable import KeychainEngine

@Suite("Applications and their own groups")
final class ApplicationTests: OneKeychain {
  @Test("K2: a program that cannot be told from others has no items and gets none")
  func unknown() throws {
    let keychain = keychain
    try keychain.add("mail")
    let nobody = ""
    for body in [
      { try keychain.add("mine", app: nobody) }, { _ = try keychain.find(app: nobody) },
      { _ = try keychain.get(query("mail"), app: nobody) },
      { try keychain.update(query("mail"), secret: "x", app: nobody) },
      { try keychain.remove(query("mail"), app: nobody) },
      { try keychain.createKey("deploy", app: nobody) },
      { _ = try keychain.findKeys(app: nobody) }, { try keychain.removeKey("deploy", app: nobody) },
      { _ = try keychain.useKey("deploy", app: nobody) },
    ] as [() throws -> Void] {
      let failure = try #require(try failure(of: body))
      #expect(failure.code == .errSecMissingEntitlement && failure.hint != nil)
      #expect(failure.code.exitCode == 4)
    }
    #expect(try keychain.get(query("mail")) == "s3cret")
  }

  @Test("K2: what all programs of the user shared belongs to the command, as it was sealed")
  func itemsOfTheUser() throws {
    // The core of an earlier version named every program so.
    let before = "uid:\(geteuid())"
    try keychain.add("mail", secret: "old", app: before)
    try keychain.createKey("deploy", app: before)
    #expect(try keychain.get(query("mail"), app: commandApplication) == "old")
    #expect(try keychain.findKeys(app: commandApplication).map(\.name) == ["deploy"])
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
  }

  @Test(
    "K2: of two names that look or compare alike each is an application of its own",
    arguments: [
      ("/usr/bin/\u{E9}", "/usr/bin/e\u{301}"), ("/usr/bin/a", "/usr/bin/a\u{0}"),
      ("/usr/bin/a", "/usr/bin/\u{202E}a"), ("/usr/bin/a", "/usr/bin/a/"),
      ("/usr/bin/a", "/usr/bin/\u{430}"), ("/usr/bin", "/usr/bin/"),
      ("/authcore", "authcore"), ("/usr/bin/a", "/usr/bin/A"),
    ])
  func alike(one: String, other: String) throws {
    try keychain.add("mail", secret: "one", app: one)
    #expect(try code { _ = try keychain.get(query("mail"), app: other) } == .errSecItemNotFound)
    try keychain.add("mail", secret: "other", app: other)
    #expect(try keychain.get(query("mail"), app: one) == "one")
    #expect(try keychain.remove(query("mail"), app: other) == 1)
    #expect(try keychain.find(app: one).count == 1)
  }
}

@Suite("Which applications keep something, and forgetting one")
final class ApplicationListTests: OneKeychain {
  private static let other = "/usr/bin/news"

  override init() throws {
    try super.init()
    keychain.enclave.isPasscodeSet = false
  }

  private func list(for application: String = commandApplication) throws -> [ApplicationHoldings] {
    let reply: FoundApplications = try keychain.send(FindApplications(), app: application)
    return reply.applications
  }

  private func forget(
    _ name: String, for application: String = commandApplication
  ) throws -> UInt32 {
    let reply: ItemsChanged = try keychain.send(
      ForgetApplication(application: name), app: application)
    return reply.count
  }

  @Test("applications are listed with what they have, and groups that they name are none")
  func listing() throws {
    #expect(try list() == [])
    try keychain.add("mail")
    try keychain.add("chat")
    try keychain.add("mail", app: Self.other)
    try keychain.add("own", app: commandApplication)
    try keychain.createKey("deploy", app: Self.other)
    var grouped = ItemAttributes()
    grouped.service = "together"
    grouped.group = "family"
    try keychain.add(grouped)
    try keychain.share(query("mail"), with: Self.other)
    #expect(
      try list() == [
        ApplicationHoldings(application: TestKeychain.app, items: 2),
        ApplicationHoldings(application: Self.other, items: 1, keys: 1, shared: 1),
        ApplicationHoldings(application: commandApplication, items: 1),
      ])
  }

  private func items(
    of name: String, for application: String = commandApplication
  ) throws -> [String] {
    let reply: FoundItems = try keychain.send(
      FindItemsOfApplication(application: name), app: application)
    return reply.items.map(\.service)
  }

  @Test("K2: the owner sees what items of an application are called, once it is proved who asks")
  func itemsOfOne() throws {
    try keychain.add("mail")
    try keychain.add("news", app: Self.other)
    try keychain.add("chat", app: Self.other)
    #expect(try items(of: Self.other) == ["news", "chat"])
    #expect(try items(of: TestKeychain.app) == ["mail"])
    for stranger in [TestKeychain.app, Self.other] {
      #expect(
        try code { _ = try items(of: Self.other, for: stranger) } == .errSecMissingEntitlement)
    }
    for name in ["", "family", "news"] {
      #expect(try code { _ = try items(of: name) } == .errSecParam)
    }
    #expect(try code { _ = try items(of: "/usr/bin/nothing") } == .errSecItemNotFound)
    keychain.enclave.isPasscodeSet = true
    #expect(throws: TestKeychain.NeedsEvidence.self) { try items(of: Self.other) }
    keychain.enclave.isPasscodeSet = false
    keychain.enclave.isLocked = true
    #expect(try code { _ = try items(of: Self.other) } == .errSecInteractionNotAllowed)
  }

  @Test("K2: one that is forgotten has nothing left, and nobody else has lost anything")
  func forgetting() throws {
    try keychain.add("mail", secret: "mine")
    try keychain.share(query("mail"), with: Self.other)
    try keychain.add("mail", secret: "theirs", app: Self.other)
    try keychain.add("chat", app: Self.other)
    try keychain.createKey("deploy", app: Self.other)
    try keychain.share(query("mail"), with: TestKeychain.app, app: Self.other)
    #expect(try forget(Self.other) == 4)
    #expect(try list() == [ApplicationHoldings(application: TestKeychain.app, items: 1)])
    #expect(try code { _ = try keychain.find(app: Self.other) } == .errSecItemNotFound)
    #expect(try keychain.find().map(\.sharedWith) == [[]])
    #expect(try keychain.get(query("mail")) == "mine")
    let again = try TestKeychain(folder)
    again.enclave.isPasscodeSet = false
    #expect(try code { _ = try again.find(app: Self.other) } == .errSecItemNotFound)
    #expect(try code { _ = try forget(Self.other) } == .errSecItemNotFound)
  }

  @Test("K2: where a passcode is set the owner is asked before anything of another program goes")
  func presence() throws {
    try keychain.add("mail", app: Self.other)
    keychain.enclave.isPasscodeSet = true
    #expect(throws: TestKeychain.NeedsEvidence.self) { try forget(Self.other) }
    #expect(try list().map(\.application) == [Self.other])
  }

  @Test("K2: no program but the owner's own sees who is there, or has another one forgotten")
  func strangers() throws {
    try keychain.add("mail", app: Self.other)
    for stranger in [TestKeychain.app, Self.other, "//unit/backup.service"] {
      #expect(try code { _ = try list(for: stranger) } == .errSecMissingEntitlement)
      #expect(
        try code { _ = try forget(Self.other, for: stranger) } == .errSecMissingEntitlement)
    }
    #expect(try list().map(\.items) == [1])
  }

  @Test("K6: of a locked device nobody is forgotten, and what is closed is not listed")
  func locked() throws {
    try keychain.add("mail", app: Self.other)
    keychain.enclave.isLocked = true
    #expect(try code { _ = try forget(Self.other) } == .errSecInteractionNotAllowed)
    #expect(try code { _ = try list() } == .errSecInteractionNotAllowed)
    keychain.enclave.isLocked = false
    #expect(try list().map(\.items) == [1])
  }

  @Test("what is no name of an application's is refused", arguments: ["", "family", "news"])
  func wrongNames(name: String) throws {
    #expect(try code { _ = try forget(name) } == .errSecParam)
  }
}
