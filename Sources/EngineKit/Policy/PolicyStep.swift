package import Wire

/// Policy → core: the next step.
package struct PolicyStep: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  /// What the fallback button does.
  package enum Fallback: UInt8, Sendable {
    /// There is none.
    case hidden = 1
    /// Ends the call with `userFallback`: the application has its own (L4).
    case application = 2
    /// Asks for the passcode; one may be typed while the touch is awaited.
    case passcode = 3
  }

  /// The kinds of step.
  package enum Action: Equatable, Sendable {
    case succeed
    case fail(Failure)
    /// Ask for a touch.
    case awaitTouch(fallback: Fallback)
    /// Ask for the passcode.
    case awaitPasscode
  }

  package let action: Action

  package init(_ action: Action) { self.action = action }

  package borrowing func encode(into encoder: inout WireEncoder) {
    switch action {
    case .succeed: encoder.writeByte(1)
    case .fail(let failure):
      encoder.writeByte(2)
      failure.encode(into: &encoder)
    case .awaitTouch(let fallback):
      encoder.writeByte(3)
      encoder.writeByte(fallback.rawValue)
    case .awaitPasscode: encoder.writeByte(4)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: action = .succeed
    case 2: action = .fail(try Failure(from: &decoder))
    case 3:
      guard let fallback = Fallback(rawValue: try decoder.readByte()) else {
        throw .invalidValue(field: "fallback")
      }
      action = .awaitTouch(fallback: fallback)
    case 4: action = .awaitPasscode
    default: throw .invalidValue(field: "policy step")
    }
  }
}
