public import CoreFoundationTypes
import Foundation

/// How an evaluation ended. The numbers are Apple's.
public enum SecTrustResultType: UInt32, Sendable {
  /// Nobody has asked yet.
  case invalid = 0
  /// To be trusted, as the owner has said. Not given here: nobody asks the owner.
  case proceed = 1
  /// Not to be trusted, as the owner has said. Not given here either.
  case deny = 3
  /// To be trusted.
  case unspecified = 4
  /// Not to be trusted as it is asked; with other anchors, another moment or another host perhaps.
  case recoverableTrustFailure = 5
  /// Not to be trusted, whatever is asked.
  case fatalTrustFailure = 6
  /// Something else went wrong. Not given here.
  case otherError = 7
}

/// Finds out whether a certificate is to be trusted.
/// - Parameters:
///   - trust: what is asked.
///   - error: where the reason goes if it is not: `errSecCertificateExpired`,
///     `errSecCertificateNotValidYet`, `errSecHostNameMismatch`, `errSecInvalidExtendedKeyUsage`,
///     `errSecInvalidSignature`, `errSecNotTrusted`. It is the caller's.
/// - Returns: whether it is.
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

/// How the last evaluation ended.
/// - Parameters:
///   - trust: what was asked.
///   - result: where it goes.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecTrustGetTrustResult(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  unsafe result.pointee = trust.known.map { $0.problem?.result ?? .unspecified } ?? .invalid
  return errSecSuccess
}

/// The chain from the certificate in question up, as far as it was built; asks if nobody has.
/// - Returns: `SecCertificate`s, the one in question first; nil if it cannot be read.
@discardableResult public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  let built = trust.answer().chain
  let chain = (built.isEmpty ? Array(trust.certificates.prefix(1)) : built).compactMap {
    try? SecCertificate($0)
  }
  return chain.isEmpty ? nil : chain as NSArray
}

/// How many certificates the chain has; asks if nobody has.
@discardableResult public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  SecTrustCopyCertificateChain(trust)?.count ?? 0
}

/// One certificate of the chain; the one in question is the first.
/// - Parameters:
///   - trust: what is asked.
///   - ix: which, from 0.
/// - Returns: the certificate; nil if there are not so many.
@discardableResult public func SecTrustGetCertificateAtIndex(
  _ trust: SecTrust, _ ix: CFIndex
) -> SecCertificate? {
  let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
  return chain.indices.contains(ix) ? chain[ix] : nil
}

/// The public key of the certificate in question, trusted or not.
/// - Returns: as ``SecCertificateCopyKey(_:)``.
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

  /// As applications get it.
  fileprivate var error: NSError {
    let (status, message, hint) =
      switch self {
      case .expired:
        (
          errSecCertificateExpired, "the certificate, or one above it, is valid no more",
          "have it renewed, or ask about another moment: SecTrustSetVerifyDate"
        )
      case .notYetValid:
        (
          errSecCertificateNotValidYet, "the certificate, or one above it, is not valid yet",
          "check the clock, or ask about another moment: SecTrustSetVerifyDate"
        )
      case .noAnchor:
        (
          errSecNotTrusted, "the chain ends with nobody who is trusted",
          "give the intermediate certificates, or an anchor: SecTrustSetAnchorCertificates"
        )
      case .otherHost:
        (
          errSecHostNameMismatch, "the certificate is not of this host",
          "check the name of the host in SecPolicyCreateSSL"
        )
      case .otherPurpose:
        (
          errSecInvalidExtendedKeyUsage, "the certificate, or one above it, is not for this",
          "get one that is made for it, or ask by another policy"
        )
      case .badSignature:
        (
          errSecInvalidSignature, "a signature does not fit, or is of a kind that proves nothing",
          "get a certificate with SHA-256 and a key of at least 2,048 bits of RSA"
        )
      case .malformed:
        (
          errSecUnknownFormat, "a certificate cannot be read",
          "give each in DER with nothing behind it"
        )
      case .other(let text):
        (errSecNotTrusted, "the certificate is not to be trusted: \(text)", "get another one")
      }
    return KeyProblem.status(status, message, hint: hint).error
  }
}
