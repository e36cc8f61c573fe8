/// A P-256 key whose private half lives in the enclave alone: everything about it that may be shown.
package struct EnclaveKey: Equatable, WireField {
  /// 32 hexadecimal digits.
  package let identifier: String
  /// What people call it, unique among the keys of its group, at most 1,024 bytes; empty for a key
  /// that programs find by its tag.
  package let name: String
  /// For programs, of whatever form they like (`kSecAttrApplicationTag`), at most 4,096 bytes; may
  /// be empty, and need not be unique.
  package var applicationTag: [UInt8] = []
  /// SHA-1 of the public half, 20 bytes, as certificates and keychains call keys
  /// (`kSecAttrApplicationLabel`).
  package var applicationLabel: [UInt8] = []
  /// At most 1,024 bytes (`kSecAttrLabel`).
  package var label = ""
  /// The access group it belongs to.
  package var group = ""
  /// Always a class of this device only.
  package let accessibility: Accessibility
  /// What signing, decrypting and exchanging ask for; nil: nothing.
  package let accessControl: AccessControl?
  /// Seconds since 1970.
  package let createdAt: Int64
  /// The public half: 4, x, y; 65 bytes (SEC 1 §2.3.3).
  package let publicKey: [UInt8]

  package init(
    identifier: String, name: String, accessibility: Accessibility, accessControl: AccessControl?,
    createdAt: Int64, publicKey: [UInt8]
  ) {
    self.identifier = identifier
    self.name = name
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.createdAt = createdAt
    self.publicKey = publicKey
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      identifier, name, applicationTag, applicationLabel, label, group, accessibility,
      accessControl, createdAt, publicKey)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      identifier, name, applicationTag, applicationLabel, label, group, accessibility,
      accessControl, createdAt, publicKey
    ) = try decoder.read()
    for text in [name, label] { try decoder.require(text, atMost: AttributeValue.longestText) }
    try decoder.require(applicationTag, atMost: AttributeValue.longestData)
    try decoder.require(group, atMost: ItemAttributes.longestGroup)
  }
}

/// What is done with a private key. Each asks for what the key's access control says.
package enum KeyOperation: UInt8, CaseIterable, WireField {
  /// ECDSA: a SHA-256 hash gives a signature in DER.
  case sign = 1
  /// ECIES: a message of Apple's `eciesEncryptionCofactorX963SHA256AESGCM` gives what is in it.
  case decrypt = 2
  /// ECDH: the other side's public key, 65 bytes, gives the shared x coordinate, 32 bytes.
  case exchange = 3
}
