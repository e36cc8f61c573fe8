import Foundation
import GRDB
import Protocol
import SyntheticPrints
import Testing

@Suite("Damaged and forged rows")
final class DamageTests: OneKeychain {
  @Test("a row with damaged attributes is left out and logged, and takes no other with it")
  func damagedAttributes() throws {
    try keychain.add("mail")
    try flipBit(of: "sealedAttributes", in: folder)
    try keychain.add("news")
    #expect(try keychain.find().map(\.service) == ["news"])
    #expect(keychain.host.logged.count == 1)
    #expect(keychain.host.logged.allSatisfy { $0.contains("is damaged") && !$0.contains("mail") })
    let failure = try #require(try failure { _ = try keychain.get(query("mail")) })
    #expect(failure.code == .errSecDecode)
    #expect(failure.hint?.contains("item remove") == true)
    #expect(try code { try keychain.update(query("mail"), secret: "x") } == .errSecDecode)
    #expect(try keychain.update(ItemQuery(), secret: "x", all: true) == 1)
    #expect(try keychain.remove(query("mail")) == 1)
  }

  @Test("a damaged secret is a decoding error, and a new one mends it")
  func damagedSecret() throws {
    try keychain.add("mail")
    try flipBit(of: "sealedSecret", in: folder)
    #expect(try keychain.find().count == 1)
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecDecode)
    try keychain.update(query("mail"), secret: "new")
    #expect(try keychain.get(query("mail")) == "new")
  }

  @Test("K2: a row moved to another application opens for neither")
  func movedRow() throws {
    try keychain.add("mail", "ann")
    try keychain.add("news", "bob", app: "/usr/bin/news")
    try tamper(folder) { database in
      try database.execute(
        sql: """
          UPDATE items SET (accessGroup, service) =
            (SELECT accessGroup, service FROM items WHERE sequence = 2) WHERE sequence = 1
          """)
    }
    #expect(try keychain.find(app: "/usr/bin/news").map(\.service) == ["news"])
    #expect(keychain.host.logged.count == 1)
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
  }

  @Test(
    "A3: a row whose access control was struck out or eased does not open", arguments: [nil, 1])
  func easedAccessControl(_ constraints: UInt8?) throws {
    try keychain.add("mail", access: "biometry-current")
    keychain.enclave.evidence[1] = .passcode
    try tamper(folder) { database in
      try database.execute(
        sql: "UPDATE items SET accessControl = ?",
        arguments: [constraints.map { Data([$0, 1]) }])
    }
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecDecode)
    #expect(try code { try keychain.update(query("mail"), secret: "x") } == .errSecDecode)
  }

  @Test("secrets exchanged between two rows open for neither")
  func exchangedSecrets() throws {
    try keychain.add("mail", secret: "one")
    try keychain.add("news", secret: "two")
    try tamper(folder) { database in
      let one = try Data.fetchOne(
        database, sql: "SELECT sealedSecret FROM items WHERE sequence = 1")
      try database.execute(
        sql: "UPDATE items SET sealedSecret = (SELECT sealedSecret FROM items WHERE sequence = 2)")
      try database.execute(
        sql: "UPDATE items SET sealedSecret = ? WHERE sequence = 2", arguments: [one])
    }
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecDecode)
    #expect(try code { _ = try keychain.get(query("news")) } == .errSecDecode)
  }

  @Test("a row found under another's name is not given for it")
  func forgedIndex() throws {
    try keychain.add("mail", secret: "one")
    try keychain.add("bank", "bob", secret: "two")
    try tamper(folder) { database in
      try database.execute(
        sql: """
          UPDATE items SET service = (SELECT service FROM items WHERE sequence = 2) WHERE sequence = 1
          """)
    }
    #expect(try keychain.find(query("bank")).count == 1)
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
  }

  @Test(
    "columns of another type, length or meaning are damaged rows, not the end of the engine",
    arguments: [
      "sequence = -1", "identifier = 'text'", "identifier = x''", "identifier = zeroblob(100000)",
      "revision = 'x'", "class = 9", "class = -1", "class = 'x'", "class = NULL", "class = 2",
      "accessibility = 99", "accessibility = 1e300", "accessControl = x'00'",
      "accessControl = 'and'", "accessControl = x'0F02'", "sealedAttributes = NULL",
      "sealedAttributes = 7", "sealedAttributes = zeroblob(100000)", "sealedAttributes = x''",
      "sealedSecret = NULL", "sealedSecret = 'x'", "sealedSecret = zeroblob(1000000)",
      "sealedSecret = x''",
    ])
  func absurdColumns(_ assignment: String) throws {
    try keychain.add("mail")
    try tamper(folder) { database in
      // The same table without its types, which are what SQLite enforces. A keychain that is opened
      // so is refused; this one is open.
      try database.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), 'NOT NULL', '')
            WHERE name = 'items';
          PRAGMA writable_schema = RESET;
          UPDATE items SET \(assignment);
          """)
    }
    try keychain.add("news")
    #expect(try keychain.find(query("news")).count == 1)
    let found = try keychain.find().map(\.service)
    #expect(found.contains("news"))
    if let code = try code(of: { _ = try keychain.get(query("mail")) }) {
      #expect(code == .errSecDecode || code == .errSecItemNotFound, "\(code)")
    } else {
      #expect(assignment.hasPrefix("sequence") || assignment.hasPrefix("revision"))
    }
    _ = try code { try keychain.update(query("mail"), secret: "x") }
    #expect(try keychain.remove(query("mail")) == 1)
    #expect(try keychain.find().map(\.service) == ["news"])
  }

  @Test(
    "a database with any of its bytes changed gives answers or failures, and never ends the engine")
  func changedBytes() throws {
    for index in 0..<20 { try keychain.add("mail", "\(index)", label: "L", secret: "x") }
    let whole = try contents(of: folder.database)
    var generator = RandomNumbers(seed: 42)
    for _ in 0..<80 {
      var changed = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<changed.count, using: &generator)
        changed[index] = UInt8.random(in: 0...255, using: &generator)
      }
      let other = try TestFolder()
      try write(changed, to: other.database)
      let damaged = try TestKeychain(other)
      let codes = [
        try code { _ = try damaged.find() }, try code { _ = try damaged.get(query("mail", "7")) },
        try code { try damaged.update(query("mail", "8"), secret: "y") },
        try code { try damaged.add("news") }, try code { try damaged.remove(query("mail", "9")) },
      ]
      let allowed: [FailureCode?] = [
        nil, .stateDamaged, .storageFailed, .errSecDecode, .errSecItemNotFound, .ambiguous,
        .errSecDuplicateItem,
      ]
      #expect(codes.allSatisfy(allowed.contains), "\(codes)")
    }
  }
}

@Suite("Items newer than the enclave's keybag")
struct NewerItemTests {
  @Test("they are told from damaged ones, are neither changed nor removed, and open again")
  func kept() throws {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", secret: "one")
    try keychain.add("mail", "bob", secret: "two")
    keychain.enclave.isRolledBack = true
    let failures = [
      try failure { _ = try keychain.get(query("mail", "ann")) },
      try failure { _ = try keychain.get(query("mail")) },
      try failure { _ = try keychain.find() },
      try failure { try keychain.update(query("mail", "ann"), changes(label: "x")) },
      try failure { try keychain.update(query("mail", "ann"), secret: "other") },
      try failure { try keychain.remove(query("mail"), all: true) },
    ]
    for failure in failures {
      #expect(failure?.code == .stateDamaged)
      #expect(failure?.message.contains("old copy of the keybag") == true)
    }
    #expect(try code { try keychain.add("mail", secret: "new") } == .errSecDuplicateItem)

    keychain.enclave.isRolledBack = false
    #expect(try keychain.get(query("mail", "ann")) == "one")
    #expect(try keychain.get(query("mail", "bob")) == "two")
  }
}

@Suite("Items that want a strict match")
struct StrictItemTests {
  @Test("A1, A3: that an item wants a strict match is kept with it, and it opens to one alone")
  func kept() throws {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    for access in ["biometry-any", "biometry-any or passcode", "presence"] {
      let added = try keychain.add(
        access, accessible: .whenUnlockedThisDeviceOnly, access: access, requiresStrictMatch: true)
      let control = try AccessControl(parsing: access, with: .strictMatch)
      #expect(added.accessControl == control)
      #expect(try keychain.find(query(access)).map(\.accessControl) == [control])
      keychain.enclave.evidence[1] = .relaxedBiometry
      #expect(throws: TestKeychain.NeedsEvidence.self) { try keychain.get(query(access)) }
      keychain.enclave.evidence[1] = .biometry
      #expect(try keychain.get(query(access)) == "s3cret")
    }
  }
}
