import BackupFormat
import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Backups in the enclave")
struct BackupEnclaveTests {
  let device: SimulatedDevice
  let backup: EnclaveBackup

  init() throws {
    device = try EnrolledDevice.unlocked()
    backup = try EnclaveBackup()
  }

  /// Proves the owner's presence in context 1 and begins.
  func begin() throws {
    try device.givePasscode(context: 1)
    try device.send(backup.key(for: .create), in: 1)
  }

  func sealed(_ items: [StoredItemEntry]) throws -> [AttributeBatch.Result] {
    try device.ask(
      SealForBackup(items: items), in: contextName(1), for: AttributeBatch.self
    ).results
  }

  func failure(
    _ message: borrowing some SealingMessage & ~Copyable
  ) throws -> FailureCode? {
    let reply = device.engine.handle(SimulatedDevice.envelope(message, 1).bytes)
    if reply.bytes[0] == EvidenceNeeded.number { return .authenticationFailed }
    return reply.bytes[0] == Failure.number ? try Failure.decode(reply.bytes).code : nil
  }

  @Test("K7: items leave sealed with the backup's key, and its passphrase opens them elsewhere")
  func leaving() throws {
    try begin()
    let items = [
      try stored("gold", on: device), try stored("", on: device, .afterFirstUnlock),
    ]
    let results = try sealed(items) + sealed([try stored("tin", on: device, attributes: [])])
    var texts: [String] = []
    for (number, result) in results.enumerated() {
      guard case .value(let record) = result else { continue }
      let item = try backup.open(record, as: UInt64(number))
      texts.append("\(item.attributes) \(item.secret)")
    }
    #expect(texts == ["[1, 2, 3] gold", "[1, 2, 3] ", "[] tin"])
    let request = SimulatedDevice.envelope(EndBackup(leftOut: 5, unreadable: 6), 1)
    let ended = try BackupEnded.decode(device.engine.handle(request.bytes).bytes)
    #expect(
      try backup.cipher.openEnd(ended.record, as: 3)
        == BackupCounts(items: 3, leftOut: 5, unreadable: 6))
    // Its key is forgotten with that.
    #expect(try failure(SealForBackup(items: items)) == .invalidContext)
  }

  @Test("K7: nothing leaves without the owner's presence, and not when that counts no more")
  func presence() throws {
    try device.openContext(1)
    #expect(try device.failure(backup.key(for: .create), in: 1) == .authenticationFailed)
    #expect(try failure(SealForBackup(items: [])) == .invalidContext)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(backup.key(for: .create), in: 1)
    let item = try stored("gold", on: device)
    #expect(try sealed([item]).count == 1)
    device.platform.bootTime += 301 * 1_000_000_000
    #expect(try failure(SealForBackup(items: [item])) == .authenticationFailed)
    // Nothing was sealed by that: the next one takes the next place.
    try device.match(1, SimulatedFinger.owner.later)
    guard case .value(let record) = try sealed([item]).first else {
      Issue.record("nothing was sealed")
      return
    }
    #expect(try backup.open(record, as: 1).secret == "gold")
  }

  @Test("K7: without a passcode nobody can be asked, and nothing leaves")
  func noPasscode() throws {
    let device = SimulatedDevice()
    try device.openContext(1)
    #expect(try device.failure(backup.key(for: .create), in: 1) == .passcodeNotSet)
  }

  @Test(
    "A9: a keychain that lies about an item gets nothing sealed for a backup",
    arguments: [
      "presence", "biometry-any", "biometry-current", "passcode", "biometry-any or passcode",
    ])
  func accessControl(access: String) throws {
    try begin()
    let guarded = try stored(
      "gold", on: device, .whenUnlockedThisDeviceOnly, access: access)
    let free = try stored("tin", on: device)
    // As it is, beside another one: nothing of that leaves either.
    #expect(try failure(SealForBackup(items: [free, guarded])) == .errSecParam)
    // As something that it is not.
    for accessibility in Accessibility.allCases {
      let protection = ItemProtection(
        accessibility: accessibility, accessControl: nil, identity: guarded.protection.identity)
      let lie = StoredItemEntry(
        .secret, protection: protection, attributes: guarded.attributes, content: guarded.content)
      // With attributes that do open beside it.
      let other = try stored("", on: device, .whenUnlocked)
      let mixed = StoredItemEntry(
        .secret, protection: protection, attributes: other.attributes, content: guarded.content)
      for entry in [lie, mixed] {
        if accessibility.isThisDeviceOnly {
          #expect(try failure(SealForBackup(items: [entry])) == .errSecParam)
        } else {
          #expect(try sealed([entry]) == [.damaged])
        }
      }
    }
  }

  @Test("A9: nor for an item of a class that stays on its device, or for a private key")
  func deviceOnly() throws {
    try begin()
    for accessibility in Accessibility.allCases where accessibility.isThisDeviceOnly {
      let item = try stored("gold", on: device, accessibility)
      #expect(try failure(SealForBackup(items: [item])) == .errSecParam)
      for claimed in [Accessibility.whenUnlocked, .afterFirstUnlock] {
        let lie = StoredItemEntry(
          .secret,
          protection: ItemProtection(
            accessibility: claimed, accessControl: nil, identity: item.protection.identity),
          attributes: item.attributes, content: item.content)
        #expect(try sealed([lie]) == [.damaged])
      }
    }
    let protection = try SimulatedDevice.protection(.whenUnlockedThisDeviceOnly, access: nil)
    let key = try device.ask(GenerateKey(protection: protection), for: GeneratedKey.self)
    let item = try stored("", on: device, identity: protection.identity)
    for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock] {
      let lie = StoredItemEntry(
        .secret,
        protection: ItemProtection(
          accessibility: accessibility, accessControl: nil, identity: protection.identity),
        attributes: item.attributes, content: key.sealed)
      #expect(try sealed([lie]) == [.damaged])
    }
  }

  @Test("an item that is damaged, or newer than the keybag, is said to be and takes no place")
  func unreadable() throws {
    try begin()
    let good = try stored("gold", on: device)
    var secret = good.content
    secret[secret.count - 1] ^= 1
    let damaged = StoredItemEntry(
      .secret, protection: good.protection, attributes: good.attributes, content: secret)
    let without = StoredItemEntry(
      .secret, protection: good.protection, attributes: [], content: good.content)
    let results = try sealed([damaged, good, without, good])
    #expect(results.count == 4 && results[0] == .damaged && results[2] == .damaged)
    guard case .value(let record) = results[3] else { return }
    #expect(try backup.open(record, as: 1).secret == "gold")
  }

  @Test("K7: a record becomes an item of another device, with another root key")
  func comingBack() throws {
    try begin()
    guard case .value(let record) = try sealed([try stored("gold", on: device)]).first else {
      Issue.record("nothing was sealed")
      return
    }
    let other = try SimulatedDevice.withPasscode()
    try other.openContext(1)
    try other.send(backup.key(for: .restore), in: 1)
    let context = contextName(1)
    let opened = try other.ask(
      OpenFromBackup(first: 0, records: [SealedRecord(.secret, record)]), in: context,
      for: OpenedFromBackup.self)
    #expect(opened.items == [OpenedFromBackup.Item(attributes: [1, 2, 3])])
    let protection = try SimulatedDevice.protection(.whenUnlocked, access: nil, identity: [7])
    let sealed = try other.ask(
      SealFromBackup(entries: [
        RestoredEntry(
          number: 0, record: SealedRecord(.secret, record), protection: protection,
          attributes: [4, 5])
      ]), in: context, for: SealedFromBackup.self)
    #expect(
      try other.open(StoredItem(protection: protection, sealed: sealed.items[0].content))
        == .secret("gold"))
    let attributes = AttributesEntry(
      accessibility: .whenUnlocked, identity: [7], bytes: sealed.items[0].attributes)
    #expect(
      try other.ask(OpenAttributes(entries: [attributes]), for: AttributeBatch.self).results
        == [.value([4, 5])])
  }

  @Test("A9: a record becomes no item of another class than it was, and none with access control")
  func protectionOnComingBack() throws {
    let record = try backup.cipher.sealItem(
      .secret, .whenUnlocked, attributes: [1], content: Array("gold".utf8).span, as: 0)
    try device.openContext(1)
    try device.send(backup.key(for: .restore), in: 1)
    func code(_ accessibility: Accessibility, _ access: String? = nil) throws -> FailureCode? {
      let protection = try SimulatedDevice.protection(accessibility, access: access)
      return try failure(
        SealFromBackup(entries: [
          RestoredEntry(number: 0, record: record, protection: protection, attributes: [])
        ]))
    }
    for accessibility in Accessibility.allCases {
      #expect(
        try code(accessibility) == (accessibility == .whenUnlocked ? nil : .errSecParam))
    }
    #expect(try code(.whenUnlockedThisDeviceOnly, "presence") == .errSecParam)
  }

  @Test("a record of another place, backup or key is damaged, and so is an end that lies")
  func otherRecords() throws {
    try device.openContext(1)
    try device.send(backup.key(for: .restore), in: 1)
    func record(_ cipher: BackupCipher, as number: UInt64) throws -> SealedRecord {
      try cipher.sealItem(
        .secret, .whenUnlocked, attributes: [], content: Array("x".utf8).span, as: number)
    }
    let good = try record(backup.cipher, as: 4)
    #expect(try failure(OpenFromBackup(first: 4, records: [good])) == nil)
    #expect(try failure(OpenFromBackup(first: 3, records: [good])) == .backupDamaged)
    #expect(try failure(OpenFromBackup(first: 3, records: [good, good])) == .backupDamaged)
    #expect(try failure(OpenFromBackup(first: .max, records: [good, good])) == .backupDamaged)
    let other = try record(EnclaveBackup().cipher, as: 4)
    #expect(try failure(OpenFromBackup(first: 4, records: [other])) == .backupDamaged)
    #expect(
      try failure(OpenFromBackup(first: 0, records: [SealedRecord(.secret, [])])) == .backupDamaged)
    let end = try backup.cipher.sealEnd(BackupCounts(items: 2, leftOut: 0, unreadable: 0))
    #expect(try failure(OpenBackupEnd(place: 2, record: end)) == nil)
    for place in [0, 1, 3] as [UInt64] {
      #expect(try failure(OpenBackupEnd(place: place, record: end)) == .backupDamaged)
    }
    #expect(
      try failure(OpenFromBackup(first: 2, records: [SealedRecord(.secret, end)])) == .backupDamaged
    )
  }

  @Test("a backup ends with the lock, with its context, and is nobody else's")
  func endOfSession() throws {
    let item = try stored("gold", on: device)
    try begin()
    for stranger in [
      ContextName(1, of: otherConnection), contextName(2), contextName(noContext),
    ] {
      let reply = device.engine.handle(
        SimulatedDevice.envelope(SealForBackup(items: [item]), stranger).bytes)
      #expect(try Failure.decode(reply.bytes).code == .invalidContext)
    }
    // A key for one use does not serve the other.
    #expect(try failure(OpenFromBackup(first: 0, records: [])) == .invalidContext)
    try device.send(LockDevice())
    #expect(try failure(SealForBackup(items: [item])) == .errSecInteractionNotAllowed)
    #expect(
      try device.failure(backup.key(for: .restore), in: 1) == .errSecInteractionNotAllowed)
    try device.unlock()
    #expect(try failure(SealForBackup(items: [item])) == .invalidContext)
    try begin()
    try device.send(CloseContext(context: 1))
    #expect(try failure(SealForBackup(items: [item])) == .invalidContext)
  }

  @Test("K2: only the owner's command may have items leave or come back")
  func otherPrograms() throws {
    for application in ["", "/usr/bin/other", "authcor", "uid:1000", "group:mail"] {
      let name = ContextName(5, of: Requester(application: application, connection: 9))
      try device.send(OpenContext(context: name))
      for use in BackupUse.allCases {
        #expect(try device.failure(backup.key(for: use), in: name) == .errSecMissingEntitlement)
      }
      let reply = device.engine.handle(
        SimulatedDevice.envelope(SealForBackup(items: []), name).bytes)
      #expect(try Failure.decode(reply.bytes).code == .errSecMissingEntitlement)
      try device.send(CloseContext(context: name))
    }
  }
}
