/// Replaces the passcode; the current one is asked for. Reply: ``Done``.
package struct ChangePasscode: WireMessage, ~Copyable {
  package static var number: UInt8 { 17 }

  package let replacement: SecretBytes
  /// As in ``SetPasscode``; nil: as it was.
  package let eraseAfter: UInt32?
  package let options: PromptOptions

  package init(
    replacement: consuming SecretBytes, eraseAfter: UInt32? = nil, options: PromptOptions
  ) {
    self.replacement = replacement
    self.eraseAfter = eraseAfter
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(replacement)
    encoder.write(eraseAfter)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let replacement = try decoder.readSecret(limit: longestPasscode)
    let eraseAfter: UInt32? = try decoder.read()
    let options = try PromptOptions(from: &decoder)
    self.init(replacement: replacement, eraseAfter: eraseAfter, options: options)
  }
}

/// Removes the passcode, all fingers and what depends on them; the current one is asked for. Reply:
/// ``ItemsChanged``.
package struct RemovePasscode: WireMessage, Equatable {
  package static var number: UInt8 { 18 }

  package let options: PromptOptions

  package init(options: PromptOptions) {
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}

/// Unlocks. Reply: ``Evaluated``.
package struct UnlockDevice: WireMessage, Equatable {
  package static var number: UInt8 { 33 }

  package let options: PromptOptions

  package init(options: PromptOptions) {
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(options) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { options = try decoder.read() }
}
