// What applications ask of the keychain about certificates and identities, and what it answers. A
// certificate is public: it is no secret of an item's, and may be longer than one.

/// The largest certificate, in bytes of DER.
package let largestCertificate = 1 << 20
