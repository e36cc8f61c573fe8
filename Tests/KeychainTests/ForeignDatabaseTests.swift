import Foundation
import GRDB
import Protocol
import SyntheticPrints
import Testing

@testable import KeychainEngine

@Suite("Databases that somebody else wrote", .timeLimit(.minutes(60)))
struct ForeignDatabaseTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let given = "/" + CopyDatabase.source
  private static let copied = "/" + CopyDatabase.target

  /// A file of items on many pages, some of them long, and keys; and what is in it.
  private static let filled = Result { try filledKeychain(items: 60, longest: 9_000) }

  /// Has a keychain copy what lies in its folder.
  private func copy() throws {
    let keychain = try TestKeychain(folder)
    let reply = keychain.engine.handle(CopyDatabase().encoded().bytes)
    if let failure = try? Failure.decode(reply.bytes) { throw failure }
    _ = try Done.decode(reply.bytes)
  }

  /// What a keychain finds in the copy.
  private func contentsOfCopy() throws -> KeychainContents {
    let place = try TestFolder()
    try FileManager.default.moveItem(atPath: folder.path + Self.copied, toPath: place.database)
    let keychain = try TestKeychain(place)
    #expect(try keychain.check().needsRepair == false)
    return try keychain.contents()
  }

  /// What a statement would do for a very long time.
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'x' || i AS identifier FROM n"

  /// Changes of a schema, each with the name of what it brings or changes.
  static let schemas: [(name: String, sql: String)] = [
    (
      "slow",
      "CREATE TRIGGER slow BEFORE INSERT ON items BEGIN SELECT count(*) FROM (\(endless)); END"
    ),
    (
      "grdb_migrations",
      "DROP TABLE grdb_migrations; CREATE VIEW grdb_migrations AS \(endless)"
    ),
    ("others", "CREATE VIEW others AS \(endless)"),
    ("enclave", "DROP TABLE enclave; CREATE VIEW enclave AS \(endless)"),
    (
      "keys",
      """
      DROP TABLE keys; CREATE TABLE keys (sequence INTEGER PRIMARY KEY, identifier BLOB, application BLOB,
        name BLOB, accessibility INTEGER, accessControl BLOB, sealedAttributes BLOB, sealedKey BLOB,
        more GENERATED ALWAYS AS (length(zeroblob(1000000000))) VIRTUAL)
      """
    ),
    ("costly", "CREATE INDEX costly ON items (hex(zeroblob(length(label))))"),
    ("few", "CREATE INDEX few ON keys (name) WHERE length(zeroblob(9)) > 0"),
    ("mail", "CREATE TABLE mail (a)"),
    ("words", "CREATE VIRTUAL TABLE words USING fts5(a)"),
    (
      "enclave",
      """
      DROP TABLE enclave; CREATE TABLE enclave (only INTEGER PRIMARY KEY CHECK (length(zeroblob(only)) > 0),
        identity BLOB NOT NULL)
      """
    ),
    ("sqlite_stat1", "ANALYZE"),
    ("enclave", "DROP TABLE enclave; CREATE TABLE enclave (only BLOB PRIMARY KEY) WITHOUT ROWID"),
  ]

  @Test(
    "FINDINGS A5: a strange schema is refused by name, and nothing that stands in it ever runs",
    arguments: schemas)
  func strange(name: String, sql: String) throws {
    try write(Self.filled.get().bytes, to: folder.path + Self.given)
    let queue = try DatabaseQueue(path: folder.path + Self.given)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    let refused = try #require(try failure { try copy() })
    #expect(refused.code == .stateDamaged, "\(refused)")
    #expect(refused.message.contains(" \(name),"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + Self.copied))
    // The same if it is at the keychain's place already.
    try FileManager.default.moveItem(atPath: folder.path + Self.given, toPath: folder.database)
    for request in [
      { (keychain: TestKeychain) in _ = try keychain.add("new") },
      { _ = try $0.find() }, { _ = try $0.removePasscodeBound() },
    ] {
      let failed = try #require(try failure { try request(TestKeychain(folder)) })
      #expect(failed.code == .stateDamaged && failed.message.contains(name), "\(failed)")
    }
    let repaired = try TestKeychain(folder).repair()
    #expect(repaired.findings.items == 60, "\(repaired.findings)")
    let keychain = try TestKeychain(folder)
    #expect(try keychain.find().count == 60)
    try keychain.add("new")
  }

  @Test("a copy holds every item and key of the original, its log included")
  func whole() throws {
    let filled = try Self.filled.get()
    try write(filled.bytes, to: folder.path + Self.given)
    try copy()
    #expect(try contentsOfCopy() == filled.contents)
    // A log that a crash has left.
    let other = try TestFolder()
    let keychain = try TestKeychain(other)
    for number in 0..<300 { try keychain.add("service", "\(number)") }
    for suffix in ["", "-wal"] {
      try write(
        KeychainTests.contents(of: other.database + suffix),
        to: folder.path + Self.given + suffix)
    }
    try copy()
    #expect(try contentsOfCopy() == keychain.contents())
  }

  @Test("a keychain of every version of before can be copied")
  func olderVersions() throws {
    for (step, name) in ItemSchema.migrator.migrations.enumerated() {
      try? FileManager.default.removeItem(atPath: folder.path + Self.given)
      let queue = try DatabaseQueue(path: folder.path + Self.given)
      try ItemSchema.migrator.migrate(queue, upTo: name)
      let group = step < 3 ? "application" : "accessGroup"
      try queue.write {
        try $0.execute(
          sql: """
            INSERT INTO items (identifier, revision, \(group), class, accessibility, service, account,
              label, sealedAttributes, sealedSecret)
            VALUES (zeroblob(16), 0, x'01', 1, 1, x'02', x'03', x'04', x'05', x'06')
            """)
      }
      try queue.close()
      try copy()
      let made = try DatabaseQueue(path: folder.path + Self.copied)
      let row = try made.read {
        try Row.fetchOne($0, sql: "SELECT sequence, accessGroup, sealedSecret, rest FROM items")
      }
      #expect(
        row == [
          "sequence": 1, "accessGroup": Data([1]), "sealedSecret": Data([6]), "rest": Data(),
        ], "\(name)")
      try made.close()
    }
  }

  @Test(
    "rows that no keychain stores are refused: too long, of another type, or more than fit a page")
  func strangeRows() throws {
    let changes = [
      "UPDATE items SET service = zeroblob(65) WHERE sequence = 7",
      "UPDATE items SET sealedAttributes = zeroblob(20000) WHERE sequence = 7",
      "UPDATE items SET sealedSecret = zeroblob(1100000) WHERE sequence = 7",
      "UPDATE keys SET sealedKey = zeroblob(5000) WHERE sequence = 1",
      "UPDATE items SET sharedWith = zeroblob(20000) WHERE sequence = 7",
    ]
    for change in changes {
      try write(Self.filled.get().bytes, to: folder.path + Self.given)
      let queue = try DatabaseQueue(path: folder.path + Self.given)
      try queue.writeWithoutTransaction { try $0.execute(sql: change) }
      try queue.close()
      #expect(try code { try copy() } == .stateDamaged, "\(change)")
    }
    var bytes = try Self.filled.get().bytes
    for page in stride(from: 4096, to: bytes.count, by: 4096) where bytes[page] == 13 {
      // Every cell of the page is its first one.
      for cell in 1..<max(1, Int(bytes[page + 4])) {
        bytes[page + 8 + 2 * cell] = bytes[page + 8]
        bytes[page + 9 + 2 * cell] = bytes[page + 9]
      }
    }
    try write(bytes, to: folder.path + Self.given)
    #expect(try code { try copy() } == .stateDamaged)
  }

  @Test("pages that lead to themselves, and bytes changed anywhere, end in a refusal or in rows")
  func noise() throws {
    let whole = try Self.filled.get().bytes
    var random = RandomNumbers(seed: 5)
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let page = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
        let place = Bool.random(using: &random) ? 12 : 4096
        bytes[page + Int.random(in: 0..<place, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
      }
      try write(bytes, to: folder.path + Self.given)
      let found = try failure { try copy() }
      #expect(found == nil || [.stateDamaged, .storageFailed].contains(found?.code), "\(found!)")
    }
  }

  @Test(
    "a keychain takes no more room on the disk than it may; what is there can be changed and removed"
  )
  func room() throws {
    let host = FakeHost(folder: folder.path)
    let keychain = try TestKeychain(host, room: 6 << 20)
    let secret = String(repeating: "s", count: 40_000)
    var full: Failure?
    var count = 0
    while full == nil, count < 1000 {
      full = try failure { try keychain.add("mail", "\(count)", secret: secret) }
      if full == nil { count += 1 }
    }
    #expect(full?.code == .storageFailed && full?.message.contains("6 MiB") == true, "\(full!)")
    #expect(count > 80 && count < 160, "\(count)")
    #expect(try code { try keychain.createKey("key") } == .storageFailed)
    try keychain.update(query("mail", "3"), secret: String(repeating: "t", count: 40_000))
    #expect(try keychain.remove(query("mail", "4")) == 1)
    #expect(try keychain.remove(query("mail", "5")) == 1)
    try keychain.add("mail", "another", secret: secret)
    #expect(try #require(DatabaseFile(path: folder.database).size) <= 6 << 20)
  }

  @Test("what was put aside counts too")
  func roomBesideOthers() throws {
    try write(Data(count: 4 << 20), to: folder.database + ".lost-1")
    let keychain = try TestKeychain(FakeHost(folder: folder.path), room: 6 << 20)
    let secret = String(repeating: "s", count: 40_000)
    var count = 0
    while try code(of: { try keychain.add("mail", "\(count)", secret: secret) }) == nil,
      count < 1000
    {
      count += 1
    }
    #expect(count < 40, "\(count)")
    #expect(try #require(DatabaseFile(path: folder.database).size) <= 2 << 20 + 4096)
  }

  @Test("a database that is larger than a keychain may be is not copied")
  func tooLarge() throws {
    try write(Self.filled.get().bytes, to: folder.path + Self.given)
    let keychain = try TestKeychain(FakeHost(folder: folder.path), room: 0)
    let queue = try DatabaseQueue(path: folder.path + Self.given)
    try queue.write { database in
      for number in 0..<80 {
        try database.execute(
          sql: """
            INSERT INTO items (identifier, revision, accessGroup, class, accessibility, service, account,
              label, sealedAttributes, sealedSecret)
            VALUES (zeroblob(16), 0, x'01', 1, 1, x'02', ?, x'04', x'05', zeroblob(40000))
            """, arguments: [Data([UInt8(number)])])
      }
    }
    try queue.close()
    let reply = keychain.engine.handle(CopyDatabase().encoded().bytes)
    #expect(try Failure.decode(reply.bytes).code == .storageFailed)
    #expect(!FileManager.default.fileExists(atPath: folder.path + Self.copied))
  }
}
