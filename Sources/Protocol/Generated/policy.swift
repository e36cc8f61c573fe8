// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/policy.schema, which documents it.
package struct DeviceState: WireField, Equatable {
  package var hasSensor: Bool, isPasscodeSet: Bool, isLockedOut: Bool, isFirstUnlocked: Bool, isLocked: Bool, isBiometricUnlockArmed: Bool, fingers: UInt32
  package init(hasSensor: Bool = false, isPasscodeSet: Bool = false, isLockedOut: Bool = false, isFirstUnlocked: Bool = false, isLocked: Bool = false, isBiometricUnlockArmed: Bool = false, fingers: UInt32 = 0) { self.hasSensor = hasSensor; self.isPasscodeSet = isPasscodeSet; self.isLockedOut = isLockedOut; self.isFirstUnlocked = isFirstUnlocked; self.isLocked = isLocked; self.isBiometricUnlockArmed = isBiometricUnlockArmed; self.fingers = fingers }
  package func encode(into encoder: inout WireEncoder) { encoder.write(hasSensor, isPasscodeSet, isLockedOut, isFirstUnlocked, isLocked, isBiometricUnlockArmed, fingers) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (hasSensor, isPasscodeSet, isLockedOut, isFirstUnlocked, isLocked, isBiometricUnlockArmed, fingers) = try decoder.read() }
}
package struct ClientSituation: WireField, Equatable {
  package var mayPrompt: Bool, mayTouch: Bool, canGivePasscode: Bool, hasReason: Bool, hidesFallback: Bool
  package init(mayPrompt: Bool = true, mayTouch: Bool = true, canGivePasscode: Bool = true, hasReason: Bool = true, hidesFallback: Bool = false) { self.mayPrompt = mayPrompt; self.mayTouch = mayTouch; self.canGivePasscode = canGivePasscode; self.hasReason = hasReason; self.hidesFallback = hidesFallback }
  package func encode(into encoder: inout WireEncoder) { encoder.write(mayPrompt, mayTouch, canGivePasscode, hasReason, hidesFallback) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (mayPrompt, mayTouch, canGivePasscode, hasReason, hidesFallback) = try decoder.read() }
}
package struct CallProgress: WireField, Equatable {
  package enum Event: UInt8, CaseIterable, WireField {
    case none = 1, matched = 2, missed = 3, passcodeAccepted = 4, passcodeRefused = 5, cancelled = 6
    case fallbackChosen = 7, timedOut = 8, sensorLost = 9, noPasscode = 10, interrupted = 11
    case appPasswordGiven = 12
  }
  package var lastEvent: Event, misses: UInt32, refusedPasscodes: UInt32, refusedAppPasswords: UInt32
  package init(lastEvent: Event = Event.none, misses: UInt32 = 0, refusedPasscodes: UInt32 = 0, refusedAppPasswords: UInt32 = 0) { self.lastEvent = lastEvent; self.misses = misses; self.refusedPasscodes = refusedPasscodes; self.refusedAppPasswords = refusedAppPasswords }
  package func encode(into encoder: inout WireEncoder) { encoder.write(lastEvent, misses, refusedPasscodes, refusedAppPasswords) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (lastEvent, misses, refusedPasscodes, refusedAppPasswords) = try decoder.read() }
}
package struct PolicyQuestion: WireMessage, Equatable {
  package static var number: UInt8 { 2 }
  package var request: PolicyRequest, device: DeviceState, client: ClientSituation, progress: CallProgress
  package init(request: PolicyRequest, device: DeviceState, client: ClientSituation = ClientSituation(), progress: CallProgress = CallProgress()) { self.request = request; self.device = device; self.client = client; self.progress = progress }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(request, device, client, progress) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (request, device, client, progress) = try decoder.read() }
}
package enum PolicyRequest: Equatable, WireField {
  case biometrics, owner, unlock(prefersPasscode: Bool), passcodeOnly, access(AccessControl, held: EvidenceSet)
  package func encode(into encoder: inout WireEncoder) {
    switch self {
    case .biometrics: encoder.write(UInt8(1))
    case .owner: encoder.write(UInt8(2))
    case .unlock(let v0): encoder.write(UInt8(3), v0)
    case .passcodeOnly: encoder.write(UInt8(4))
    case .access(let v0, let v1): encoder.write(UInt8(5), v0, v1)
    }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .biometrics
    case 2: self = .owner
    case 3: self = .unlock(prefersPasscode: try Bool(from: &decoder))
    case 4: self = .passcodeOnly
    case 5: self = .access(try AccessControl(from: &decoder), held: try EvidenceSet(from: &decoder))
    default: throw .invalidValue(field: "PolicyRequest")
    }
  }
}
package struct PolicyStep: WireMessage, Equatable {
  package static var number: UInt8 { 3 }
  package enum Action: Equatable, WireField {
    case succeed, fail(Failure), awaitTouch(fallback: PromptFallback), awaitPasscode, awaitAppPassword
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .succeed: encoder.write(UInt8(1))
      case .fail(let v0): encoder.write(UInt8(2), v0)
      case .awaitTouch(let v0): encoder.write(UInt8(3), v0)
      case .awaitPasscode: encoder.write(UInt8(4))
      case .awaitAppPassword: encoder.write(UInt8(5))
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .succeed
      case 2: self = .fail(try Failure(from: &decoder))
      case 3: self = .awaitTouch(fallback: try PromptFallback(from: &decoder))
      case 4: self = .awaitPasscode
      case 5: self = .awaitAppPassword
      default: throw .invalidValue(field: "PolicyStep.Action")
      }
    }
  }
  package let action: Action
  package init(_ action: Action) { self.action = action }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(action) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { action = try decoder.read() }
}
