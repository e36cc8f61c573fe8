// What applications ask of the keychain about certificates and identities, and what it answers. A
// certificate is public: it is no secret of an item's, and may be longer than one.

/// The largest certificate, in bytes of DER.
package let largestCertificate = 1 << 20

/// Adds a certificate, without a prompt. What it says of itself becomes the item's attributes.
/// Reply: ``ItemAdded``. Failures: `errSecParam` (no certificate, too long, access control),
/// `errSecDuplicateItem` (one of its issuer and serial number is there), `errSecMissingEntitlement`,
/// `errSecInteractionNotAllowed`.
package struct AddCertificate: EngineMessage, Equatable {
  package static var number: UInt8 { 150 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemAdded.number }
  package static var longest: Int { ApplicationRequest.longestWithCertificate }
  /// Of these the label, the group, the class of accessibility, what was said of that and whether it
  /// is synchronizable are kept. Without a label it gets the name of its subject.
  package let attributes: ItemAttributes
  /// DER, at most 1 MiB.
  package let certificate: [UInt8]
  package init(attributes: ItemAttributes, certificate: [UInt8]) {
    self.attributes = attributes
    self.certificate = certificate
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(attributes, certificate)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    attributes = try decoder.read()
    certificate = try decoder.readBytes(limit: largestCertificate)
  }
}

/// Gives the one certificate a query names, without a prompt. Reply: ``GotCertificate``. Failures:
/// as ``GetItem``, and `errSecParam` where the query is about items of another class.
package struct GetCertificate: EngineMessage, Equatable {
  package static var number: UInt8 { 151 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { GotCertificate.number }
  package let query: ItemQuery
  package init(query: ItemQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}

/// A certificate and the attributes of its item.
package struct GotCertificate: WireMessage, Equatable {
  package static var number: UInt8 { 152 }
  package let attributes: ItemAttributes
  /// DER.
  package let certificate: [UInt8]
  package init(attributes: ItemAttributes, certificate: [UInt8]) {
    self.attributes = attributes
    self.certificate = certificate
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(attributes, certificate)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    attributes = try decoder.read()
    certificate = try decoder.readBytes(limit: largestCertificate)
  }
}

/// Finds identities, without a prompt: certificates whose public key is that of a key of the
/// enclave's. Reply: ``FoundIdentities``. Failures: `errSecItemNotFound`;
/// `errSecInteractionNotAllowed` where a class is closed and no open identity is meant.
package struct FindIdentities: EngineMessage, Equatable {
  package static var number: UInt8 { 153 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { FoundIdentities.number }
  /// Which certificates are meant.
  package let certificate: ItemQuery
  /// Which keys are meant.
  package let key: KeyQuery
  package init(certificate: ItemQuery, key: KeyQuery) {
    self.certificate = certificate
    self.key = key
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(certificate, key)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (certificate, key) = try decoder.read()
  }
}

/// Identities, by the age of their certificates, oldest first.
package struct FoundIdentities: WireMessage, Equatable {
  package static var number: UInt8 { 154 }
  package let identities: [KeychainIdentity]
  package init(identities: [KeychainIdentity]) { self.identities = identities }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(identities) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identities = try decoder.read()
  }
}
