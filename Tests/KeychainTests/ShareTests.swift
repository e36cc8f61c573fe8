import Foundation
import GRDB
import Protocol
import Testing

@Suite("Items that are shared with another application")
final class ShareTests: OneKeychain {
  private static let other = "/usr/bin/news"
  private static let third = "/usr/bin/chat"

  override init() throws {
    try super.init()
    keychain.enclave.isPasscodeSet = false
  }

  private func isMissing(_ query: ItemQuery, for application: String) throws -> Bool {
    try code { _ = try keychain.get(query, app: application) } == .errSecItemNotFound
  }

  @Test("K2: what is shared is found and opened by the one it is shared with, and by nobody else")
  func reading() throws {
    let added = try keychain.add("mail", label: "L", secret: "gold")
    try keychain.add("else", secret: "mine")
    let shared = try keychain.share(query("mail"), with: Self.other)
    #expect(shared.sharedWith == [Self.other] && shared.modifiedAt == added.modifiedAt)
    #expect(try keychain.find(query("mail")) == [shared])
    for wanted in [ItemQuery(), query("mail"), query(label: "L"), query("mail", "ann")] {
      #expect(try keychain.find(wanted, app: Self.other) == [added])
    }
    #expect(try keychain.get(query("mail"), app: Self.other) == "gold")
    #expect(try isMissing(query("else"), for: Self.other))
    #expect(try code { _ = try keychain.find(app: Self.third) } == .errSecItemNotFound)
    // A query that names a group asks for nothing of others.
    var own = ItemQuery()
    own.group = Self.other
    #expect(try code { _ = try keychain.find(own, app: Self.other) } == .errSecItemNotFound)
    let again = try TestKeychain(folder)
    #expect(try again.get(query("mail"), app: Self.other) == "gold")
  }

  @Test("K2: whom an item is shared with neither changes nor removes it, nor shares it in turn")
  func onlyReading() throws {
    let keychain = keychain
    try keychain.add("mail", secret: "gold")
    try keychain.share(query("mail"), with: Self.other)
    let before = try keychain.find()
    for body in [
      { try keychain.update(query("mail"), secret: "x", app: Self.other) },
      { try keychain.update(ItemQuery(), changes(label: "x"), all: true, app: Self.other) },
      { try keychain.remove(query("mail"), all: true, app: Self.other) },
      { try keychain.share(query("mail"), with: Self.third, app: Self.other) },
      { try keychain.share(query("mail"), with: Self.other, isShared: false, app: Self.third) },
    ] as [() throws -> Void] {
      #expect(try code(of: body) == .errSecItemNotFound)
    }
    #expect(try keychain.find() == before)
    #expect(try keychain.get(query("mail")) == "gold")
  }

  @Test("K2: what is shared no longer is gone for the other, and so is what was moved or removed")
  func ending() throws {
    try keychain.add("mail", secret: "gold")
    func isReached() throws -> Bool {
      try code { _ = try keychain.get(query("mail"), app: Self.other) } == nil
    }
    try keychain.share(query("mail"), with: Self.other)
    try keychain.share(query("mail"), with: Self.third)
    #expect(try keychain.share(query("mail"), with: Self.other).sharedWith.count == 2)
    #expect(try isReached())
    let left = try keychain.share(query("mail"), with: Self.other, isShared: false)
    #expect(left.sharedWith == [Self.third])
    #expect(try !isReached())
    #expect(try keychain.get(query("mail"), app: Self.third) == "gold")
    #expect(
      try code { try keychain.share(query("mail"), with: Self.other, isShared: false) }
        == .errSecItemNotFound)
    // A change of anything else leaves it shared.
    try keychain.update(query("mail"), changes(label: "L"), secret: "new")
    #expect(try keychain.get(query("mail"), app: Self.third) == "new")
    var moved = ItemChanges()
    moved.group = "post"
    try keychain.update(query("mail"), moved)
    #expect(try isMissing(query("mail"), for: Self.third))
    var back = query("mail")
    back.group = "post"
    moved.group = TestKeychain.app
    try keychain.update(back, moved)
    #expect(try keychain.find().first?.sharedWith == [])
    try keychain.share(query("mail"), with: Self.third)
    try keychain.remove(query("mail"))
    #expect(try code { _ = try keychain.find(app: Self.third) } == .errSecItemNotFound)
  }

  @Test("what is shared stands beside the other's own items, and one of both is meant by its id")
  func beside() throws {
    try keychain.add("mail", secret: "own", app: Self.other)
    let shared = try keychain.add("mail", secret: "gold")
    try keychain.share(query("mail"), with: Self.other)
    #expect(try keychain.find(query("mail"), app: Self.other).count == 2)
    #expect(try code { _ = try keychain.get(query("mail"), app: Self.other) } == .ambiguous)
    var one = ItemQuery()
    one.identifier = shared.identifier
    #expect(try keychain.get(one, app: Self.other) == "gold")
    one.identifier = nil
    one.group = Self.other
    #expect(try keychain.get(one, app: Self.other) == "own")
    // Changing what is meant by the same name changes its own.
    #expect(try keychain.update(query("mail"), secret: "new", app: Self.other) == 1)
    #expect(try keychain.get(query("mail")) == "gold")
  }

  @Test("A3 K2: an item that is shared still asks for what guards it, and sharing for the owner")
  func evidence() throws {
    try keychain.add("mail", secret: "gold")
    keychain.enclave.isPasscodeSet = true
    func presence(_ item: String? = nil) throws -> TestKeychain.NeedsEvidence {
      .init(
        needed: EvidenceNeeded(accessControl: try AccessControl(.presence), held: [], item: item))
    }
    #expect(throws: try presence()) { try keychain.share(query("mail"), with: Self.other) }
    #expect(try code { _ = try keychain.find(app: Self.other) } == .errSecItemNotFound)
    keychain.enclave.evidence[1] = .passcode
    try keychain.share(query("mail"), with: Self.other)
    keychain.enclave.evidence[1] = nil
    #expect(try keychain.get(query("mail"), app: Self.other) == "gold")
    try keychain.update(query("mail"), changes(guarding: .by(AccessControl(.presence))))
    #expect(throws: try presence("mail")) { try keychain.get(query("mail"), app: Self.other) }
    // Ending a grant asks nobody.
    try keychain.share(query("mail"), with: Self.other, isShared: false)
    #expect(try code { _ = try keychain.find(app: Self.other) } == .errSecItemNotFound)
  }

  @Test("K6: of what is shared and closed nothing is said but that something may be")
  func closed() throws {
    try keychain.add("mail")
    try keychain.share(query("mail"), with: Self.other)
    keychain.enclave.isLocked = true
    for name in ["mail", "none"] {
      #expect(
        try code { _ = try keychain.get(query(name), app: Self.other) }
          == .errSecInteractionNotAllowed)
    }
    try keychain.add("mail", secret: "own", app: Self.other, accessible: .afterFirstUnlock)
    #expect(try keychain.get(query("mail"), app: Self.other) == "own")
  }

  @Test("what is no other application is refused, and so are more than an item can be shared with")
  func refused() throws {
    try keychain.add("mail")
    for name in ["", "news", "group", TestKeychain.app, "Authcore"] {
      #expect(try code { try keychain.share(query("mail"), with: name) } == .errSecParam)
    }
    let long = "/" + String(repeating: "n", count: longestApplication)
    #expect(try code { try keychain.share(query("mail"), with: long) } == .errSecParam)
    #expect(try code { try keychain.share(ItemQuery(), with: Self.other) } == .errSecParam)
    var grouped = query("mail")
    grouped.group = "post"
    #expect(try code { try keychain.share(grouped, with: Self.other) } == .errSecParam)
    for index in 0..<ItemAttributes.mostShares {
      try keychain.share(query("mail"), with: "/usr/bin/\(index)")
    }
    let failure = try #require(try failure { try keychain.share(query("mail"), with: Self.other) })
    #expect(failure.code == .errSecParam && failure.message.contains("16"))
    try keychain.add("news")
    try keychain.add("news", "bob")
    #expect(try code { try keychain.share(query("news"), with: Self.other) } == .ambiguous)
  }

  @Test("K2: an item that is added is shared with nobody, whatever the message says")
  func adding() throws {
    var item = ItemAttributes()
    item.service = "mail"
    item.sharedWith = [Self.other]
    #expect(try keychain.add(item).sharedWith == [])
    #expect(try code { _ = try keychain.find(app: Self.other) } == .errSecItemNotFound)
  }

  @Test("E1 K2: who writes the file shares nothing: what is sealed says with whom an item is")
  func written() throws {
    try keychain.add("mail", secret: "gold")
    try keychain.add("news", secret: "shared")
    try keychain.share(query("news"), with: Self.other)
    try tamper(folder) { database in
      try database.execute(
        sql: """
          UPDATE items SET sharedWith = (SELECT sharedWith FROM items WHERE sharedWith IS NOT NULL)
          """)
    }
    #expect(try keychain.find(app: Self.other).map(\.service) == ["news"])
    #expect(try isMissing(query("mail"), for: Self.other))
    // The attributes of the one that is shared, in the other's row.
    try tamper(folder) { database in
      try database.execute(
        sql: """
          UPDATE items SET sealedAttributes =
            (SELECT sealedAttributes FROM items ORDER BY sequence DESC LIMIT 1)
          """)
    }
    #expect(try keychain.find(app: Self.other).map(\.service) == ["news"])
    #expect(try keychain.get(ItemQuery(), app: Self.other) == "shared")
    // The column alone ends it, and the owner can share it again.
    try tamper(folder) { try $0.execute(sql: "UPDATE items SET sharedWith = NULL") }
    #expect(try code { _ = try keychain.find(app: Self.other) } == .errSecItemNotFound)
    try keychain.share(query("news"), with: Self.other)
    #expect(try keychain.get(ItemQuery(), app: Self.other) == "shared")
    #expect(try !contains(folder.everything, Array(Self.other.utf8)))
  }

  @Test("while nothing is shared a query costs the enclave no message more")
  func cost() throws {
    try keychain.add("mail")
    func messages(_ body: () throws -> Void) rethrows -> Int {
      let before = keychain.enclave.counts.values.reduce(0, +)
      try body()
      return keychain.enclave.counts.values.reduce(0, +) - before
    }
    // The fake enclave answers the two parts of one message apart.
    #expect(try messages { _ = try keychain.get(query("mail")) } == 3)
    #expect(try messages { _ = try keychain.find(query("mail")) } == 2)
    try keychain.share(query("mail"), with: Self.other)
    #expect(try messages { _ = try keychain.get(query("mail"), app: Self.other) } == 4)
  }
}
