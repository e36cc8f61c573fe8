// What the keychain asks of the enclave about private keys, as a ``KeychainRequest``. A private key
// is made in the enclave and nowhere else: no message brings one in, and none takes one out.

/// Makes a private key and seals it, so that ``UseSealedKey`` alone takes it. Needs the class open
/// and of this device only; with access control also a passcode that is set and an unlocked device.
/// Reply: ``GeneratedKey``. Failures: `errSecInteractionNotAllowed`, `errSecParam`,
/// `passcodeNotSet`, `biometryNotEnrolled` (biometry constraints).
package struct GenerateKey: SealingMessage, Equatable {
  package static var number: UInt8 { 58 }
  package let protection: ItemProtection
  package init(protection: ItemProtection) { self.protection = protection }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(protection) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    protection = try decoder.read()
  }
}

/// What the keychain stores of a private key.
package struct GeneratedKey: WireMessage, Equatable {
  package static var number: UInt8 { 59 }
  /// 65 bytes.
  package let publicKey: [UInt8]
  package let sealed: [UInt8]
  package init(publicKey: [UInt8], sealed: [UInt8]) {
    self.publicKey = publicKey
    self.sealed = sealed
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(publicKey, sealed)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (publicKey, sealed) = try decoder.read()
  }
}

/// Uses a sealed private key against the evidence of the request's context. Reply: ``KeyUsed``
/// or ``EvidenceNeeded``. Failures: as ``OpenItem``, and `errSecParam` for an input that is
/// none of the operation's.
package struct UseSealedKey: SealingMessage, Equatable {
  package static var number: UInt8 { 60 }
  package let protection: ItemProtection
  package let sealed: [UInt8]
  package let operation: KeyOperation
  package let input: [UInt8]
  package init(
    protection: ItemProtection, sealed: [UInt8], operation: KeyOperation, input: [UInt8]
  ) {
    self.protection = protection
    self.sealed = sealed
    self.operation = operation
    self.input = input
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(protection, sealed, operation, input)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (protection, sealed, operation, input) = try decoder.read()
  }
}
