import BackupFormat
import Protocol
import Testing

@testable import EnclaveEngine

extension BackupEnclaveTests {
  /// A certificate of a device's, as its keychain stores it.
  private func storedCertificate(
    _ certificate: [UInt8], _ accessibility: Accessibility = .whenUnlocked
  ) throws -> StoredItemEntry {
    let item = try stored("", on: device, accessibility)
    let entry = AttributesEntry(
      accessibility: accessibility, identity: item.protection.identity, bytes: certificate)
    let sealed = try device.ask(SealCertificates(entries: [entry]), for: AttributeBatch.self)
    guard case .value(let content)? = sealed.results.first else { throw EnclaveBackup.Unusable() }
    return StoredItemEntry(
      .certificate, protection: item.protection, attributes: item.attributes, content: content)
  }

  @Test("K7: a certificate leaves and comes to another device, where it is one again")
  func certificates() throws {
    try begin()
    let der = [UInt8](repeating: 0xDE, count: largestCertificate)
    let item = try storedCertificate(der)
    let results = try sealed([try stored("gold", on: device), item])
    guard case .value(let bytes) = results[1] else {
      Issue.record("nothing was sealed")
      return
    }
    let record = SealedRecord(.certificate, bytes)
    let portable = try backup.cipher.openItem(record, as: 1)
    #expect(portable.copyOfContent() == der && portable.attributes == [1, 2, 3])
    let other = try SimulatedDevice.withPasscode()
    try other.openContext(1)
    try other.send(backup.key(for: .restore), in: 1)
    let context = contextName(1)
    let opened = try other.ask(
      OpenFromBackup(first: 1, records: [record]), in: context, for: OpenedFromBackup.self)
    #expect(
      opened.items == [OpenedFromBackup.Item(attributes: [1, 2, 3], certificate: der)])
    let protection = try SimulatedDevice.protection(.whenUnlocked, access: nil, identity: [7])
    let back = try other.ask(
      SealFromBackup(entries: [
        RestoredEntry(number: 1, record: record, protection: protection, attributes: [4])
      ]), in: context, for: SealedFromBackup.self)
    let entry = AttributesEntry(
      accessibility: .whenUnlocked, identity: [7], bytes: back.items[0].content)
    #expect(
      try other.ask(OpenCertificates(entries: [entry]), for: AttributeBatch.self).results
        == [.value(der)])
    // It opens as nothing else.
    #expect(
      try other.ask(OpenAttributes(entries: [entry]), for: AttributeBatch.self).results
        == [.damaged])
  }

  @Test("A9: a keychain that calls a secret a certificate, or one the other, gets neither")
  func mislabeled() throws {
    try begin()
    let secret = try stored("gold", on: device)
    let certificate = try storedCertificate([0xDE, 0xAD])
    for item in [secret, certificate] {
      let other: PortableKind = item.kind == .secret ? .certificate : .secret
      let lie = StoredItemEntry(
        other, protection: item.protection, attributes: item.attributes, content: item.content)
      #expect(try sealed([lie]) == [.damaged])
    }
    // Attributes are sealed under the same key, with other words.
    let attributes = StoredItemEntry(
      .certificate, protection: secret.protection, attributes: secret.attributes,
      content: secret.attributes)
    #expect(try sealed([attributes]) == [.damaged])
    for accessibility in Accessibility.allCases where accessibility.isThisDeviceOnly {
      let bound = try storedCertificate([0xDE], accessibility)
      #expect(try failure(SealForBackup(items: [bound])) == .errSecParam)
    }
    // None of these took a place.
    #expect(try sealed([certificate]).count == 1)
    let ended = try BackupEnded.decode(
      device.engine.handle(
        SimulatedDevice.envelope(EndBackup(leftOut: 0, unreadable: 0), 1).bytes
      ).bytes)
    #expect(try backup.cipher.openEnd(ended.record, as: 1).items == 1)
  }

  @Test("E1: no secret comes out of a record by the keychain's saying that it is a certificate")
  func secretsStay() throws {
    try device.openContext(1)
    try device.send(backup.key(for: .restore), in: 1)
    let record = try backup.cipher.sealItem(
      .secret, .whenUnlocked, attributes: [1], content: Array("gold".utf8).span, as: 0)
    let lie = SealedRecord(.certificate, record.bytes)
    #expect(try failure(OpenFromBackup(first: 0, records: [lie])) == .backupDamaged)
    let protection = try SimulatedDevice.protection(.whenUnlocked, access: nil)
    #expect(
      try failure(
        SealFromBackup(entries: [
          RestoredEntry(number: 0, record: lie, protection: protection, attributes: [])
        ])) == .backupDamaged)
  }
}
