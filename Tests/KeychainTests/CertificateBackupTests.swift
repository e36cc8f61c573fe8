import Protocol
import TestSupport
import Testing

@Suite("Certificates in backups of a keychain", .timeLimit(.minutes(60)))
final class CertificateBackupTests: TwoKeychains {
  private func query(_ serial: UInt8) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = .certificate
    query.terms[.serialNumber] = .data([serial])
    return query
  }

  @Test("K1 K7: certificates leave among items, and come back as they were, found by all they say")
  func life() throws {
    var labeled = certificateAttributes()
    labeled.label = "Post"
    try keychain.add("mail", secret: "gold")
    let named = try keychain.add(certificate: maker(1).der(), labeled)
    var item = try keychain.add(certificate: maker(2, subject: "host").der())
    let backup = try keychain.backUp()
    #expect(backup.records.map(\.kind) == [.secret, .certificate, .certificate])
    #expect(backup.leftOut == 0 && backup.unreadable == 0)
    #expect(try other.restore(backup.records) == RestoreCounts(added: 3))
    var got = try other.certificate(query(2))
    #expect(got.certificate == maker(2, subject: "host").der())
    var restored = got.attributes
    #expect(restored.identifier != item.identifier)
    (restored.identifier, item.identifier) = ("", "")
    #expect(restored == item)
    got = try other.certificate(query(1))
    #expect(got.attributes.label == "Post" && got.attributes.values == named.values)
    // It is one, and no secret.
    #expect(try code { _ = try other.get(query(1)) } == .errSecParam)
    #expect(try code { try other.add(certificate: maker(1).der()) } == .errSecDuplicateItem)
    let again = try other.backUp()
    #expect(again.records.count == 3)
    #expect(try keychain.restore(again.records) == RestoreCounts(kept: 3))
  }

  @Test("K1: a restored certificate is an identity with its key, where that is")
  func identities() throws {
    let key = try keychain.createKey("deploy")
    var maker = TestCertificate(point: key.publicKey)
    maker.serialNumber = [1]
    let der = maker.der()
    try keychain.add(certificate: der)
    let backup = try keychain.backUp()
    #expect(backup.leftOut == 1, "the key stays")
    #expect(try keychain.remove(query(1)) == 1)
    #expect(try code { _ = try keychain.identities() } == .errSecItemNotFound)
    try keychain.restore(backup.records)
    #expect(try keychain.identities().map(\.key) == [key])
    #expect(try keychain.certificate(query(1)).certificate == der)
    try other.restore(backup.records)
    #expect(try code { _ = try other.identities() } == .errSecItemNotFound)
  }

  @Test("A9: a certificate of a class that stays on its device is in no backup, and counted")
  func leftOut() throws {
    var serial: UInt8 = 0
    for accessibility in Accessibility.allCases {
      serial += 1
      var attributes = certificateAttributes()
      attributes.accessibility = accessibility
      try keychain.add(certificate: maker(serial).der(), attributes)
    }
    keychain.enclave.beforeAnswer = { number in #expect(number != OpenCertificates.number) }
    let backup = try keychain.backUp()
    keychain.enclave.beforeAnswer = nil
    #expect(backup.records.count == 2 && backup.leftOut == 3)
    // Nor is one that is bound to this device replaced by one that is not.
    var bound = certificateAttributes()
    bound.accessibility = .whenUnlockedThisDeviceOnly
    try other.add(certificate: maker(1).der(), bound)
    #expect(try other.restore(backup.records) == RestoreCounts(added: 1, kept: 1))
  }

  @Test("K7: certificates are merged by issuer and serial number; a dry run writes nothing")
  func merging() throws {
    try keychain.add(certificate: maker(1).der())
    try keychain.add(certificate: maker(2).der())
    var relabeled = certificateAttributes()
    relabeled.label = "here"
    try other.add(certificate: maker(1, subject: "another of its number").der(), relabeled)
    let records = try keychain.backUp().records
    let counts = RestoreCounts(added: 1, kept: 1)
    let before = try otherFolder.files
    #expect(try other.restore(records, .dryRun) == counts)
    #expect(try otherFolder.files == before)
    #expect(try other.restore(records) == counts)
    #expect(try other.certificate(query(1)).attributes.label == "here")
    // The later change counts.
    let item = try other.certificate(query(1)).attributes
    var later = try keychain.certificate(query(1)).attributes
    later.modifiedAt = item.modifiedAt + 1
    let record = other.enclave.record(of: later, .certificate, maker(1).der(), at: 0)
    #expect(try other.restore([record]) == RestoreCounts(replaced: 1))
    let replaced = try other.certificate(query(1))
    #expect(replaced.certificate == maker(1).der())
    #expect(replaced.attributes.identifier == item.identifier)
    #expect(replaced.attributes.label == "subject")
  }

  @Test("what a backup says of a certificate is not believed: the certificate is read again")
  func lies() throws {
    var item = certificateAttributes()
    item.group = TestKeychain.app
    item.label = "Post"
    item.values[.serialNumber] = .data([99])
    item.values[.publicKeyHash] = .data([UInt8](repeating: 1, count: 20))
    let record = other.enclave.record(of: item, .certificate, maker(3).der(), at: 0)
    try other.restore([record])
    #expect(try code { _ = try other.find(query(99)) } == .errSecItemNotFound)
    let honest = try keychain.add(certificate: maker(3).der()).values
    var found = try other.certificate(query(3)).attributes.values
    #expect(found[.label] == .text("Post"))
    found[.label] = honest[.label]
    #expect(found == honest)
  }

  @Test("a record that is one thing and says that it is another is of no version that is known")
  func otherKinds() throws {
    var certificate = certificateAttributes()
    certificate.group = TestKeychain.app
    var item = ItemAttributes()
    item.service = "mail"
    let enclave = other.enclave
    for record in [
      enclave.record(of: certificate, secret: "", at: 0),
      enclave.record(of: certificate, .secret, maker(1).der(), at: 0),
      enclave.record(of: item, .certificate, maker(1).der(), at: 0),
      enclave.record(of: certificate, .certificate, [], at: 0),
      enclave.record(of: certificate, .certificate, maker(1).der() + [0], at: 0),
      enclave.record(of: certificate, .certificate, maker(1).der().dropLast(), at: 0),
    ] {
      #expect(try code { _ = try other.restore([record]) } == .backupTooNew)
    }
    var guarded = certificate
    guarded.accessControl = try AccessControl(.presence)
    guarded.accessibility = .whenUnlockedThisDeviceOnly
    let record = enclave.record(of: guarded, .certificate, maker(1).der(), at: 0)
    #expect(try code { _ = try other.restore([record]) } == .errSecParam)
    #expect(try !isAnythingStaged(in: otherFolder))
    #expect(try code { _ = try other.find() } == .errSecItemNotFound)
  }

  @Test("K7: certificates of the largest size leave and come one by one, with items between them")
  func long() throws {
    var ders: [[UInt8]] = []
    for serial in 1...3 as ClosedRange<UInt8> {
      var made = maker(serial)
      let rest = largestCertificate - made.der().count - 40
      made.extensions = [TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: rest))]
      ders.append(made.der())
      #expect(made.der().count <= largestCertificate)
      try keychain.add(certificate: made.der())
      for number in 0..<3 { try keychain.add("\(serial) \(number)", secret: "gold") }
    }
    var longest = 0
    keychain.enclave.intrusion = { request in
      if request.first == SealForBackup.number { longest = max(longest, request.count) }
      return nil
    }
    let backup = try keychain.backUp()
    #expect(backup.records.count == 12)
    #expect(longest < largestCertificate + 128 << 10)
    #expect(try other.restore(backup.records, atOnce: 1) == RestoreCounts(added: 12))
    for (serial, der) in zip(1...3 as ClosedRange<UInt8>, ders) {
      #expect(try other.certificate(query(serial)).certificate == der)
    }
  }

  @Test("a damaged certificate is counted, and one of the backup comes in its place")
  func damage() throws {
    try keychain.add(certificate: maker(1).der())
    let records = try keychain.backUp().records
    try flipBit(of: "sealedSecret", in: folder)
    let backup = try keychain.backUp()
    #expect(backup.records.isEmpty && backup.unreadable == 1)
    try flipBit(of: "sealedAttributes", in: folder)
    #expect(try keychain.restore(records) == RestoreCounts(replaced: 1))
    #expect(try keychain.certificate(query(1)).certificate == maker(1).der())
  }
}
