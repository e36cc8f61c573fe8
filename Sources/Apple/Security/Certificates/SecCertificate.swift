public import CoreFoundationTypes
import Cryptography
import Protocol

/// A certificate (X.509). It is read and not judged: `SecTrust` does that. Any thread.
public final class SecCertificate: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let der: [UInt8]
  let facts: X509Certificate
  let details: CertificateDetails

  /// Reads one certificate in DER and nothing behind it, at most 1 MiB.
  /// - Throws: `errSecDecode` for what is none.
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
        .errSecDecode, "the bytes are not one certificate in DER of at most 1 MiB",
        hint: "decode PEM before, and give nothing behind the certificate")
    }
  }

  /// Two are equal whose bytes are.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.der == der
  }

  public override var hash: Int { der.hashValue }

  /// What people call whom it is about.
  public override var description: String { "<SecCertificate: \(summary ?? "no name")>" }

  /// What people call whom it is about; nil if it has no name.
  var summary: String? { DistinguishedName(der: facts.subject)?.summary }

  /// From when until when it is valid, in seconds since 1970.
  var validity: ClosedRange<Int64> {
    get throws(Failure) {
      guard let validity = details.validity else {
        throw Failure(
          .errSecDecode, "the certificate says no span of time in which it is valid",
          hint: "leave kSecMatchValidOnDate out")
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

/// A certificate of its bytes.
/// - Parameters:
///   - allocator: without effect.
///   - data: one certificate in DER and nothing behind it, at most 1 MiB.
/// - Returns: the certificate; nil for anything else.
@discardableResult public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
  try? SecCertificate([UInt8](data as Data))
}

/// The bytes of a certificate.
/// - Returns: DER, as it was given.
@discardableResult public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  Data(certificate.der) as NSData
}

/// The public key of whom a certificate is about.
/// - Returns: the key; nil if it is neither RSA of 1,024 to 8,192 bits nor on P-256, P-384 or
///   P-521.
@discardableResult public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  SoftwarePublicKey(of: certificate.details).map { SecKey(.publicKey($0)) }
}

// What a certificate says of whom it is about and from.

/// What people would call whom a certificate is about: its common name, or else unit, organization
/// or address of mail.
/// - Returns: the text; nil if there is none of them.
@discardableResult public func SecCertificateCopySubjectSummary(
  _ certificate: SecCertificate
) -> CFString? {
  certificate.summary.map { $0 as NSString }
}

/// The common name of whom a certificate is about; of several the last, which is the narrowest.
/// - Parameters:
///   - certificate: the certificate.
///   - commonName: where it goes, the caller's then; nil if there is none.
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
/// - Returns: the moment; nil if it says no span of time.
@discardableResult public func SecCertificateCopyNotValidBeforeDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.lowerBound)
}

/// Until when a certificate is valid.
/// - Returns: the moment; nil if it says no span of time.
@discardableResult public func SecCertificateCopyNotValidAfterDate(
  _ certificate: SecCertificate
) -> CFDate? {
  moment(certificate.details.validity?.upperBound)
}

private func moment(_ seconds: Int64?) -> CFDate? {
  seconds.map { NSDate(timeIntervalSince1970: TimeInterval($0)) }
}

/// A certificate with the private key that it is for. Any thread.
public final class SecIdentity: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let certificate: SecCertificate
  let key: SecKey

  init(_ certificate: SecCertificate, _ key: SecKey) {
    (self.certificate, self.key) = (certificate, key)
  }

  /// Two are equal whose certificates and keys are.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && key == other.key
  }

  public override var hash: Int { certificate.hash }

  /// What people call whom it is about.
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

/// An identity of its parts, which is not stored.
/// - Parameters:
///   - allocator: without effect.
///   - certificate: a certificate.
///   - privateKey: the private key of its public key.
/// - Returns: the identity; nil if they do not belong together.
@discardableResult public func SecIdentityCreate(
  _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard privateKey.material.isPrivate,
    SecCertificateCopyKey(certificate)?.material.publicKey == privateKey.material.publicKey
  else { return nil }
  return SecIdentity(certificate, privateKey)
}

/// The certificate of an identity.
/// - Parameters:
///   - identityRef: the identity.
///   - certificateRef: where the certificate goes; it is the caller's.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// The private key of an identity. Nobody is asked for it; its uses ask.
/// - Parameters:
///   - identityRef: the identity.
///   - privateKeyRef: where the key goes; it is the caller's.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.key
  return errSecSuccess
}
