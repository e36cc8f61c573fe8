import Foundation
import Security
import TestSupport
import Testing

@Suite("SecCertificate and SecIdentity", .timeLimit(.minutes(60)))
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

  @Test("bytes that are not one certificate are refused", arguments: [0, 1, 100, 10_000, 2 << 20])
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

@Suite("SecTrust", .timeLimit(.minutes(60)))
struct TrustTests {
  @Test("a chain to an anchor is trusted, and given with the certificate in question first")
  func trusted() throws {
    let trust = try Chain.trust(["leaf", "middle"])
    var result = SecTrustResultType.proceed
    #expect(unsafe SecTrustGetTrustResult(trust, &result) == errSecSuccess)
    #expect(result == .invalid)
    #expect(Chain.reason(trust) == errSecSuccess)
    #expect(unsafe SecTrustGetTrustResult(trust, &result) == errSecSuccess)
    #expect(result == .unspecified)
    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
    #expect(try chain == ["leaf", "middle", "root"].map { try Chain.certificate($0) })
    #expect(SecTrustGetCertificateCount(trust) == 3)
    #expect(SecTrustGetCertificateAtIndex(trust, 3) == nil)
    #expect(SecTrustGetCertificateAtIndex(trust, -1) == nil)
    #expect(try SecTrustCopyKey(trust) == SecCertificateCopyKey(Chain.certificate("leaf")))
  }

  @Test("an anchor need not have signed itself; the certificate may be its own anchor")
  func otherAnchors() throws {
    #expect(Chain.reason(try Chain.trust(["leaf"], anchors: ["middle"])) == errSecSuccess)
    #expect(Chain.reason(try Chain.trust(["leaf"], anchors: ["leaf"])) == errSecSuccess)
  }

  @Test("each reason not to trust a certificate has its number")
  func refused() throws {
    let reasons: [([String], [String], OSStatus)] = [
      (["leaf"], ["root"], errSecNotTrusted),
      (["leaf", "middle"], [], errSecNotTrusted),
      // It has the root's name and another key.
      (["leaf", "middle"], ["stranger"], errSecInvalidSignature),
      (["expired", "middle"], ["root"], errSecCertificateExpired),
      (["future", "middle"], ["root"], errSecCertificateNotValidYet),
      // A certificate that is not an authority issues none.
      (["under-leaf", "leaf", "middle"], ["root"], errSecInvalidExtendedKeyUsage),
      (["weak", "middle"], ["root"], errSecInvalidSignature),
    ]
    for (names, anchors, status) in reasons {
      #expect(Chain.reason(try Chain.trust(names, anchors: anchors)) == status, "\(names)")
    }
    #expect(Chain.reason(try Chain.trust(["rsa", "middle"])) == errSecSuccess)
  }

  @Test("the present moment counts unless another is set, and changes are evaluated anew")
  func moments() throws {
    let trust = try Chain.trust(["expired", "middle"])
    #expect(Chain.reason(trust) == errSecCertificateExpired)
    SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: 1_590_000_000))
    #expect(Chain.reason(trust) == errSecSuccess)
    SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: 1_500_000_000))
    #expect(Chain.reason(trust) == errSecCertificateNotValidYet)
    #expect(
      SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: .infinity)) == errSecParam)
  }

  @Test("TLS demands the host's name and the purpose")
  func policies() throws {
    let host = { (name: String) in SecPolicyCreateSSL(true, name as CFString) }
    let leaf = ["leaf", "middle"]
    #expect(Chain.reason(try Chain.trust(leaf, host("leaf.example.org"))) == errSecSuccess)
    #expect(Chain.reason(try Chain.trust(leaf, SecPolicyCreateSSL(true, nil))) == errSecSuccess)
    for name in ["example.org", "a.leaf.example.org", "leaf.example.org.evil", "10.0.0.1", ""] {
      #expect(
        Chain.reason(try Chain.trust(leaf, host(name))) == errSecHostNameMismatch, "\(name)")
    }
    #expect(
      Chain.reason(try Chain.trust(leaf, SecPolicyCreateSSL(false, nil)))
        == errSecInvalidExtendedKeyUsage)
    #expect(
      Chain.reason(try Chain.trust(["client", "middle"], SecPolicyCreateSSL(false, nil)))
        == errSecSuccess)
    let trust = try Chain.trust(leaf, host("other.example.org"))
    #expect(SecTrustSetPolicies(trust, host("leaf.example.org")) == errSecSuccess)
    #expect(Chain.reason(trust) == errSecSuccess)
    #expect(SecTrustSetPolicies(trust, NSArray()) == errSecParam)
  }

  @Test("a trust is only made of certificates and policies")
  func wrongArguments() throws {
    var trust: SecTrust?
    for wrong: NSObject in [NSArray(), "leaf" as NSString, [7] as NSArray, NSNull()] {
      #expect(unsafe SecTrustCreateWithCertificates(wrong, nil, &trust) == errSecParam)
    }
    let leaf = try Chain.certificate("leaf")
    #expect(
      unsafe SecTrustCreateWithCertificates(leaf, "none" as NSString, &trust) == errSecParam)
    #expect(trust == nil)
    #expect(unsafe SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
    let made = try #require(trust)
    #expect(SecTrustSetAnchorCertificates(made, [7] as NSArray) == errSecParam)
    // No authority of this system has issued it.
    #expect(Chain.reason(made) == errSecNotTrusted)
    #expect(CFGetTypeID(made) == SecTrustGetTypeID())
  }
}

/// The certificates that `make-chain` of SoftwareKeys wrote.
enum Chain {
  /// DER, or the bytes of the leaf's key.
  static func bytes(_ name: String) throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: tests.appending(path: "SoftwareKeys/Fixtures/chain.txt"), encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    let digits = try #require(line, "chain.txt has no \(name)").dropFirst(name.count + 1)
      .compactMap(\.hexDigitValue)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      })
  }

  static func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, try bytes(name) as NSData))
  }

  /// A moment at which all are valid, except those that never are.
  static let moment = NSDate(timeIntervalSince1970: 1_700_000_000)

  /// A question about the first of these at that moment, with the root as anchor.
  static func trust(
    _ names: [String], _ policy: SecPolicy = SecPolicyCreateBasicX509(),
    anchors: [String] = ["root"]
  ) throws -> SecTrust {
    var made: SecTrust?
    let certificates = try names.map { try certificate($0) }
    let status = unsafe SecTrustCreateWithCertificates(certificates as NSArray, policy, &made)
    #expect(status == errSecSuccess)
    let trust = try #require(made)
    #expect(
      SecTrustSetAnchorCertificates(trust, try anchors.map { try certificate($0) } as NSArray)
        == errSecSuccess)
    #expect(SecTrustSetVerifyDate(trust, moment) == errSecSuccess)
    return trust
  }

  /// 0, or why it is not trusted.
  static func reason(_ trust: SecTrust) -> OSStatus {
    var error: CFError?
    let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
    return isTrusted ? errSecSuccess : OSStatus(error?.code ?? -1)
  }
}
