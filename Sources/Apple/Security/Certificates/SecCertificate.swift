public import CoreFoundationTypes
import Cryptography
import Protocol

/// A certificate (X.509), which is read but not judged: `SecTrust` does that. Any thread.
public final class SecCertificate: NSObject, @unchecked Sendable {
  // Sendable: it is immutable.
  let der: [UInt8]
  let facts: X509Certificate
  let details: CertificateDetails

  /// Reads one certificate in DER of at most 1 MiB, with nothing behind it.
  /// - Throws: `errSecDecode` for anything else.
  init(_ der: [UInt8]) throws(Failure) {
    do throws(X509Certificate.Problem) {
      guard der.count <= largestCertificate, let details = CertificateDetails(der: der.span) else {
        throw .malformed
      }
      self.details = details
      facts = try X509Certificate(der: der.span)
      self.der = der
    } catch {
      throw Failure(
        .errSecDecode, "the bytes are not a single certificate in DER of at most 1 MiB",
        hint: "decode PEM first, and give nothing behind the certificate")
    }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.der == der
  }

  public override var hash: Int { der.hashValue }

  public override var description: String { "<SecCertificate: \(summary ?? "no name")>" }

  /// The name of its subject for people, or nil.
  var summary: String? { DistinguishedName(der: facts.subject)?.summary }

  /// The validity in seconds since 1970.
  var validity: ClosedRange<Int64> {
    get throws(Failure) {
      guard let validity = details.validity else {
        throw Failure(
          .errSecDecode, "the certificate does not state when it is valid",
          hint: "omit kSecMatchValidOnDate")
      }
      return validity
    }
  }
}

extension SecCertificate: ItemReference {
  func referencedItem() throws(Failure) -> ReferencedItem { .certificate(der) }
}

/// The number of the class of certificates.
@discardableResult public func SecCertificateGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecCertificate.self)
}

/// Reads a certificate.
/// - Parameters:
///   - allocator: has no effect.
///   - data: one certificate in DER of at most 1 MiB, with nothing behind it.
/// - Returns: the certificate, or nil for anything else.
@discardableResult public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
  try? SecCertificate([UInt8](data as Data))
}

/// The bytes of a certificate: the given DER.
@discardableResult public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  Data(certificate.der) as NSData
}

/// The public key of a certificate.
/// - Returns: the key, or nil if it is neither RSA of 1,024 to 8,192 bits nor on P-256, P-384 or
///   P-521.
@discardableResult public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  SoftwarePublicKey(of: certificate.details).map { SecKey(.publicKey($0)) }
}

/// The name of a certificate's subject for people: its common name, or else unit, organization or
/// mail address.
@discardableResult public func SecCertificateCopySubjectSummary(
  _ certificate: SecCertificate
) -> CFString? {
  certificate.summary.map { $0 as NSString }
}

/// The common name of a certificate's subject; of several the last, which is the most specific.
/// - Parameters:
///   - certificate: the certificate.
///   - commonName: receives it, or nil; owned by the caller.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  let parts = DistinguishedName(der: certificate.facts.subject)?.parts ?? []
  unsafe commonName.pointee = parts.last { $0.type == "CN" }.map { $0.value as NSString }
  return errSecSuccess
}

/// The mail addresses in a certificate's subject and alternative names.
/// - Parameters:
///   - certificate: the certificate.
///   - emailAddresses: receives the texts, which may be none; owned by the caller.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe emailAddresses.pointee = certificate.details.emailAddresses as NSArray
  return errSecSuccess
}

/// The serial number of a certificate: big endian, in two's complement. `error` is not used.
@discardableResult public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  Data(certificate.facts.serialNumber) as NSData
}

/// The normalized name of a certificate's issuer: the DER of the Name with capital letters and
/// single spaces. It can only be compared with the result of the same function for another
/// certificate.
@discardableResult public func SecCertificateCopyNormalizedIssuerSequence(
  _ certificate: SecCertificate
) -> CFData? {
  NormalizedName.of(certificate.facts.issuer).map { Data($0) as NSData }
}

/// The normalized name of a certificate's subject, as
/// ``SecCertificateCopyNormalizedIssuerSequence(_:)`` gives it.
@discardableResult public func SecCertificateCopyNormalizedSubjectSequence(
  _ certificate: SecCertificate
) -> CFData? {
  NormalizedName.of(certificate.facts.subject).map { Data($0) as NSData }
}

/// The beginning of a certificate's validity, or nil if it states none.
@discardableResult public func SecCertificateCopyNotValidBeforeDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.lowerBound)
}

/// The end of a certificate's validity, or nil if it states none.
@discardableResult public func SecCertificateCopyNotValidAfterDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.upperBound)
}

private func moment(_ seconds: Int64?) -> CFDate? {
  seconds.map { NSDate(timeIntervalSince1970: TimeInterval($0)) }
}

/// A certificate with its private key. Any thread.
public final class SecIdentity: NSObject, @unchecked Sendable {
  // Sendable: it is immutable.
  let certificate: SecCertificate
  let key: SecKey

  init(_ certificate: SecCertificate, _ key: SecKey) {
    (self.certificate, self.key) = (certificate, key)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && key == other.key
  }

  public override var hash: Int { certificate.hash }

  public override var description: String { "<SecIdentity: \(certificate.summary ?? "no name")>" }
}

extension SecIdentity: ItemReference {
  func referencedItem() throws(Failure) -> ReferencedItem {
    guard case .key(let key) = try key.referencedItem() else {
      throw Failure(.errSecParam, "an identity without a key", hint: "make it of a SecKey")
    }
    return .identity(certificate: certificate.der, key: key)
  }
}

/// The number of the class of identities.
@discardableResult public func SecIdentityGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecIdentity.self)
}

/// Makes an identity without storing it.
/// - Parameters:
///   - allocator: has no effect.
///   - certificate: a certificate.
///   - privateKey: the private key of its public key.
/// - Returns: the identity, or nil if they do not belong together.
@discardableResult public func SecIdentityCreate(
  _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard privateKey.material.isPrivate,
    SecCertificateCopyKey(certificate)?.material.publicKey == privateKey.material.publicKey
  else { return nil }
  return SecIdentity(certificate, privateKey)
}

/// Gives the certificate of an identity, which the caller owns. Returns `errSecSuccess`.
@discardableResult public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// Gives the private key of an identity, which the caller owns. This asks nobody; uses of the key
/// ask. Returns `errSecSuccess`.
@discardableResult public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.key
  return errSecSuccess
}
