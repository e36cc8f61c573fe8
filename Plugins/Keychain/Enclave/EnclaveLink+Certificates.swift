import Protocol

extension EnclaveLink {
  /// Has a certificate sealed with its attributes, in the group that these name, and hashed.
  func seal(
    certificate: [UInt8], _ attributes: ItemAttributes, identifier: [UInt8]
  ) throws(Failure) -> SealedRow {
    guard let name = try hashes(of: [attributes], in: attributes.group).first else {
      throw Self.mismatch
    }
    let identity = ItemRow.identity(
      identifier, itemClass: attributes.itemClass, group: name.group)
    let entry = AttributesEntry(
      accessibility: attributes.accessibility, identity: identity, bytes: certificate)
    let sealed: AttributeBatch = try decode(
      call(SealCertificates(entries: [entry]).encoded(capacity: certificate.count + 256)))
    guard case .value(let body)? = sealed.results.first, sealed.results.count == 1,
      let sealedAttributes = try sealAttributes([(attributes, identity)]).first
    else { throw Self.mismatch }
    return SealedRow(name: name, attributes: sealedAttributes, secret: body)
  }

  func openCertificate(
    _ sealed: [UInt8], as protection: ItemProtection
  ) throws(Failure) -> AttributeBatch.Result {
    let entry = AttributesEntry(
      accessibility: protection.accessibility, identity: protection.identity, bytes: sealed)
    let opened: AttributeBatch = try decode(
      call(OpenCertificates(entries: [entry]).encoded(capacity: sealed.count + 256)))
    guard let result = opened.results.first, opened.results.count == 1 else { throw Self.mismatch }
    return result
  }
}
