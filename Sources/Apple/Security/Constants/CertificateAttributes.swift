// What certificates are described by, beside what every item has. The certificate itself says all
// of it but the label.

public import CoreFoundationTypes
import Protocol

/// The key of the version of the certificate, a number: 1, 2 or 3.
public var kSecAttrCertificateType: CFString { constant(.certificateType) }
/// The key of how the certificate is written down, a number: 3 is DER.
public var kSecAttrCertificateEncoding: CFString { constant(.certificateEncoding) }
/// The key of whom the certificate is about, bytes: the name in DER.
public var kSecAttrSubject: CFString { constant(.subject) }
/// The key of who made the certificate, bytes: the name in DER.
public var kSecAttrIssuer: CFString { constant(.issuer) }
/// The key of the number that the issuer gave the certificate, bytes, most significant first.
public var kSecAttrSerialNumber: CFString { constant(.serialNumber) }
/// The key of what the certificate calls its key, bytes.
public var kSecAttrSubjectKeyID: CFString { constant(.subjectKeyID) }
/// The key of the SHA-1 of the certified public key, bytes: what `kSecAttrApplicationLabel` is of
/// the private one.
public var kSecAttrPublicKeyHash: CFString { constant(.publicKeyHash) }
