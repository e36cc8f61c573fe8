import Cryptography

/// Feeds the readers of certificates, of names in them and of files of them. A certificate that is
/// read must have a hash and valid names.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  _ = DistinguishedName(der: input.indices.map { input[$0] })?.text
  if let certificate = try? X509Certificate(der: input) {
    precondition(certificate.publicKeyHash.count == 20)
    guard let subject = DistinguishedName(der: certificate.subject),
      DistinguishedName(der: certificate.issuer) != nil
    else { preconditionFailure("a certificate's name is none") }
    _ = (subject.text, subject.summary)
  }
  for der in (try? CertificateFile(input))?.certificates ?? [] {
    _ = try? X509Certificate(der: der.span)
  }
  return 0
}
