import Foundation
import Security
import Testing

/// The certificates that `make-chain` of SoftwareKeys wrote.
enum Chain {
  /// DER, or the bytes of the leaf's key.
  static func bytes(_ name: String) throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
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

  /// A moment at which all are valid that are ever.
  static let moment = NSDate(timeIntervalSince1970: 1_700_000_000)

  /// A question about the first of these, with the root for an anchor, at that moment.
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

  /// 0, or why it is not to be trusted.
  static func reason(_ trust: SecTrust) -> OSStatus {
    var error: CFError?
    let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
    return isTrusted ? errSecSuccess : OSStatus(error?.code ?? -1)
  }
}
