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

  /// The same for equal ones.
  public override var hash: Int { der.hashValue }

  /// What people call whom it is about.
  public override var description: String { "<SecCertificate: \(summary ?? "no name")>" }

  /// What people call whom it is about; nil where it has no name.
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
/// - Returns: the key; nil where it is neither RSA of 1,024 to 8,192 bits nor on P-256, P-384 or
///   P-521.
@discardableResult public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  SoftwarePublicKey(of: certificate.details).map { SecKey(.publicKey($0)) }
}
