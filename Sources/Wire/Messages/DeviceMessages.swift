// What is asked about the device, the same from client to core and from core to enclave.

/// The longest passcode, in bytes. A passcode is bytes as given: nothing is trimmed or normalized.
package let longestPasscode = 1024

/// Sets the first passcode, and leaves the device unlocked. Reply: ``Done``. Failures:
/// `passcodeAlreadySet`, `passcodeTooShort`.
package struct SetPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 16 }
  package let passcode: SecretBytes
  package init(passcode: consuming SecretBytes) { self.passcode = passcode }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(passcode) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    passcode = try decoder.readSecret(limit: longestPasscode)
  }
}

/// Drops what a locked device must not hold. Reply: ``Done``. Failure: `passcodeNotSet`.
package struct LockDevice: EngineMessage, EmptyMessage, Equatable, WireField {
  package static var number: UInt8 { 50 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package init() {}
}
