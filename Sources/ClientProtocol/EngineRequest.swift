package import Wire

/// A message for the keychain or the enclave (``Wire/EngineMessage``), which the core passes on
/// unread together with who sent it. Where the engine wants something proved, the core prompts as
/// `options` say, and asks again. What is proved stays in `context`, where that is named. Reply:
/// that message's. Failure: `invalidContext`.
package struct EngineRequest: WireMessage, ~Copyable {
  package static var number: UInt8 { 15 }
  package let engine: AddressedEngine
  /// A context of this connection's, or 0: one for this request alone.
  package let context: UInt64
  package let options: PromptOptions
  /// Number and fields of the message.
  package let message: SecretBytes

  package init(
    engine: AddressedEngine, context: UInt64 = noContext, options: PromptOptions,
    message: consuming SecretBytes
  ) {
    self.engine = engine
    self.context = context
    self.options = options
    self.message = message
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(engine, context, options)
    encoder.writeSecret(message)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (engine, context, options): (AddressedEngine, UInt64, PromptOptions) = try decoder.read()
    let message = try decoder.readSecret(limit: ApplicationRequest.longestMessage)
    self.init(engine: engine, context: context, options: options, message: message)
  }
}
