package import Wire

/// A message for the keychain or the enclave (``Wire/EngineMessage``), which the core passes on unread together with who sent it. Where the
/// engine wants something proved, the core prompts as `options` say, and asks again. Reply: that message's.
package struct EngineRequest: WireMessage, ~Copyable {
  package static var number: UInt8 { 15 }
  package let engine: AddressedEngine
  package let options: PromptOptions
  /// Number and fields of the message.
  package let message: SecretBytes

  package init(
    engine: AddressedEngine, options: PromptOptions, message: consuming SecretBytes
  ) {
    self.engine = engine
    self.options = options
    self.message = message
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(engine, options)
    encoder.writeSecret(message)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (engine, options): (AddressedEngine, PromptOptions) = try decoder.read()
    let message = try decoder.readSecret(limit: ApplicationRequest.longestMessage)
    self.init(engine: engine, options: options, message: message)
  }
}
