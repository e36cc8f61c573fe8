public import CoreFoundationTypes
import Foundation

/// The result of an evaluation. The numbers are Apple's.
public enum SecTrustResultType: UInt32, Sendable {
  /// Not evaluated yet.
  case invalid = 0
  /// The owner's decision. Not used here.
  case proceed = 1, deny = 3
  /// Trusted.
  case unspecified = 4
  /// Not trusted, but perhaps with other anchors or another moment or host.
  case recoverableTrustFailure = 5
  /// Not trusted in any case; the other one is not used here.
  case fatalTrustFailure = 6, otherError = 7
}

/// Evaluates whether a certificate is trusted.
/// - Parameters:
///   - trust: the trust.
///   - error: receives the reason if it is not, which the caller owns: `errSecCertificateExpired`,
///     `errSecCertificateNotValidYet`, `errSecHostNameMismatch`, `errSecInvalidExtendedKeyUsage`,
///     `errSecInvalidSignature`, `errSecNotTrusted`.
/// - Returns: whether it is trusted.
@discardableResult public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  guard let problem = trust.answer().problem else {
    if let error = unsafe error { unsafe error.pointee = nil }
    return true
  }
  if let error = unsafe error { unsafe error.pointee = problem.error }
  return false
}

/// Gives the result of the last evaluation. Returns `errSecSuccess`.
@discardableResult public func SecTrustGetTrustResult(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  unsafe result.pointee = trust.known.map { $0.problem?.result ?? .unspecified } ?? .invalid
  return errSecSuccess
}

/// The chain from the certificate in question up, as far as it could be built; evaluates if
/// necessary.
/// - Returns: `SecCertificate`s, the one in question first; nil if it cannot be read.
@discardableResult public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  let built = trust.answer().chain
  let chain = (built.isEmpty ? Array(trust.certificates.prefix(1)) : built).compactMap {
    try? SecCertificate($0)
  }
  return chain.isEmpty ? nil : chain as NSArray
}

/// The number of certificates in the chain; evaluates if necessary.
@discardableResult public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  SecTrustCopyCertificateChain(trust)?.count ?? 0
}

/// One certificate of the chain, or nil beyond its end; 0 is the one in question.
@discardableResult public func SecTrustGetCertificateAtIndex(
  _ trust: SecTrust, _ ix: CFIndex
) -> SecCertificate? {
  let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
  return chain.indices.contains(ix) ? chain[ix] : nil
}

/// The public key of the certificate in question, trusted or not, as ``SecCertificateCopyKey(_:)``
/// gives it.
@discardableResult public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  trust.certificates.first.flatMap { try? SecCertificate($0) }.flatMap { SecCertificateCopyKey($0) }
}

extension ChainAnswer.Problem {
  fileprivate var result: SecTrustResultType {
    switch self {
    case .badSignature, .malformed: .fatalTrustFailure
    case .expired, .notYetValid, .noAnchor, .otherHost, .otherPurpose, .other:
      .recoverableTrustFailure
    }
  }

  /// The error for applications.
  fileprivate var error: NSError {
    let (status, message, hint) =
      switch self {
      case .expired:
        (
          errSecCertificateExpired, "the certificate, or one above it, has expired",
          "renew it, or set another moment: SecTrustSetVerifyDate"
        )
      case .notYetValid:
        (
          errSecCertificateNotValidYet, "the certificate, or one above it, is not valid yet",
          "check the clock, or set another moment: SecTrustSetVerifyDate"
        )
      case .noAnchor:
        (
          errSecNotTrusted, "the chain does not end with a trusted certificate",
          "give the intermediate certificates, or an anchor: SecTrustSetAnchorCertificates"
        )
      case .otherHost:
        (
          errSecHostNameMismatch, "the certificate is not for this host",
          "check the host's name in SecPolicyCreateSSL"
        )
      case .otherPurpose:
        (
          errSecInvalidExtendedKeyUsage,
          "the certificate, or one above it, is not for this purpose",
          "get one for this purpose, or use another policy"
        )
      case .badSignature:
        (
          errSecInvalidSignature, "a signature does not fit, or can be forged",
          "get a certificate with SHA-256 and a key of at least 2,048 bits of RSA"
        )
      case .malformed:
        (
          errSecUnknownFormat, "a certificate cannot be read",
          "give each in DER with nothing behind it"
        )
      case .other(let text):
        (errSecNotTrusted, "the certificate is not trusted: \(text)", "get another one")
      }
    return KeyProblem.status(status, message, hint: hint).error
  }
}
