package import Wire

/// Sets the first passcode. Reply: ``Done``.
package struct SetPasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 16 }

  package let passcode: SecretBytes

  package init(passcode: consuming SecretBytes) {
    self.passcode = passcode
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(passcode)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let passcode = try decoder.readSecret(limit: 1024)
    self.init(passcode: passcode)
  }
}

/// Replaces the passcode; the current one is asked for. Reply: ``Done``.
package struct ChangePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }

  package let replacement: SecretBytes
  package let options: PromptOptions

  package init(replacement: consuming SecretBytes, options: PromptOptions) {
    self.replacement = replacement
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(replacement)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let replacement = try decoder.readSecret(limit: 1024)
    let options = try PromptOptions(from: &decoder)
    self.init(replacement: replacement, options: options)
  }
}

/// Removes the passcode, all fingers and what depends on them; the current one is asked for. Reply: ``ItemsChanged``.
package struct RemovePasscode: WireMessage, Equatable {
  package static var number: UInt8 { 18 }

  package let options: PromptOptions

  package init(options: PromptOptions) {
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    options = try PromptOptions(from: &decoder)
  }
}
