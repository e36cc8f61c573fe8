/// What becomes of a request that wants something proved (`kSecUseAuthenticationUI`).
package enum OwnerInteraction: UInt8, CaseIterable, WireField {
  /// The owner is asked, where the client may prompt.
  case allowed = 1
  /// It fails with `errSecInteractionNotAllowed`, which says that there is such an item.
  case forbidden = 2
}

/// A message for the keychain or the enclave (``EngineMessage``), which the core passes on
/// unread together with who sent it. Where the engine wants something proved, the core prompts as
/// `options` say, and asks again. What is proved stays in `context`, where that is named. Reply:
/// that message's. Failure: `invalidContext`.
package struct EngineRequest: WireMessage, ~Copyable {
  package static var number: UInt8 { 15 }
  package let engine: AddressedEngine
  /// A context of this connection's, or 0: one for this request alone.
  package let context: UInt64
  package let options: PromptOptions
  package let interaction: OwnerInteraction
  /// Number and fields of the message.
  package let message: SecretBytes

  package init(
    engine: AddressedEngine, context: UInt64 = noContext, options: PromptOptions,
    interaction: OwnerInteraction = .allowed, message: consuming SecretBytes
  ) {
    self.engine = engine
    self.context = context
    self.options = options
    self.interaction = interaction
    self.message = message
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(engine, context, options, interaction)
    encoder.writeSecret(message)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (engine, context): (AddressedEngine, UInt64) = try decoder.read()
    let (options, interaction): (PromptOptions, OwnerInteraction) = try decoder.read()
    let message = try decoder.readSecret(limit: EngineMessages.longest)
    try EngineMessages.requireShort(message)
    self.init(
      engine: engine, context: context, options: options, interaction: interaction,
      message: message)
  }
}
