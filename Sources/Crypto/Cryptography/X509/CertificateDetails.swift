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
