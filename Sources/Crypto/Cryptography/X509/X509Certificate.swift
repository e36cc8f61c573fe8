/// What a keychain knows a certificate by (X.509, RFC 5280).
///
/// It is read, not judged: neither signature nor dates nor extensions are looked at, so anybody can
/// make a certificate that says anything here.
package struct X509Certificate: Equatable, Sendable {
  /// 1…3.
  package let version: Int
  /// DER of the Name, as it lies in the certificate.
  package let subject: [UInt8]
  /// DER of the Name, as it lies in the certificate.
  package let issuer: [UInt8]
  /// Content octets of the INTEGER: big endian, in two's complement, without a byte too many.
  package let serialNumber: [UInt8]
  /// What the certificate says its key is called; nil where it says nothing, or nothing of a
  /// readable form with at most 127 bytes.
  package let subjectKeyID: [UInt8]?
  /// SHA-1 of the bits of the public key, 20 bytes: the key identifier of RFC 5280 §4.2.1.2 (1). Of a
  /// key on a curve that is the hash of its point.
  package let publicKeyHash: [UInt8]

  /// Why bytes are not a certificate that is taken.
  package enum Problem: Error, Equatable, Sendable {
    /// Not one certificate in DER and nothing behind it.
    case malformed
    /// A version other than 1…3.
    case unknownVersion
    case failed(CryptographyError)
  }

  /// Reads one certificate in DER. Total: any bytes give a certificate or a problem; the work grows
  /// with their number.
  /// - Parameter der: nothing may come behind it. The caller bounds its length.
  /// - Throws: ``Problem``.
  package init(der: Span<UInt8>) throws(Problem) {
    guard let certificate = LibcryptoCertificate(der: der) else { throw .malformed }
    version = certificate.version()
    guard (1...3).contains(version) else { throw .unknownVersion }
    subject = certificate.subject()
    issuer = certificate.issuer()
    serialNumber = certificate.serialNumber()
    subjectKeyID = certificate.subjectKeyID()
    guard !subject.isEmpty, !issuer.isEmpty, !serialNumber.isEmpty else { throw .malformed }
    do throws(CryptographyError) {
      publicKeyHash = try SHA1.hash(certificate.keyBits().span)
    } catch {
      throw .failed(error)
    }
  }
}

/// What a certificate says beside what it is found by (X.509, RFC 5280); read, not judged.
package struct CertificateDetails: Equatable, Sendable {
  /// From when until when it says it is valid, in seconds since 1970; nil where it says no span.
  package let validity: ClosedRange<Int64>?
  /// The bits of the public key: of curves a point, of RSA a key of PKCS #1.
  package let keyBits: [UInt8]
  /// Addresses of mail of whom it is about.
  package let emailAddresses: [String]

  /// Reads one certificate in DER and nothing behind it; nil for what is none.
  package init?(der: Span<UInt8>) {
    guard let certificate = LibcryptoCertificate(der: der) else { return nil }
    validity = certificate.validity()
    keyBits = certificate.keyBits()
    emailAddresses = certificate.emailAddresses()
  }
}
