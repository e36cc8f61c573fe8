import Foundation
import Security
import Testing

@Suite("SecTrust", .timeLimit(.minutes(15)))
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
      // Of the root's name, and another key.
      (["leaf", "middle"], ["stranger"], errSecInvalidSignature),
      (["expired", "middle"], ["root"], errSecCertificateExpired),
      (["future", "middle"], ["root"], errSecCertificateNotValidYet),
      // A certificate that is no authority's issues none.
      (["under-leaf", "leaf", "middle"], ["root"], errSecInvalidExtendedKeyUsage),
      (["weak", "middle"], ["root"], errSecInvalidSignature),
    ]
    for (names, anchors, status) in reasons {
      #expect(Chain.reason(try Chain.trust(names, anchors: anchors)) == status, "\(names)")
    }
    #expect(Chain.reason(try Chain.trust(["rsa", "middle"])) == errSecSuccess)
  }

  @Test("the moment of asking counts unless another one is said, and changes are asked anew")
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

  @Test("TLS wants the host's name and the purpose")
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

  @Test("what is no certificate or policy makes no trust")
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
    // Nobody of this system has issued it.
    #expect(Chain.reason(made) == errSecNotTrusted)
    #expect(CFGetTypeID(made) == SecTrustGetTypeID())
  }
}
