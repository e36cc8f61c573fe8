import BackupFormat
import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("FINDINGS B7: guarded items in backups, in the enclave")
struct GuardedBackupTests {
  private let device: SimulatedDevice
  private let backup: EnclaveBackup

  init() throws {
    device = try EnrolledDevice.unlocked()
    backup = try EnclaveBackup()
  }

  private func key(for use: BackupUse, includesGuarded: Bool = true) -> GiveBackupKey {
    GiveBackupKey(
      use: use, includesGuarded: includesGuarded, header: backup.header.checksum,
      key: backup.keys.copyOfRecordsKey())
  }

  private func guarded(
    _ access: String, _ text: String = "gold", as kind: PortableKind = .guarded
  ) throws -> StoredItemEntry {
    let item = try stored(text, on: device, .whenUnlockedThisDeviceOnly, access: access)
    return StoredItemEntry(
      kind, protection: item.protection, attributes: item.attributes, content: item.content)
  }

  /// What comes of having it sealed: a record, what is needed, or why not.
  private enum Sealing: Equatable {
    case records([AttributeBatch.Result])
    case needed(String)
    case failed(FailureCode)
  }

  private func seal(_ items: StoredItemEntry...) throws -> Sealing {
    let reply = device.engine.handle(
      SimulatedDevice.envelope(SealForBackup(items: items), 1).bytes)
    switch reply.bytes[0] {
    case EvidenceNeeded.number:
      return .needed(try EvidenceNeeded.decode(reply.bytes).accessControl.text)
    case Failure.number: return .failed(try Failure.decode(reply.bytes).code)
    default: return .records(try AttributeBatch.decode(reply.bytes).results)
    }
  }

  /// A record of an item behind `access`, sealed after a touch and the passcode.
  private func record(_ access: String) throws -> SealedRecord {
    try device.givePasscode(context: 1)
    try device.send(key(for: .create), in: 1)
    try device.match(1, SimulatedFinger.owner.later)
    guard case .records(let results) = try seal(try guarded(access)),
      case .value(let bytes) = results[0]
    else { throw EnclaveBackup.Unusable() }
    return SealedRecord(.guarded, bytes)
  }

  private func restore(
    _ record: SealedRecord, _ access: String?, on other: SimulatedDevice,
    _ accessibility: Accessibility = .whenUnlockedThisDeviceOnly
  ) throws -> (item: StoredItem?, failure: FailureCode?) {
    try other.openContext(1)
    try other.send(key(for: .restore), in: 1)
    let protection = try SimulatedDevice.protection(accessibility, access: access, identity: [7])
    let reply = other.engine.handle(
      SimulatedDevice.envelope(
        SealFromBackup(entries: [
          RestoredEntry(number: 0, record: record, protection: protection, attributes: [4])
        ]), 1
      ).bytes)
    guard reply.bytes[0] != Failure.number else {
      return (nil, try Failure.decode(reply.bytes).code)
    }
    let sealed = try SealedFromBackup.decode(reply.bytes)
    return (StoredItem(protection: protection, sealed: sealed.items[0].content), nil)
  }

  @Test(
    "A2: each enters by a proof that satisfies it: a finger for biometry, never the passcode alone",
    arguments: ["biometry-current", "biometry-any", "biometry-any and passcode"])
  func fingers(access: String) throws {
    try device.givePasscode(context: 1)
    try device.send(key(for: .create), in: 1)
    let free = try stored("tin", on: device)
    #expect(try seal(free, try guarded(access)) == .needed(access))
    try device.match(1, SimulatedFinger.owner.later)
    guard case .records(let results) = try seal(free, try guarded(access)),
      case .value(let bytes) = results[1]
    else {
      Issue.record("nothing was sealed")
      return
    }
    let item = try backup.cipher.openItem(SealedRecord(.guarded, bytes), as: 1)
    #expect(item.copyOfContent() == Array("gold".utf8) && item.attributes == [1, 2, 3])
    #expect(item.accessControl == (try AccessControl(parsing: access)))
    #expect(item.accessibility == .whenUnlockedThisDeviceOnly)
  }

  @Test("A2: what no finger of today opens is said to be closed, and hinders nothing")
  func changedFingers() throws {
    let lost = try guarded("biometry-current")
    try device.enroll(.ownersOther)
    try device.givePasscode(context: 1)
    try device.send(key(for: .create), in: 1)
    let sealed = try seal(lost, try stored("tin", on: device))
    guard case .records(let results) = sealed, case .value = results[1] else {
      Issue.record("\(sealed)")
      return
    }
    #expect(results[0] == .closed)
  }

  @Test("A2: an item behind the passcode does not enter by a touch; one touch serves what it may")
  func onePrompt() throws {
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(key(for: .create), in: 1)
    guard
      case .records(let results) = try seal(
        try guarded("presence"), try guarded("biometry-current"), try guarded("biometry-any"),
        try guarded("biometry-current or passcode"))
    else {
      Issue.record("one touch serves them all")
      return
    }
    #expect(results.count == 4)
    #expect(try seal(try guarded("passcode")) == .needed("passcode"))
  }

  @Test(
    "A9: without the owner's word for it nothing guarded enters, whatever the keychain calls it")
  func lies() throws {
    try device.givePasscode(context: 1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(key(for: .create, includesGuarded: false), in: 1)
    let item = try guarded("presence")
    #expect(try seal(item) == .failed(.errSecParam))
    try device.send(key(for: .create), in: 1)
    #expect(try seal(try guarded("presence", as: .secret)) == .failed(.errSecParam))
    #expect(try seal(try stored("free", on: device).called(.guarded)) == .failed(.errSecParam))
    // Behind less than it is.
    let less = ItemProtection(
      accessibility: .whenUnlockedThisDeviceOnly, accessControl: try AccessControl(.passcode),
      identity: item.protection.identity)
    let lie = StoredItemEntry(
      .guarded, protection: less, attributes: item.attributes, content: item.content)
    #expect(try seal(lie) == .records([.damaged]))
  }

  @Test("E1: a private key of the enclave is in no backup, as a guarded item neither")
  func keys() throws {
    try device.givePasscode(context: 1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(key(for: .create), in: 1)
    let item = try guarded("presence")
    let key = try device.ask(
      GenerateKey(protection: item.protection), for: GeneratedKey.self)
    let lie = StoredItemEntry(
      .guarded, protection: item.protection, attributes: item.attributes, content: key.sealed)
    #expect(try seal(lie) == .records([.damaged]))
  }

  @Test("A2: what has come back is guarded as before, by the fingers of the device that it came to")
  func anotherDevice() throws {
    let record = try record("biometry-current")
    let other = try EnrolledDevice.unlocked()
    let (back, _) = try restore(record, "biometry-current", on: other)
    let item = try #require(back)
    try other.givePasscode(context: 2)
    #expect(try other.open(item, context: 2) == .needed("biometry-current", held: .passcode))
    try other.match(2, SimulatedFinger.owner.later)
    #expect(try other.open(item, context: 2) == .secret("gold"))
    try other.enroll(.stranger, name: "left-index")
    try other.openContext(3)
    try other.match(3, SimulatedFinger.owner.later)
    #expect(try other.open(item, context: 3) == .failed(.errSecAuthFailed))
  }

  @Test("A2: a keychain cannot bring one back behind less, or where nobody could be asked")
  func restoring() throws {
    let record = try record("biometry-current")
    let other = try EnrolledDevice.unlocked()
    for access in ["presence", "biometry-any", "passcode", "biometry-current or passcode", nil] {
      #expect(try restore(record, access, on: other).failure == .errSecParam, "\(access ?? "")")
    }
    #expect(
      try restore(
        record, "biometry-current", on: other, .afterFirstUnlockThisDeviceOnly
      ).failure == .errSecParam)
    let asSecret = SealedRecord(.secret, record.bytes)
    #expect(try restore(asSecret, nil, on: other, .whenUnlocked).failure == .backupDamaged)
    let without = try SimulatedDevice.withPasscode()
    #expect(try restore(record, "biometry-current", on: without).failure == .biometryNotEnrolled)
    #expect(
      try restore(record, "biometry-current", on: SimulatedDevice()).failure == .passcodeNotSet)
  }
}

extension StoredItemEntry {
  /// The same as a keychain may call it.
  fileprivate func called(_ kind: PortableKind) -> StoredItemEntry {
    StoredItemEntry(kind, protection: protection, attributes: attributes, content: content)
  }
}
