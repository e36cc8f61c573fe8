package import Wire

/// Locks. Reply: ``Done``. Failure: `passcodeNotSet`.
package struct LockDevice: WireMessage, Equatable {
  package static var number: UInt8 { 32 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
  }
}

/// Unlocks. Reply: ``Evaluated``.
package struct UnlockDevice: WireMessage, Equatable {
  package static var number: UInt8 { 33 }

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
