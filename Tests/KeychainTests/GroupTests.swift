import Foundation
import GRDB
import Glibc
import Protocol
import Testing

@Suite("Access groups")
final class GroupTests: OneKeychain {
  private static let other = "/usr/bin/news"

  private func query(_ service: String, in group: String?) -> ItemQuery {
    var query = KeychainTests.query(service)
    query.group = group
    return query
  }

  private func all(in group: String?) -> ItemQuery {
    var query = ItemQuery()
    query.group = group
    return query
  }

  private func moving(to group: String) -> ItemChanges {
    var changes = ItemChanges()
    changes.group = group
    return changes
  }

  private func item(_ service: String, in group: String) -> ItemAttributes {
    var item = ItemAttributes()
    item.service = service
    item.account = "ann"
    item.group = group
    return item
  }

  @Test("K2: an item's own group has its application's name, and is meant where none is named")
  func own() throws {
    let added = try keychain.add("mail")
    #expect(added.group == TestKeychain.app)
    #expect(try keychain.find(all(in: TestKeychain.app)) == [added])
    #expect(try keychain.find(all(in: "")) == [added])
    #expect(try keychain.find() == [added])
    try keychain.add("post", app: commandApplication)
    #expect(try keychain.find(app: commandApplication).map(\.group) == [commandApplication])
    #expect(
      try keychain.find(all(in: commandApplication), app: commandApplication).map(\.service)
        == ["post"])
  }

  @Test("K2: what one adds to a group every application reaches that names it, and no other")
  func shared() throws {
    let added = try keychain.add(item("mail", in: "post"), secret: "ours")
    #expect(added.group == "post")
    let theirs = query("mail", in: "post")
    #expect(try keychain.find(all(in: "post"), app: Self.other) == [added])
    #expect(try keychain.get(theirs, app: Self.other) == "ours")
    for group in [nil, "", "Post", "post ", "poste", Self.other] as [String?] {
      let missed = query("mail", in: group)
      #expect(
        try code { _ = try keychain.get(missed, app: Self.other) } == .errSecItemNotFound)
    }
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    #expect(try keychain.update(theirs, changes(label: "L"), app: Self.other) == 1)
    #expect(try keychain.find(query("mail", in: "post")).map(\.label) == ["L"])
    #expect(try keychain.find(theirs).first?.group == "post")
    // One name is one item in each group.
    #expect(
      try code { try keychain.add(item("mail", in: "post"), app: Self.other) }
        == .errSecDuplicateItem)
    try keychain.add("mail")
    #expect(try keychain.remove(theirs, app: Self.other) == 1)
    #expect(try keychain.find().count == 1)
  }

  @Test(
    "K2: another application's own group cannot be named, whatever is asked of it",
    arguments: [
      "/usr/bin/news", "/", "//", "/usr/bin/mail/", "/usr/bin/mail\u{0}", "/\u{338}", "uid:1000",
      "uid:", "uid:0", "authcore", "uid:\(geteuid())",
    ])
  func foreign(group: String) throws {
    let keychain = keychain
    try keychain.add("mail", secret: "theirs", app: group == "authcore" ? group : Self.other)
    try keychain.add("own")
    let named = query("mail", in: group)
    for body in [
      { _ = try keychain.find(named) }, { _ = try keychain.get(named) },
      { try keychain.update(named, secret: "x") }, { try keychain.remove(named) },
      { try keychain.add(self.item("mail", in: group)) },
      { try keychain.update(KeychainTests.query("own"), self.moving(to: group)) },
      { try keychain.share(named, with: "/usr/bin/chat") },
    ] as [() throws -> Void] {
      let failure = try #require(try failure(of: body))
      #expect(failure.code == .errSecMissingEntitlement && failure.hint != nil, "\(failure)")
    }
    #expect(try keychain.find().map(\.service) == ["own"])
  }

  @Test("K2: a name that is not read as it is, or is too long, is no group's")
  func unreadable() throws {
    for name in ["a\u{0}b", "a\u{202E}b", "\u{1B}[2J", "a\nb", "\u{2028}"] {
      let failure = try #require(try failure { try keychain.add(item("mail", in: name)) })
      #expect(failure.code == .errSecParam)
      #expect(failure.message.unicodeScalars.allSatisfy { !$0.isSteering })
    }
    let long = String(repeating: "g", count: ItemAttributes.longestGroup)
    try keychain.add(item("mail", in: long))
    #expect(try keychain.get(query("mail", in: long)) == "s3cret")
    for count in [1, 10_000] {
      let longer = long + String(repeating: "g", count: count)
      #expect(try code { try keychain.add(item("mail", in: longer)) } == .errSecParam)
      #expect(try code { _ = try keychain.find(all(in: longer)) } == .errSecParam)
    }
    // Texts that Unicode takes for equal are two groups.
    try keychain.add(item("mail", in: "\u{E9}"))
    #expect(
      try code { _ = try keychain.get(query("mail", in: "e\u{301}")) } == .errSecItemNotFound)
  }

  @Test("a group is none of an application's, even where it is called like one without its path")
  func names() throws {
    for name in ["group:post", "post", "mail", "usr/bin/mail", "Authcore", "authcore "] {
      try keychain.add(item("mail", in: name), secret: name)
    }
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    #expect(try code { _ = try keychain.find(app: commandApplication) } == .errSecItemNotFound)
    for name in ["group:post", "post", "mail"] {
      #expect(try keychain.get(query("mail", in: name), app: Self.other) == name)
    }
  }

  @Test("K2: an item moves between groups, and is in the one it moved to alone")
  func moving() throws {
    let added = try keychain.add("mail", label: "L", secret: "moved")
    #expect(try keychain.update(KeychainTests.query("mail"), moving(to: "post")) == 1)
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    let moved = try #require(try keychain.find(all(in: "post"), app: Self.other).first)
    #expect(moved.identifier == added.identifier && moved.label == "L" && moved.group == "post")
    #expect(try keychain.get(query("mail", in: "post"), app: Self.other) == "moved")
    // Whoever names the group may take it for its own.
    #expect(
      try keychain.update(
        query("mail", in: "post"), moving(to: Self.other), secret: "taken", app: Self.other) == 1)
    #expect(try keychain.get(KeychainTests.query("mail"), app: Self.other) == "taken")
    #expect(try code { _ = try keychain.find(all(in: "post")) } == .errSecItemNotFound)
    // Where one of the same name is, it stays.
    try keychain.add("mail", secret: "mine")
    try keychain.add(item("mail", in: "post"))
    #expect(
      try code { try keychain.update(KeychainTests.query("mail"), moving(to: "post")) }
        == .errSecDuplicateItem)
    #expect(try keychain.get(KeychainTests.query("mail")) == "mine")
  }

  @Test("A7 K2: moving a protected item asks for what guards it")
  func movingProtected() throws {
    try keychain.add("mail", secret: "gold", access: "presence")
    let needed = TestKeychain.NeedsEvidence(
      needed: EvidenceNeeded(
        accessControl: try AccessControl(.presence), held: [], item: "mail"))
    #expect(throws: needed) {
      try keychain.update(KeychainTests.query("mail"), moving(to: "post"))
    }
    #expect(try keychain.find().count == 1)
    keychain.enclave.evidence[1] = .passcode
    #expect(try keychain.update(KeychainTests.query("mail"), moving(to: "post")) == 1)
    #expect(try keychain.get(query("mail", in: "post"), app: Self.other) == "gold")
  }

  @Test("K2: a row that is moved to another group in the file opens in neither")
  func movedByHand() throws {
    try keychain.add("mail", secret: "mine")
    try keychain.add("news", app: Self.other)
    try keychain.add(item("chat", in: "post"))
    try tamper(folder) { database in
      // Each row gets the group of the next one.
      try database.execute(
        sql: """
          UPDATE items SET accessGroup = (
            SELECT other.accessGroup FROM items AS other
            WHERE other.sequence = items.sequence % (SELECT count(*) FROM items) + 1)
          """)
    }
    for (group, app) in [(nil, TestKeychain.app), (nil, Self.other), ("post", Self.other)] {
      let found = try code { _ = try keychain.find(all(in: group), app: app) }
      #expect(found == .errSecDecode || found == .errSecItemNotFound)
      for service in ["mail", "news", "chat"] {
        #expect(try code { _ = try keychain.get(query(service, in: group), app: app) } != nil)
      }
    }
  }
}
