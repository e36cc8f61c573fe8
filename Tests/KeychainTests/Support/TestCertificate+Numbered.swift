import TestSupport

/// The public key in the certificates of ``maker(_:subject:)``.
let certifiedPoint = [4] + [UInt8](repeating: 7, count: 64)

/// Makes a certificate of that number.
func maker(_ serial: UInt8, subject: String = "subject") -> TestCertificate {
  var maker = TestCertificate(point: certifiedPoint)
  maker.serialNumber = [serial]
  maker.subject = TestCertificate.name(subject)
  return maker
}
