import Foundation
import GRDB
import Protocol
import Testing

@Suite("Backups of a keychain")
final class BackupTests: TwoKeychains {
  private func secrets(_ keychain: TestKeychain) throws -> [String: String] {
    var secrets: [String: String] = [:]
    for item in (try? keychain.find()) ?? [] {
      secrets[item.service] = try keychain.get(query(item.service, item.account))
    }
    return secrets
  }

  @Test("K7: what leaves one device comes to another one with its attributes and dates")
  func anotherDevice() throws {
    var item = try keychain.add("mail", "ann", label: "Post", secret: "gold")
    try keychain.add("bank", accessible: .afterFirstUnlock)
    let backup = try keychain.backUp()
    #expect(backup.records.count == 2)
    #expect(try other.restore(backup.records) == RestoreCounts(added: 2))
    var restored = try #require(try other.find(query("mail")).first)
    // The identifier is the device's.
    #expect(restored.identifier != item.identifier)
    (restored.identifier, item.identifier) = ("", "")
    #expect(restored == item)
    #expect(try other.get(query("mail")) == "gold")
    #expect(try other.find(query("bank")).first?.accessibility == .afterFirstUnlock)
  }

  @Test("K7: items of every class come back, with every attribute")
  func everyClass() throws {
    for itemClass in ItemClass.allCases where itemClass != .certificate {
      var item = ItemAttributes()
      item.itemClass = itemClass
      item.label = "label of \(itemClass)"
      for name in itemClass.attributes {
        let values: [AttributeValue] = [.text("a \(name)"), .data([1, 2, 3]), .number(1)]
        if let value = values.first(where: { $0.fits(name.form) }) { item.values[name] = value }
      }
      try keychain.add(item, secret: "secret of \(itemClass)")
    }
    let before = try keychain.find()
    try other.restore(keychain.backUp().records)
    let after = try other.find()
    #expect(after.map(\.values) == before.map(\.values))
    #expect(after.map(\.itemClass) == before.map(\.itemClass))
    // On its own device nothing of it is new.
    #expect(
      try keychain.restore(keychain.backUp().records) == RestoreCounts(kept: UInt64(before.count)))
  }

  @Test("A9: what stays on its device is in no backup, is not asked for, and is counted")
  func leftOut() throws {
    try keychain.add("free")
    for accessibility in Accessibility.allCases where accessibility.isThisDeviceOnly {
      try keychain.add("bound to \(accessibility)", accessible: accessibility)
    }
    for access in ["presence", "biometry-current", "passcode or biometry-any"] {
      try keychain.add("guarded by \(access)", access: access)
    }
    try keychain.createKey("deploy")
    keychain.enclave.beforeAnswer = { number in #expect(number != OpenItem.number) }
    let backup = try keychain.backUp()
    keychain.enclave.beforeAnswer = nil
    #expect(backup.records.count == 1)
    #expect(backup.leftOut == 3 + 3 + 1)
    #expect(backup.unreadable == 0)
  }

  @Test("a damaged item is counted, and does not hinder the others")
  func damagedItems() throws {
    try keychain.add("damaged")
    try flipBit(of: "sealedSecret", in: folder)
    try keychain.add("whole", secret: "gold")
    let backup = try keychain.backUp()
    #expect(backup.records.count == 1)
    #expect(backup.unreadable == 1)
    try other.restore(backup.records)
    #expect(try secrets(other) == ["whole": "gold"])
  }

  @Test("K7: many items and long ones leave and come in parts, none of them long")
  func parts() throws {
    let long = String(repeating: "x", count: largestItemSecret)
    for number in 0..<300 { try keychain.add("item \(number)", secret: "\(number)") }
    for number in 0..<5 { try keychain.add("long \(number)", secret: long) }
    var longest = 0
    keychain.enclave.intrusion = { request in
      if request.first == SealForBackup.number { longest = max(longest, request.count) }
      return nil
    }
    let backup = try keychain.backUp()
    #expect(backup.records.count == 305)
    #expect(backup.parts > 3)
    #expect(longest < 128 << 10)
    #expect(try other.restore(backup.records, atOnce: 7) == RestoreCounts(added: 305))
    #expect(try other.find().count == 305)
    #expect(try other.get(query("long 4")) == long)
    #expect(try other.get(query("item 299")) == "299")
  }

  @Test("rows with numbers that SQLite never gave leave once each, and the last part comes")
  func strangeNumbers() throws {
    for number in 0..<140 { try keychain.add("item \(number)") }
    try tamper(folder) { database in
      try database.execute(
        sql: """
          UPDATE items SET sequence = \(Int64.min) WHERE sequence = 1;
          UPDATE items SET sequence = -sequence WHERE sequence BETWEEN 2 AND 135;
          UPDATE items SET sequence = 0 WHERE sequence = 140;
          UPDATE items SET sequence = \(Int64.max) WHERE sequence = 139;
          """)
    }
    let backup = try keychain.backUp()
    #expect(backup.parts == 2)
    #expect(Set(backup.records.map(\.bytes)).count == 140 && backup.records.count == 140)
  }

  @Test("K7: without presence a part asks for it, and seals nothing")
  func presence() throws {
    try keychain.add("mail")
    keychain.enclave.nextRecord = 0
    #expect(throws: TestKeychain.NeedsEvidence.self) {
      let _: ItemsBackedUp = try keychain.send(BackUpItems(after: 0), app: commandApplication)
    }
    #expect(keychain.enclave.nextRecord == 0)
  }

  @Test("K2: another application may neither back up nor restore")
  func otherApplications() throws {
    try keychain.add("mail", app: "/usr/bin/other")
    for app in ["", "/usr/bin/other", "group:x"] {
      #expect(try code { _ = try keychain.backUp(app: app) } == .errSecMissingEntitlement)
      #expect(try code { try keychain.bring([], app: app) } == .errSecMissingEntitlement)
      #expect(
        try code { _ = try keychain.finishRestore(of: 0, app: app) } == .errSecMissingEntitlement)
    }
  }

  @Test("K2: items of another application come back as that one's")
  func groups() throws {
    try keychain.add("mail", secret: "other's", app: "/usr/bin/other")
    try keychain.add("mail", secret: "own")
    #expect(try other.restore(keychain.backUp().records) == RestoreCounts(added: 2))
    #expect(try other.get(query("mail"), app: "/usr/bin/other") == "other's")
    #expect(try other.get(query("mail")) == "own")
    #expect(try code { _ = try other.find(app: "/usr/bin/third") } == .errSecItemNotFound)
  }

  @Test("K7: the later change counts, whichever side it is on")
  func merging() throws {
    try keychain.add("older in the backup", secret: "backup")
    try keychain.add("only in the backup", secret: "backup")
    try other.add("older here", secret: "here")
    let identifier = try other.find(query("older here")).first?.identifier
    try keychain.add("older here", secret: "backup")
    try other.add("older in the backup", secret: "here")
    try other.add("only here", secret: "here")
    let records = try keychain.backUp().records
    let counts = RestoreCounts(added: 1, replaced: 1, kept: 1)
    let before = try otherFolder.files
    #expect(try other.restore(records, .dryRun) == counts)
    #expect(try otherFolder.files == before)
    #expect(try other.restore(records) == counts)
    #expect(
      try secrets(other) == [
        "older in the backup": "here", "only in the backup": "backup", "older here": "backup",
        "only here": "here",
      ])
    // Who knows the item by its identifier still does.
    #expect(try other.find(query("older here")).first?.identifier == identifier)
    // Once more nothing is new.
    #expect(try other.restore(records) == RestoreCounts(kept: 3))
  }

  @Test("K2: whom an item is shared with is this device's own affair")
  func shares() throws {
    let program = "/usr/bin/restic"
    for device in [keychain, other] { device.enclave.evidence[1] = .passcode }
    try other.add("here", secret: "older")
    try other.share(query("here"), with: program)
    for service in ["here", "there"] {
      try keychain.add(service, secret: "gold")
      try keychain.share(query(service), with: program)
    }
    #expect(
      try other.restore(keychain.backUp().records) == RestoreCounts(added: 1, replaced: 1))
    #expect(try other.get(query("here"), app: program) == "gold")
    #expect(try code { _ = try other.get(query("there"), app: program) } == .errSecItemNotFound)
    #expect(try other.get(query("there")) == "gold")
  }

  @Test("items of before there were groups come back as the command's own")
  func withoutGroup() throws {
    var item = ItemAttributes()
    item.service = "mail"
    try other.restore([other.enclave.record(of: item, secret: "gold", at: 0)])
    #expect(try other.get(query("mail"), app: commandApplication) == "gold")
    #expect(try code { _ = try other.find(query("mail")) } == .errSecItemNotFound)
  }

  @Test("A9: an item that is bound to this device is never replaced by one that is not")
  func boundItems() throws {
    try other.add("mail", secret: "guarded", access: "presence")
    try other.add("bank", secret: "bound", accessible: .whenUnlockedThisDeviceOnly)
    try keychain.add("mail", secret: "free")
    try keychain.add("bank", secret: "free")
    #expect(try other.restore(keychain.backUp().records) == RestoreCounts(kept: 2))
    other.enclave.evidence[1] = .passcode
    #expect(try secrets(other) == ["mail": "guarded", "bank": "bound"])
  }

  @Test("a damaged item is replaced by the backup's")
  func mending() throws {
    try keychain.add("mail", secret: "gold")
    let records = try keychain.backUp().records
    try flipBit(of: "sealedAttributes", in: folder)
    #expect(try keychain.restore(records) == RestoreCounts(replaced: 1))
    #expect(try secrets(keychain) == ["mail": "gold"])
  }

  @Test("K7: a record that is damaged anywhere, or no end, leaves everything as it was")
  func nothingChanged() throws {
    for number in 0..<6 { try keychain.add("item \(number)") }
    try other.add("mine", secret: "here")
    let records = try keychain.backUp().records
    for index in records.indices {
      var damaged = records
      damaged[index].damage(at: 10)
      #expect(try code { _ = try other.restore(damaged, atOnce: 2) } == .backupDamaged)
      // The restore is over with that.
      #expect(try code { _ = try other.finishRestore(of: index / 2 * 2) } == .invalidContext)
      #expect(try secrets(other) == ["mine": "here"])
    }
    try other.bring(records)
    for end in [[], FakeEnclave.end(of: 5), FakeEnclave.end(of: 7)] as [[UInt8]] {
      try other.bring(records)
      #expect(
        try code {
          let _: ItemsRestored = try other.send(FinishRestore(record: end), app: commandApplication)
        } == .backupDamaged)
      #expect(try secrets(other) == ["mine": "here"])
    }
  }

  @Test("records come in their order, in the context and connection that they began in")
  func order() throws {
    for number in 0..<4 { try keychain.add("item \(number)") }
    let records = try keychain.backUp().records
    func send(
      _ first: UInt64, mode: RestoreMode = .apply, context: UInt64 = 1
    ) throws -> FailureCode? {
      try code {
        let _: ItemsRestored = try other.send(
          RestoreItems(mode: mode, first: first, records: [records[Int(first)]]),
          app: commandApplication, context: context)
      }
    }
    #expect(try send(1) == .invalidContext)
    for wrong in [2, 3] as [UInt64] {
      #expect(try send(0) == nil)
      #expect(try send(wrong) == .invalidContext)
      #expect(try send(1) == .invalidContext)
    }
    #expect(try send(0) == nil)
    #expect(try send(1, mode: .dryRun) == .invalidContext)
    #expect(try send(0) == nil)
    #expect(try send(1, context: 2) == .invalidContext)
    #expect(try send(0) == nil)
    #expect(try code { _ = try other.finishRestore(of: 1, context: 2) } == .invalidContext)
    #expect(try code { _ = try other.finishRestore(of: 4) } == .backupDamaged)
    #expect(try code { _ = try other.find() } == .errSecItemNotFound)
  }

  @Test("what is changed or added while items are brought stays as it is")
  func meanwhile() throws {
    try other.add("changed", secret: "old")
    try other.add("removed", secret: "old")
    for service in ["changed", "removed", "added"] { try keychain.add(service, secret: "backup") }
    let records = try keychain.backUp().records
    try other.bring(records)
    try other.update(query("changed"), secret: "mine")
    try other.remove(query("removed"))
    try other.add("added", secret: "mine")
    #expect(try other.finishRestore(of: 3) == RestoreCounts(added: 1, kept: 2))
    #expect(try secrets(other) == ["changed": "mine", "added": "mine", "removed": "backup"])
  }

  @Test("a later record takes the place of one of the same name in its own backup")
  func twiceInOne() throws {
    let item = try keychain.add("mail", secret: "first")
    let records = [
      keychain.enclave.record(of: item, secret: "first", at: 0),
      keychain.enclave.record(of: item, secret: "second", at: 1),
    ]
    #expect(try other.restore(records) == RestoreCounts(added: 1, kept: 1))
    #expect(try other.get(query("mail")) == "second")
  }

  @Test("a restore that does not come to its end leaves nothing, whoever comes next")
  func leftBehind() throws {
    try keychain.add("mail", secret: "gold")
    let records = try keychain.backUp().records
    try other.bring(records)
    #expect(try code { _ = try other.find() } == .errSecItemNotFound)
    // Another process opens the file: what the first one brought is gone.
    let next = try TestKeychain(otherFolder)
    next.enclave.erase()
    #expect(try code { _ = try next.find() } == .errSecItemNotFound)
    #expect(try code { _ = try other.finishRestore(of: 1) } == .busy)
    #expect(try !isAnythingStaged(in: otherFolder))
    // Two at a time: the later one takes the other's place.
    try other.bring(records)
    try next.bring(records)
    #expect(try code { _ = try other.finishRestore(of: 1) } == .busy)
    #expect(try code { _ = try other.find() } == .errSecItemNotFound)
    try next.bring(records)
    #expect(try next.finishRestore(of: 1) == RestoreCounts(added: 1))
    #expect(try other.get(query("mail")) == "gold")
  }

  @Test("attributes that this version does not know are said to be of a later one")
  func unknownAttributes() throws {
    var item = ItemAttributes()
    item.service = "mail"
    item.itemClass = .generic
    item.values[.server] = .text("of another class")
    let record = other.enclave.record(of: item, secret: "", at: 0)
    #expect(try code { _ = try other.restore([record]) } == .backupTooNew)
  }
}

/// Whether a restore has left something in a whole database.
func isAnythingStaged(in folder: TestFolder) throws -> Bool {
  var (isStaged, state): (Bool, String?) = (false, nil)
  try tamper(folder) { database in
    isStaged = try database.tableExists("incoming")
    state = try String.fetchOne(database, sql: "PRAGMA integrity_check")
  }
  #expect(state == "ok")
  return isStaged
}
