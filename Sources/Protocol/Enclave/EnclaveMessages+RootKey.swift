/// Moves the root key. Verifies the passcode as ``VerifyPasscode`` does, where one is set. Reply:
/// ``Done``. Failures: those of the TPM.
package struct MoveRootKey: WireMessage, ~Copyable {
  package static var number: UInt8 { 70 }
  package let place: RootKeyPlace
  /// Empty where none is set.
  package let passcode: SecretBytes
  /// As in ``VerifyPasscode``.
  package let asTyped: SecretBytes
  package init(
    to place: RootKeyPlace, passcode: consuming SecretBytes,
    asTyped: consuming SecretBytes = SecretBytes(count: 0)
  ) {
    self.place = place
    self.passcode = passcode
    self.asTyped = asTyped
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(place)
    encoder.writeSecret(passcode)
    encoder.writeSecret(asTyped)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let place: RootKeyPlace = try decoder.read()
    let passcode = try decoder.readSecret(limit: longestPasscode)
    self.init(
      to: place, passcode: passcode, asTyped: try decoder.readSecret(limit: longestPasscode))
  }
}

/// Sets the files aside that are bound to another TPM than the one that is there, and begins anew.
/// Failures: `errSecParam` where they are bound to this one or to none. Reply: ``Done``.
package struct SetStateAside: WireMessage, Equatable {
  package static var number: UInt8 { 71 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}
