// What is asked about the device, the same from client to core and from core to enclave.

/// The longest passcode, in bytes. Core and enclave take them as they are: it is clients that
/// normalize what a person types, in the same way when a passcode is set and when it is given.
package let longestPasscode = 1024

/// After how many different wrong passcodes in a row a device may be told to destroy what it holds.
/// Apple's is 10 (APPLE.md 1.4); as many are remembered, so that one given again does not count.
package let eraseAfterRange: ClosedRange<UInt32> = 10...50

/// Sets the first passcode, and leaves the device unlocked. Reply: ``Done``. Failures:
/// `passcodeAlreadySet`, `passcodeTooShort`.
package struct SetPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 16 }
  package let passcode: SecretBytes
  /// The number of wrong passcodes after which everything is destroyed, in ``eraseAfterRange``; 0:
  /// never.
  package let eraseAfter: UInt32
  package init(passcode: consuming SecretBytes, eraseAfter: UInt32 = 0) {
    self.passcode = passcode
    self.eraseAfter = eraseAfter
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(passcode)
    encoder.write(eraseAfter)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let passcode = try decoder.readSecret(limit: longestPasscode)
    self.init(passcode: passcode, eraseAfter: try decoder.read())
  }
}

/// Drops what a locked device must not hold. Reply: ``Done``. Failure: `passcodeNotSet`.
package struct LockDevice: EngineMessage, EmptyMessage, Equatable, WireField {
  package static var number: UInt8 { 50 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package init() {}
}
