/// Moves the root key into the TPM or out of it; where a passcode is set, it is asked for. Reply:
/// ``RootKeyMigrated``.
package struct MigrateRootKey: WireMessage, Equatable {
  package static var number: UInt8 { 37 }

  /// Where to; nil: where it is not.
  package let place: RootKeyPlace?
  package let options: PromptOptions

  package init(to place: RootKeyPlace?, options: PromptOptions) {
    self.place = place
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, options) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (place, options) = try decoder.read()
  }
}

/// Where the root key is from here on.
package struct RootKeyMigrated: WireMessage, Equatable {
  package static var number: UInt8 { 38 }

  package let place: RootKeyPlace
  /// Whether it was elsewhere before.
  package let didMove: Bool

  package init(place: RootKeyPlace, didMove: Bool) {
    self.place = place
    self.didMove = didMove
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, didMove) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (place, didMove) = try decoder.read()
  }
}

/// Sets aside what is bound to a TPM that is gone, and begins anew with nothing: the owner has agreed.
/// Refused with `errSecParam` where the TPM is the right one. Reply: ``Done``.
package struct AbandonLostDevice: WireMessage, Equatable {
  package static var number: UInt8 { 39 }

  package init() {}

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}
