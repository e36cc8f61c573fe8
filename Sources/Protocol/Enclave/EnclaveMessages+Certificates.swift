// What the keychain asks of the enclave about certificates. They are public, and sealed as
// attributes are: so that a stolen disk does not tell what its owner is called.

/// Seals certificates under the attribute keys of their classes, so that ``OpenCertificates`` alone
/// opens them; each at most ``largestCertificate``. Reply: ``AttributeBatch`` with a value for
/// each. Failures: as ``SealAttributes``.
package typealias SealCertificates = AttributesRequest<155>
/// Opens sealed certificates. Reply: ``AttributeBatch``, as of ``OpenAttributes``.
package typealias OpenCertificates = AttributesRequest<156>
