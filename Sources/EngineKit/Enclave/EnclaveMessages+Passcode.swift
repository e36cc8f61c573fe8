package import Wire

/// Verifies the passcode and puts that evidence into a context. Reply: ``Done``. Failures:
/// `authenticationFailed`, `passcodeDelayed`, `passcodeNotSet`, `deviceErased`. Unlocks the device where
/// `unlocksDevice` is set.
package struct VerifyPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }
  package let context: ContextName
  package let unlocksDevice: Bool
  package let passcode: SecretBytes
  package init(context: ContextName, unlocksDevice: Bool, passcode: consuming SecretBytes) {
    self.context = context
    self.unlocksDevice = unlocksDevice
    self.passcode = passcode
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(context, unlocksDevice)
    encoder.writeSecret(passcode)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (context, unlocksDevice): (ContextName, Bool) = try decoder.read()
    let passcode = try decoder.readSecret(limit: longestPasscode)
    self.init(context: context, unlocksDevice: unlocksDevice, passcode: passcode)
  }
}

/// Replaces the passcode. Verifies the current one as ``VerifyPasscode`` does; the lock state
/// stays. Reply: ``Done``.
package struct ReplacePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 18 }
  package let current: SecretBytes
  package let replacement: SecretBytes
  /// As in ``SetPasscode``; nil: as it was.
  package let eraseAfter: UInt32?
  package init(
    current: consuming SecretBytes, replacement: consuming SecretBytes, eraseAfter: UInt32? = nil
  ) {
    self.current = current
    self.replacement = replacement
    self.eraseAfter = eraseAfter
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(current)
    encoder.writeSecret(replacement)
    encoder.write(eraseAfter)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let current = try decoder.readSecret(limit: longestPasscode)
    let replacement = try decoder.readSecret(limit: longestPasscode)
    self.init(current: current, replacement: replacement, eraseAfter: try decoder.read())
  }
}

/// Removes the passcode, all fingers, and the keys of what needs a passcode. Reply: ``Done``.
package struct ErasePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 19 }
  package let current: SecretBytes
  package init(current: consuming SecretBytes) { self.current = current }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(current) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    current = try decoder.readSecret(limit: longestPasscode)
  }
}
