/// Verifies the passcode and puts that evidence into a context. Reply: ``Done``. Failures:
/// `authenticationFailed`, `passcodeDelayed`, `passcodeNotSet`, `deviceErased`. Unlocks the device where
/// `unlocksDevice` is set.
package struct VerifyPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }
  package let context: ContextName
  package let unlocksDevice: Bool
  /// Whether a wrong one counts for the destruction of everything; it is delayed all the same.
  package let mayErase: Bool
  /// In the form in which this version sets passcodes.
  package let passcode: SecretBytes
  /// As it was typed, where that differs; else empty. A passcode that an earlier version set is
  /// compared with this. One of the two is tried, never both.
  package let asTyped: SecretBytes
  package init(
    context: ContextName, unlocksDevice: Bool, mayErase: Bool = true,
    passcode: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0)
  ) {
    self.context = context
    self.unlocksDevice = unlocksDevice
    self.mayErase = mayErase
    self.passcode = passcode
    self.asTyped = asTyped
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(context, unlocksDevice, mayErase)
    encoder.writeSecret(passcode)
    encoder.writeSecret(asTyped)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (context, unlocksDevice, mayErase): (ContextName, Bool, Bool) = try decoder.read()
    let passcode = try decoder.readSecret(limit: longestPasscode)
    let asTyped = try decoder.readSecret(limit: longestPasscode)
    self.init(
      context: context, unlocksDevice: unlocksDevice, mayErase: mayErase, passcode: passcode,
      asTyped: asTyped)
  }
}

/// Replaces the passcode. Verifies the current one as ``VerifyPasscode`` does; the lock state
/// stays. Reply: ``Done``.
package struct ReplacePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 18 }
  package let current: SecretBytes
  /// As in ``VerifyPasscode``.
  package let asTyped: SecretBytes
  package let replacement: SecretBytes
  /// As in ``SetPasscode``; nil: as it was.
  package let eraseAfter: UInt32?
  package init(
    current: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0),
    replacement: consuming SecretBytes, eraseAfter: UInt32? = nil
  ) {
    self.current = current
    self.asTyped = asTyped
    self.replacement = replacement
    self.eraseAfter = eraseAfter
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(current)
    encoder.writeSecret(asTyped)
    encoder.writeSecret(replacement)
    encoder.write(eraseAfter)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let current = try decoder.readSecret(limit: longestPasscode)
    let asTyped = try decoder.readSecret(limit: longestPasscode)
    let replacement = try decoder.readSecret(limit: longestPasscode)
    self.init(
      current: current, asTyped: asTyped, replacement: replacement,
      eraseAfter: try decoder.read())
  }
}

/// Removes the passcode, all fingers, and the keys of what needs a passcode. Reply: ``Done``.
package struct ErasePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 19 }
  package let current: SecretBytes
  /// As in ``VerifyPasscode``.
  package let asTyped: SecretBytes
  package init(
    current: consuming SecretBytes, asTyped: consuming SecretBytes = SecretBytes(count: 0)
  ) {
    self.current = current
    self.asTyped = asTyped
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(current)
    encoder.writeSecret(asTyped)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let current = try decoder.readSecret(limit: longestPasscode)
    self.init(current: current, asTyped: try decoder.readSecret(limit: longestPasscode))
  }
}
