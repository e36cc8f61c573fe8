import Foundation
import Security
import TestSupport
import Testing

@Suite("SecCertificate and SecIdentity", .timeLimit(.minutes(15)))
struct CertificateObjectTests {
  @Test("a certificate says whom it is about, from whom, with which key and until when")
  func facts() throws {
    let (leaf, middle) = (try Chain.certificate("leaf"), try Chain.certificate("middle"))
    #expect(try SecCertificateCopyData(leaf) as Data == Chain.bytes("leaf"))
    #expect(SecCertificateCopySubjectSummary(leaf) as String? == "Leaf")
    var name: CFString?
    #expect(unsafe SecCertificateCopyCommonName(leaf, &name) == errSecSuccess)
    #expect(name as String? == "Leaf")
    var addresses: CFArray?
    #expect(unsafe SecCertificateCopyEmailAddresses(leaf, &addresses) == errSecSuccess)
    #expect(addresses as? [String] == ["ann@example.org"])
    #expect(unsafe SecCertificateCopyEmailAddresses(middle, &addresses) == errSecSuccess)
    #expect(addresses as? [String] == [])
    let start = SecCertificateCopyNotValidBeforeDate(leaf)
    #expect(start == NSDate(timeIntervalSince1970: 1_577_836_800))
    #expect(
      SecCertificateCopyNotValidAfterDate(leaf) == NSDate(timeIntervalSince1970: 4_733_510_400))
    #expect(CFGetTypeID(leaf) == SecCertificateGetTypeID())
    #expect(try Chain.certificate("leaf") == leaf && leaf != middle)
  }

  @Test("names are compared without case and with single spaces")
  func normalizedNames() throws {
    let (leaf, middle) = (try Chain.certificate("leaf"), try Chain.certificate("middle"))
    let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf)) as Data
    #expect(issuer == SecCertificateCopyNormalizedSubjectSequence(middle) as Data?)
    let text = String(decoding: issuer, as: UTF8.self)
    #expect(text.contains("MIDDLE") && text.contains("TESTS OF TRUST"))
  }

  @Test("the key of a certificate verifies what its private half signs; both make an identity")
  func identity() throws {
    let certificate = try Chain.certificate("leaf")
    let publicKey = try #require(SecCertificateCopyKey(certificate))
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    ]
    let key = try #require(
      SecKeyCreateWithData(
        try Chain.bytes("leaf-key") as NSData, attributes as CFDictionary, nil))
    #expect(SecKeyCopyPublicKey(key) == publicKey)
    let identity = try #require(SecIdentityCreate(nil, certificate, key))
    var (parts): (SecCertificate?, SecKey?)
    #expect(unsafe SecIdentityCopyCertificate(identity, &parts.0) == errSecSuccess)
    #expect(unsafe SecIdentityCopyPrivateKey(identity, &parts.1) == errSecSuccess)
    #expect(parts.0 == certificate && parts.1 == key)
    #expect(CFGetTypeID(identity) == SecIdentityGetTypeID())
    #expect(SecIdentityCreate(nil, try Chain.certificate("middle"), key) == nil)
    #expect(SecIdentityCreate(nil, certificate, publicKey) == nil)
    #expect(
      SecKeyGetBlockSize(try #require(SecCertificateCopyKey(Chain.certificate("rsa")))) == 256)
  }

  @Test("bytes that are not one certificate are none", arguments: [0, 1, 100, 10_000, 2 << 20])
  func wrongBytes(count: Int) throws {
    let leaf = try Chain.bytes("leaf")
    let wrong = [
      Data(repeating: 0x30, count: count), Data(count: count), leaf.prefix(min(count, 200)),
      leaf + Data(count: max(1, count)),
    ]
    for bytes in wrong { #expect(SecCertificateCreateWithData(nil, bytes as NSData) == nil) }
  }

  @Test("K1: a certificate and an identity are stored and found as objects")
  func stored() throws {
    let application = TestedApplication(try TestHome())
    let certificate = try Chain.certificate("leaf")
    #expect(
      application.add([kSecClass: kSecClassCertificate, kSecValueRef: certificate])
        == errSecSuccess)
    let found = application.copy([kSecClass: kSecClassCertificate, kSecReturnRef: true])
    #expect(found.object as? SecCertificate == certificate)
    let key: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeEC,
      kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecValueData: try Chain.bytes("leaf-key"),
    ]
    #expect(application.add(key) == errSecSuccess)
    let both = application.copy([kSecClass: kSecClassIdentity, kSecReturnRef: true])
    let identity = try #require(both.object as? SecIdentity)
    var privateKey: SecKey?
    #expect(unsafe SecIdentityCopyPrivateKey(identity, &privateKey) == errSecSuccess)
    #expect(privateKey.flatMap { SecKeyCopyPublicKey($0) } == SecCertificateCopyKey(certificate))
  }
}
