/// Policy → core: the next step.
package struct PolicyStep: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  /// The kinds of step.
  package enum Action: Equatable, Sendable {
    case succeed
    case fail(Failure)
    /// Ask for a touch.
    case awaitTouch(fallback: PromptFallback)
    /// Ask for the passcode.
    case awaitPasscode
    /// Ask for the application password of what is to be opened.
    case awaitAppPassword
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
      encoder.write(UInt8(3), fallback)
    case .awaitPasscode: encoder.writeByte(4)
    case .awaitAppPassword: encoder.writeByte(5)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: action = .succeed
    case 2: action = .fail(try Failure(from: &decoder))
    case 3: action = .awaitTouch(fallback: try decoder.read())
    case 4: action = .awaitPasscode
    case 5: action = .awaitAppPassword
    default: throw .invalidValue(field: "policy step")
    }
  }
}
