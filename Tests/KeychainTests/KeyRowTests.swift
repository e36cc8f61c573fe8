import GRDB
import Protocol
import Testing

/// Somebody who can write the database changes rows of keys.
@Suite("Rows of keys that lie", .timeLimit(.minutes(60)))
final class KeyRowTests: OneKeychain {
  override init() throws {
    try super.init()
    try keychain.createKey("deploy", access: "presence")
    try keychain.createKey("mail")
    keychain.enclave.evidence[1] = .biometry
  }

  @Test(
    "E1: a flipped bit of what is sealed is noticed, and such a key can be removed",
    arguments: ["sealedKey", "sealedAttributes", "identifier"])
  func flipped(column: String) throws {
    try flipBit(of: column, in: folder, table: "keys")
    if column != "sealedAttributes" {
      #expect(try code { _ = try keychain.useKey("mail") } == .errSecDecode)
    }
    if column != "sealedKey" {
      #expect(try code { _ = try keychain.findKeys() } == .errSecDecode)
    }
    try keychain.removeKey("mail")
    #expect(try code { _ = try keychain.useKey("mail") } == .errSecItemNotFound)
  }

  @Test(
    "E4: one key's name, protection or seal in another's row uses neither",
    arguments: ["name", "sealedKey", "sealedAttributes", "identifier", "accessControl"])
  func swapped(column: String) throws {
    try tamper(folder) { database in
      try database.execute(sql: "DROP INDEX keysByName")
      try database.execute(
        sql: """
          UPDATE keys SET \(column) = (SELECT other.\(column) FROM keys AS other
            WHERE other.sequence = 1) WHERE sequence = 2
          """)
      if column == "name" { try database.execute(sql: "DELETE FROM keys WHERE sequence = 1") }
    }
    let name = column == "name" ? "deploy" : "mail"
    if column != "sealedAttributes" {
      #expect(try code { _ = try keychain.useKey(name) } == .errSecDecode)
    }
    if column != "sealedKey" {
      #expect(try code { _ = try keychain.findKeys(name) } == .errSecDecode)
    }
  }

  @Test("E4: a protection that is taken away in its column is noticed")
  func protectionColumns() throws {
    for change in ["accessControl = NULL", "accessibility = 5", "accessibility = 1"] {
      try tamper(folder) {
        try $0.execute(sql: "UPDATE keys SET \(change) WHERE sequence = 1")
      }
      #expect(try code { _ = try keychain.useKey("deploy", context: 7) } == .errSecDecode)
      #expect(try code { _ = try keychain.findKeys("deploy") } == .errSecDecode)
    }
  }

  @Test("an item's row copied among the keys, and a key's among the items, is nothing")
  func acrossTables() throws {
    try keychain.add("site", secret: "gold")
    try tamper(folder) { database in
      try database.execute(sql: "DROP INDEX keysByName")
      try database.execute(
        sql: """
          INSERT INTO keys (identifier, application, name, accessibility, accessControl,
            sealedAttributes, sealedKey)
          SELECT identifier, accessGroup, service, 4, NULL, sealedAttributes, sealedSecret
            FROM items
          """)
      try database.execute(sql: "DELETE FROM keys WHERE sequence = 2")
      try database.execute(sql: "UPDATE keys SET name = (SELECT name FROM keys WHERE sequence = 1)")
    }
    #expect(try keychain.findKeys("deploy").map(\.name) == ["deploy"])
    try tamper(folder) { try $0.execute(sql: "DELETE FROM keys WHERE sequence = 1") }
    #expect(try code { _ = try keychain.useKey("deploy") } == .errSecDecode)
    #expect(try code { _ = try keychain.findKeys() } == .errSecDecode)
    #expect(try keychain.get(query("site")) == "gold")
  }

  @Test(
    "columns of another type or length are a damaged key, not the end of the engine",
    arguments: ["identifier", "application", "name", "accessibility", "accessControl"])
  func otherTypes(column: String) throws {
    for value in ["x''", "zeroblob(70000)", "99999", "-1"] {
      let other = try TestFolder()
      let keychain = try TestKeychain(other)
      try keychain.createKey("deploy")
      // STRICT tables keep types apart; what remains is length and range.
      try? tamper(other) { try $0.execute(sql: "UPDATE keys SET \(column) = \(value)") }
      let use = try code { _ = try keychain.useKey("deploy") }
      #expect([nil, .errSecDecode, .errSecItemNotFound].contains(use), "\(column) \(value)")
      _ = try? keychain.findKeys()
      #expect(try keychain.createKey("another").name == "another")
    }
  }

  @Test("a database without the table of keys gets one, and keeps its items")
  func earlierDatabase() throws {
    let other = try TestFolder()
    do {
      let keychain = try TestKeychain(other)
      try keychain.add("mail", secret: "kept")
    }
    try tamper(other) { database in
      try database.execute(sql: "DROP TABLE keys")
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'keys'")
    }
    let keychain = try TestKeychain(other)
    #expect(try keychain.get(query("mail")) == "kept")
    try keychain.createKey("deploy")
    #expect(try keychain.useKey("deploy") == [1, 1, 9])
  }
}
