package import Wire

/// What the fallback button of a prompt does.
package enum PromptFallback: UInt8, Sendable {
  /// There is none.
  case hidden = 1
  /// Ends the request with `userFallback`.
  case application = 2
  /// Asks for the passcode; one may also be typed at once.
  case passcode = 3

  package func encode(into encoder: inout WireEncoder) { encoder.writeByte(rawValue) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = PromptFallback(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "fallback")
    }
    self = value
  }
}
