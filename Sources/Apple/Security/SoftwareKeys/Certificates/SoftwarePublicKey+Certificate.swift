package import Cryptography

extension SoftwarePublicKey {
  /// The key that a certificate is about; nil where it is of a kind that is not handled here.
  package init?(of certificate: CertificateDetails) {
    // A point begins with 4, a SEQUENCE with 30 (hexadecimal).
    let family: SoftwareKeyFamily =
      certificate.keyBits.first == DERReader.sequence ? .rsa : .curve
    guard let key = try? SoftwarePublicKey(external: certificate.keyBits.span, of: family) else {
      return nil
    }
    self = key
  }
}
