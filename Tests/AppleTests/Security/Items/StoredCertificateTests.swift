import Foundation
import Security
import TestSupport
import Testing

@Suite("Certificates and identities by SecItem", .timeLimit(.minutes(60)))
struct StoredCertificateTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  /// A key of the enclave's, and its public half.
  private func enclaveKey(_ tag: String) throws -> (key: SecKey, point: [UInt8]) {
    try application.run {
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs: [
          kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data(tag.utf8),
        ] as [CFString: Any],
      ]
      let made = SecKeyCreateRandomKey(attributes as CFDictionary, nil)
      let key = try #require(made)
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      let external = SecKeyCopyExternalRepresentation(publicKey, nil) as Data?
      let point = try #require(external)
      return (key, [UInt8](point))
    }
  }

  private func certificate(
    _ subject: String, by issuer: String, number: UInt8, point: [UInt8]? = nil
  ) throws -> Data {
    var made = TestCertificate(point: try point ?? enclaveKey("throw-away").point)
    made.subject = TestCertificate.name(subject)
    made.issuer = TestCertificate.name(issuer)
    made.serialNumber = [number]
    return Data(made.der())
  }

  private let certificates: [CFString: Any] = [kSecClass: kSecClassCertificate]

  private func labels(_ query: [CFString: Any]) -> [String] {
    application.all(certificates.with(query)).compactMap { $0["labl"] as? String }
  }

  @Test("K1: a certificate is added as bytes, says what it is, and comes back to the last byte")
  func added() throws {
    let der = try certificate("deploy.example.org", by: "Example Root", number: 7)
    let item = certificates.with([kSecValueData: der])
    let result = application.addedResult(item.with([kSecReturnAttributes: true]))
    #expect(result.status == errSecSuccess)
    let attributes = try #require(result.object as? [String: Any])
    #expect(
      attributes["labl"] as? String == "deploy.example.org" && attributes["ctyp"] as? Int == 3)
    #expect(attributes["slnr"] as? Data == Data([7]))
    #expect(application.add(item) == errSecDuplicateItem)
    #expect(application.copy(certificates.with([kSecReturnData: true])).object as? Data == der)
    let reference = application.copy(certificates.with([kSecReturnRef: true])).object
    let object = try #require(reference as? SecCertificate)
    #expect(SecCertificateCopyData(object) as Data == der)
    #expect(
      application.attributes([kSecValueRef: object])?["labl"] as? String == "deploy.example.org")
    #expect(application.add(certificates.with([kSecValueData: Data([1, 2])])) == errSecParam)
    let guarded = item.with([kSecAttrAccessControl: accessControl(.userPresence)])
    #expect(application.add(guarded) == errSecParam)
    #expect(application.update(certificates, [kSecAttrLabel: "other"]) == errSecSuccess)
    #expect(labels([:]) == ["other"])
    #expect(application.update(certificates, [kSecValueData: der]) == errSecParam)
    #expect(application.delete([kSecValueRef: object]) == errSecSuccess)
    #expect(labels([:]) == [])
  }

  @Test("X5: certificates are meant by words of the subject, by who is above them, and by dates")
  func filters() throws {
    for (number, names) in [("Root", "Root"), ("Middle", "Root"), ("leaf.example", "Middle")]
      .enumerated()
    {
      let der = try certificate(names.0, by: names.1, number: UInt8(number + 1))
      #expect(application.add(certificates.with([kSecValueData: der])) == errSecSuccess)
    }
    #expect(labels([kSecMatchSubjectContains: "example"]) == ["leaf.example"])
    #expect(labels([kSecMatchSubjectContains: "LEAF"]) == [])
    let anyCase: [CFString: Any] = [
      kSecMatchSubjectContains: "LEAF", kSecMatchCaseInsensitive: true,
    ]
    #expect(labels(anyCase) == ["leaf.example"])
    let root = Data(TestCertificate.name("Root"))
    let middle = Data(TestCertificate.name("Middle"))
    #expect(labels([kSecMatchIssuers: [middle]]) == ["leaf.example"])
    #expect(labels([kSecMatchIssuers: [root]]) == ["Root", "Middle", "leaf.example"])
    #expect(labels([kSecMatchIssuers: [Data()]]) == [])
    #expect(labels([kSecMatchValidOnDate: NSNull()]).count == 3)
    #expect(labels([kSecMatchValidOnDate: Date.distantPast]) == [])
    #expect(labels([kSecMatchValidOnDate: Date(timeIntervalSince1970: 1_800_000_000)]).count == 3)
  }

  @Test("K1: a certificate with a key of the enclave's is an identity, which goes with its key")
  func identities() throws {
    let (key, point) = try enclaveKey("deploy")
    let der = try certificate("deploy", by: "Root", number: 9, point: point)
    #expect(application.add(certificates.with([kSecValueData: der])) == errSecSuccess)
    let query: [CFString: Any] = [kSecClass: kSecClassIdentity]
    let found = application.copy(query.with([kSecReturnRef: true]))
    #expect(found.status == errSecSuccess)
    let identity = try #require(found.object as? SecIdentity)
    var certificate: SecCertificate?
    #expect(unsafe SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
    #expect(SecCertificateCopyData(try #require(certificate)) as Data == der)
    var own: SecKey?
    #expect(unsafe SecIdentityCopyPrivateKey(identity, &own) == errSecSuccess)
    #expect(own == key)
    let attributes = try #require(application.attributes(query))
    #expect(
      attributes["labl"] as? String == "deploy"
        && attributes["atag"] as? Data == Data("deploy".utf8))
    let persistent = query.with([kSecReturnPersistentRef: true])
    let reference = try #require(application.copy(persistent).object as? Data)
    let again = application.copy([kSecValuePersistentRef: reference, kSecReturnRef: true])
    #expect(again.object is SecIdentity)
    #expect(application.status(query.with([kSecAttrLabel: "other"])) == errSecItemNotFound)
    #expect(application.update(query, [kSecAttrLabel: "x"]) == errSecUnimplemented)
    #expect(application.delete(query) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
    #expect(labels([:]) == [])
    let keys: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("deploy".utf8),
    ]
    #expect(application.status(keys) == errSecItemNotFound)
  }

  @Test("K1: a key of the enclave's is described as an item, and has no data")
  func keyAttributes() throws {
    _ = try enclaveKey("mine")
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("mine".utf8),
    ]
    let attributes = try #require(application.attributes(query))
    #expect((attributes["type"] as? NSNumber)?.stringValue == kSecAttrKeyTypeEC as String)
    #expect(attributes["bsiz"] as? Int == 256 && attributes["kcls"] as? Int == 1)
    #expect(attributes["tkid"] as? String == kSecAttrTokenIDSecureEnclave as String)
    #expect(application.status(query.with([kSecReturnData: true])) == errSecDataNotAvailable)
    for fits: [CFString: Any] in [
      [kSecAttrKeyType: kSecAttrKeyTypeEC], [kSecAttrKeyClass: kSecAttrKeyClassPrivate],
      [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave], [kSecAttrKeySizeInBits: 256],
    ] {
      #expect(application.status(query.with(fits)) == errSecSuccess, "\(fits)")
    }
    for not: [CFString: Any] in [
      [kSecAttrKeyType: kSecAttrKeyTypeRSA], [kSecAttrKeyClass: kSecAttrKeyClassPublic],
      [kSecAttrTokenID: "other"], [kSecAttrKeySizeInBits: 384], [kSecAttrSynchronizable: true],
    ] {
      #expect(application.status(query.with(not)) == errSecItemNotFound, "\(not)")
    }
    let persistent = query.with([kSecReturnPersistentRef: true])
    let reference = try #require(application.copy(persistent).object as? Data)
    let found = application.copy([kSecValuePersistentRef: reference, kSecReturnRef: true])
    #expect(found.object is SecKey)
    #expect(application.update(query, [kSecAttrLabel: "x"]) == errSecUnimplemented)
    #expect(application.delete([kSecValuePersistentRef: reference]) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
  }
}
