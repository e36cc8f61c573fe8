import Cryptography
import GRDB
import Protocol
import TestSupport
import Testing

@Suite("Certificates in the keychain", .timeLimit(.minutes(60)))
final class CertificateItemTests: OneKeychain {
  private func query(_ terms: AttributeTerms) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = .certificate
    query.terms = terms
    return query
  }

  @Test("K1: a certificate is found by all it says of itself, and comes back as it was")
  func life() throws {
    let point = certifiedPoint
    var made = maker(5, subject: "host.example.org")
    made.extensions = [TestCertificate.keyID([8, 9])]
    let other = try keychain.add(certificate: maker(6, subject: "other").der())
    let item = try keychain.add(certificate: made.der())
    #expect(item.identifier.count == 32 && item.itemClass == .certificate)
    #expect(item.createdAt > 1_700_000_000 && item.accessControl == nil)
    let values: AttributeValues = [
      .label: .text("host.example.org"), .certificateType: .number(3),
      .certificateEncoding: .number(3), .subject: .data(made.subject),
      .issuer: .data(made.issuer), .serialNumber: .data([5]), .subjectKeyID: .data([8, 9]),
      .publicKeyHash: .data(try SHA1.hash(point.span)),
    ]
    #expect(item.values == values)
    for name in values.names {
      let found = try keychain.find(query([name: values[name] ?? .text("")]))
      #expect(found.contains(item), "\(name)")
      let isShared = [.certificateType, .certificateEncoding, .issuer, .publicKeyHash].contains(
        name)
      #expect(found.contains(other) == isShared, "\(name)")
    }
    let got = try keychain.certificate(query([.serialNumber: .data([5])]))
    #expect(got.attributes == item && got.certificate == made.der())
    #expect(try keychain.remove(query([.subject: .data(made.subject)])) == 1)
    #expect(try keychain.find() == [other])
    #expect(
      try code { _ = try keychain.certificate(query([.serialNumber: .data([5])])) }
        == .errSecItemNotFound)
  }

  @Test("K1: one issuer gives a serial number once; type, group and synchronizing apart")
  func duplicates() throws {
    let first = try keychain.add(certificate: maker(5).der())
    #expect(
      try code { try keychain.add(certificate: maker(5, subject: "x").der()) }
        == .errSecDuplicateItem)
    try keychain.add(certificate: maker(6).der())
    var made = maker(5)
    made.issuer = TestCertificate.name("another")
    try keychain.add(certificate: made.der())
    made = maker(5)
    made.version = nil
    try keychain.add(certificate: made.der())
    try keychain.add(certificate: maker(5).der(), app: "uid:1001")
    var attributes = certificateAttributes()
    attributes.isSynchronizable = true
    try keychain.add(certificate: maker(5).der(), attributes)
    #expect(try keychain.find().count == 4)
    #expect(try keychain.find().first == first)
    #expect(try keychain.find(app: "uid:1001").count == 1)
  }

  @Test("its label is what it is added with, else the name of its subject, as far as that goes")
  func labels() throws {
    let given = certificateAttributes(label: "given")
    #expect(try keychain.add(certificate: maker(1).der(), given).label == "given")
    #expect(try keychain.add(certificate: maker(2).der()).label == "subject")
    var made = maker(3, subject: String(repeating: "ü", count: 700))
    let long = try keychain.add(certificate: made.der()).label
    #expect(long == String(repeating: "ü", count: 512))
    made = maker(4)
    made.subject = DER.sequence()
    let nameless = try keychain.add(certificate: made.der())
    #expect(nameless.label == "" && nameless.values[.subject] == .data([0x30, 0]))
  }

  @Test("what is no certificate, a longer one, one with too long a name: errSecParam, and why")
  func refused() throws {
    func refusal(_ bytes: [UInt8], _ attributes: ItemAttributes = certificateAttributes()) throws
      -> String?
    {
      let failure = try failure { try keychain.add(certificate: bytes, attributes) }
      #expect(failure?.code == .errSecParam)
      return failure?.message
    }
    let good = maker(1).der()
    for bytes in [[], [0x30, 0], good + [0], Array(good.dropLast()), Array("hello".utf8)] {
      #expect(try refusal(bytes)?.contains("not in DER") == true)
    }
    var made = maker(1)
    made.version = [9]
    #expect(try refusal(made.der())?.contains("version") == true)
    made = maker(1, subject: String(repeating: "a", count: 4100))
    #expect(try refusal(made.der())?.contains("4096") == true)
    made = maker(1)
    made.serialNumber = [UInt8](repeating: 1, count: 4097)
    #expect(try refusal(made.der())?.contains("4096") == true)
    var attributes = certificateAttributes()
    attributes.accessControl = try AccessControl(parsing: "presence")
    #expect(try refusal(good, attributes)?.contains("access control") == true)
    attributes = certificateAttributes()
    attributes.itemClass = .note
    #expect(try refusal(good, attributes)?.contains("class") == true)
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
  }

  @Test("K1: one of a mebibyte is kept, one of a byte more is not, and the limit is named")
  func largest() throws {
    func certificate(of count: Int) -> [UInt8] {
      var made = maker(1)
      // The lengths around the padding have as many bytes as at the end.
      var size = count - 1000
      repeat {
        made.extensions = [
          TestCertificate.extension([0x2A, 3], [UInt8](repeating: 1, count: size))
        ]
        size += count - made.der().count
      } while made.der().count != count
      return made.der()
    }
    let largest = certificate(of: largestCertificate)
    try keychain.add(certificate: largest)
    #expect(try keychain.certificate(query([:])).certificate == largest)
    let larger = try failure { try keychain.add(certificate: certificate(of: largest.count + 1)) }
    #expect(larger?.code == .errSecParam && larger?.message.contains("1048576") == true)
  }

  @Test("K3: nothing of a certificate lies readable in the file")
  func sealed() throws {
    let made = maker(5, subject: "a name to look for")
    try keychain.add(certificate: made.der())
    let bytes = try folder.everything
    for part in [Array("a name to look for".utf8), made.issuer, Array(made.der().prefix(40))] {
      #expect(!contains(bytes, part))
    }
  }

  @Test("E1: a flipped bit of it is noticed, and so is another's body in its row")
  func tampered() throws {
    let item = try keychain.add(certificate: maker(5).der())
    try keychain.add(certificate: maker(6).der())
    var named = query([:])
    named.identifier = item.identifier
    try tamper(folder) {
      try $0.execute(
        sql: """
          UPDATE items SET sealedSecret = (SELECT sealedSecret FROM items WHERE sequence = 2)
          WHERE sequence = 1
          """)
    }
    #expect(try code { _ = try keychain.certificate(named) } == .errSecDecode)
    try tamper(folder) {
      try $0.execute(sql: "UPDATE items SET sealedSecret = sealedAttributes WHERE sequence = 1")
    }
    #expect(try code { _ = try keychain.certificate(named) } == .errSecDecode)
    #expect(try keychain.remove(named) == 1)
  }

  @Test("its label, group and class change; what it says does not, and it has no secret")
  func updates() throws {
    let made = maker(5)
    let item = try keychain.add(certificate: made.der())
    #expect(try keychain.update(query([:]), changes(label: "other")) == 1)
    let named = query([.label: .text("other"), .issuer: .data(made.issuer)])
    #expect(try keychain.certificate(named).certificate == made.der())
    var toOther = ItemChanges()
    toOther.accessibility = .afterFirstUnlock
    #expect(try keychain.update(named, toOther) == 1)
    keychain.enclave.isLocked = true
    let got = try keychain.certificate(named)
    #expect(got.certificate == made.der() && got.attributes.accessibility == .afterFirstUnlock)
    #expect(got.attributes.identifier == item.identifier)
    keychain.enclave.isLocked = false
    let control = try AccessControl(parsing: "presence")
    var renamed = ItemChanges()
    renamed.terms[.issuer] = .data([1])
    for wrong in [changes(guarding: .by(control)), renamed, changes(account: "x")] {
      let code = try code { try keychain.update(query([:]), wrong) }
      #expect(code == .errSecParam || code == .errSecNoSuchAttr)
    }
    #expect(try code { try keychain.update(query([:]), secret: "x") } == .errSecParam)
    for asked in [query([:]), query([.label: .text("other")])] {
      #expect(try code { _ = try keychain.get(asked) } == .errSecParam)
    }
    var other = query([:])
    other.itemClass = .generic
    #expect(try code { _ = try keychain.certificate(other) } == .errSecParam)
  }

  @Test("K2: one that is shared is found and given, and is an identity with the other's own key")
  func shared() throws {
    let other = "/usr/bin/other"
    let key = try keychain.createKey("deploy", app: other)
    let made = TestCertificate(point: key.publicKey).der()
    let item = try keychain.add(certificate: made)
    keychain.enclave.evidence[1] = .passcode
    func refusals() throws -> [FailureCode?] {
      [
        try code { _ = try keychain.certificate(query([:]), app: other) },
        try code { _ = try keychain.identities(app: other) },
      ]
    }
    #expect(try refusals() == [.errSecItemNotFound, .errSecItemNotFound])
    try keychain.share(query([:]), with: other)
    let got = try keychain.certificate(query([:]), app: other)
    #expect(got.certificate == made && got.attributes.identifier == item.identifier)
    #expect(try keychain.identities(app: other).map(\.key) == [key])
    #expect(try code { try keychain.remove(query([:]), app: other) } == .errSecItemNotFound)
    try keychain.share(query([:]), with: other, isShared: false)
    #expect(try refusals() == [.errSecItemNotFound, .errSecItemNotFound])
  }

  @Test("K6: while its class is closed nothing tells whether a certificate is there")
  func locked() throws {
    try keychain.add(certificate: maker(5).der())
    keychain.enclave.isLocked = true
    for serial in [5, 6] as [UInt8] {
      let named = query([.serialNumber: .data([serial])])
      let failures = [
        try failure { _ = try keychain.certificate(named) },
        try failure { _ = try keychain.find(named) },
        try failure { _ = try keychain.identities(named) },
      ]
      #expect(failures.allSatisfy { $0?.code == .errSecInteractionNotAllowed })
      #expect(failures.allSatisfy { $0?.message == failures[0]?.message })
    }
    #expect(
      try code { try keychain.add(certificate: maker(7).der()) } == .errSecInteractionNotAllowed)
  }
}
