/// A P-256 key whose private half lives in the enclave alone: everything about it that may be shown.
package struct EnclaveKey: Equatable, WireField {
  /// 32 hexadecimal digits.
  package let identifier: String
  /// Unique among the keys of its application; 1…1,024 bytes.
  package let name: String
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
    encoder.write(identifier, name, accessibility, accessControl, createdAt, publicKey)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (identifier, name, accessibility, accessControl, createdAt, publicKey) = try decoder.read()
    try decoder.require(name, atMost: AttributeValue.longestText)
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
