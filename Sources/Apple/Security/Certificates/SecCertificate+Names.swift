public import CoreFoundationTypes
import Cryptography

// What a certificate says of whom it is about and from.

/// What people would call whom a certificate is about: its common name, or else unit, organization
/// or address of mail.
/// - Returns: the text; nil where there is none of them.
@discardableResult public func SecCertificateCopySubjectSummary(
  _ certificate: SecCertificate
) -> CFString? {
  certificate.summary.map { $0 as NSString }
}

/// The common name of whom a certificate is about; of several the last, which is the narrowest.
/// - Parameters:
///   - certificate: the certificate.
///   - commonName: where it goes, the caller's then; nil where there is none.
/// - Returns: `errSecSuccess`, with a common name or without.
@discardableResult public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  let parts = DistinguishedName(der: certificate.facts.subject)?.parts ?? []
  unsafe commonName.pointee = parts.last { $0.type == "CN" }.map { $0.value as NSString }
  return errSecSuccess
}

/// The addresses of mail of whom a certificate is about, of the subject and its alternative names.
/// - Parameters:
///   - certificate: the certificate.
///   - emailAddresses: where they go, the caller's then: texts, perhaps none.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe emailAddresses.pointee = certificate.details.emailAddresses as NSArray
  return errSecSuccess
}

/// The serial number that the issuer gave a certificate.
/// - Parameters:
///   - certificate: the certificate.
///   - error: never gets one.
/// - Returns: big endian, in two's complement.
@discardableResult public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  Data(certificate.facts.serialNumber) as NSData
}

/// The name of who issued a certificate, for comparing.
/// - Returns: the DER of the Name with capital letters and single spaces; only what the same function
///   gives of another certificate compares with it.
@discardableResult public func SecCertificateCopyNormalizedIssuerSequence(
  _ certificate: SecCertificate
) -> CFData? {
  NormalizedName.of(certificate.facts.issuer).map { Data($0) as NSData }
}

/// The name of whom a certificate is about, for comparing.
/// - Returns: as ``SecCertificateCopyNormalizedIssuerSequence(_:)``.
@discardableResult public func SecCertificateCopyNormalizedSubjectSequence(
  _ certificate: SecCertificate
) -> CFData? {
  NormalizedName.of(certificate.facts.subject).map { Data($0) as NSData }
}

/// From when on a certificate is valid.
/// - Returns: the moment; nil where it says no span of time.
@discardableResult public func SecCertificateCopyNotValidBeforeDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.lowerBound)
}

/// Until when a certificate is valid.
/// - Returns: the moment; nil where it says no span of time.
@discardableResult public func SecCertificateCopyNotValidAfterDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.upperBound)
}

private func moment(_ seconds: Int64?) -> CFDate? {
  seconds.map { NSDate(timeIntervalSince1970: TimeInterval($0)) }
}
