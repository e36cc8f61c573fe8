package import Wire

/// What a client asks to be decided.
package enum PolicyRequest: Equatable, Sendable {
  /// `LAPolicy.deviceOwnerAuthenticationWithBiometrics`: a finger and nothing else.
  case biometrics
  /// `LAPolicy.deviceOwnerAuthentication`: a finger where it can be had, else the passcode.
  case owner
  /// Unlocking the device. `prefersPasscode`: the client brought a passcode to be used at once.
  case unlock(prefersPasscode: Bool)
  /// What only the passcode permits: changing fingers or the passcode.
  case passcodeOnly
  /// Opening or updating an item behind access control; `held` is what its context has proved.
  case access(AccessControl, held: EvidenceSet)

  func encode(into encoder: inout WireEncoder) {
    switch self {
    case .biometrics: encoder.writeByte(1)
    case .owner: encoder.writeByte(2)
    case .unlock(let prefersPasscode):
      encoder.writeByte(3)
      encoder.writeBoolean(prefersPasscode)
    case .passcodeOnly: encoder.writeByte(4)
    case .access(let control, let held):
      encoder.writeByte(5)
      control.encode(into: &encoder)
      encoder.writeByte(held.rawValue)
    }
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .biometrics
    case 2: self = .owner
    case 3: self = .unlock(prefersPasscode: try decoder.readBoolean())
    case 4: self = .passcodeOnly
    case 5:
      self = .access(try AccessControl(from: &decoder), held: try EvidenceSet(from: &decoder))
    default: throw .invalidValue(field: "policy request")
    }
  }
}

/// What the policy needs to know of the device.
package struct DeviceState: Equatable, Sendable {
  /// A sensor is connected and its driver works.
  package var hasSensor = false
  package var isPasscodeSet = false
  /// Enrolled fingers that this sensor could match (of its kind, synthetic or real).
  package var fingers: UInt32 = 0
  package var isLockedOut = false
  package var isFirstUnlocked = false
  package var isLocked = false
  package var isBiometricUnlockArmed = false

  package init() {}

  func encode(into encoder: inout WireEncoder) {
    for value in [
      hasSensor, isPasscodeSet, isLockedOut, isFirstUnlocked, isLocked, isBiometricUnlockArmed,
    ] { encoder.writeBoolean(value) }
    encoder.writeUInt32(fingers)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    hasSensor = try decoder.readBoolean()
    isPasscodeSet = try decoder.readBoolean()
    isLockedOut = try decoder.readBoolean()
    isFirstUnlocked = try decoder.readBoolean()
    isLocked = try decoder.readBoolean()
    isBiometricUnlockArmed = try decoder.readBoolean()
    fingers = try decoder.readUInt32()
  }
}

/// What the client allows.
package struct ClientSituation: Equatable, Sendable {
  /// The client may cause a prompt at all (it is in the foreground; A6).
  package var mayPrompt = true
  /// Somebody or something can give a passcode: a terminal, a descriptor, a file.
  package var canGivePasscode = true
  /// The application's reason is not empty. Ignored where a request carries none.
  package var hasReason = true
  /// The application hid the fallback button (an empty fallback title).
  package var hidesFallback = false

  package init() {}

  func encode(into encoder: inout WireEncoder) {
    for value in [mayPrompt, canGivePasscode, hasReason, hidesFallback] {
      encoder.writeBoolean(value)
    }
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    mayPrompt = try decoder.readBoolean()
    canGivePasscode = try decoder.readBoolean()
    hasReason = try decoder.readBoolean()
    hidesFallback = try decoder.readBoolean()
  }
}

/// What has happened since the call began.
package struct CallProgress: Equatable, Sendable {
  /// The last thing that happened.
  package enum Event: UInt8, CaseIterable, Sendable {
    /// Nothing yet: this is the first question of the call.
    case none = 1
    case matched = 2
    case missed = 3
    case passcodeAccepted = 4
    case passcodeRefused = 5
    /// Cancel was pressed.
    case cancelled = 6
    /// The fallback was chosen.
    case fallbackChosen = 7
    case timedOut = 8
    /// The device was unplugged, or its driver failed.
    case sensorLost = 9
    /// The client cannot give another passcode.
    case noPasscode = 10
    /// Somebody else took over (the client's `invalidate`, the session's end).
    case interrupted = 11
  }

  /// Misses that end a call (CLI.md, "Misses").
  package static var mostMisses: UInt32 { 3 }

  package var lastEvent = Event.none
  /// Misses in this call.
  package var misses: UInt32 = 0
  /// Wrong passcodes in this call.
  package var refusedPasscodes: UInt32 = 0

  package init() {}

  func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(lastEvent.rawValue)
    encoder.writeUInt32(misses)
    encoder.writeUInt32(refusedPasscodes)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let event = Event(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "event")
    }
    lastEvent = event
    misses = try decoder.readUInt32()
    refusedPasscodes = try decoder.readUInt32()
  }
}

/// Core → policy: what is the next step? The answer depends on nothing but this. Reply: ``PolicyStep``.
package struct PolicyQuestion: WireMessage, Equatable {
  package static var number: UInt8 { 2 }
  package var request: PolicyRequest
  package var device: DeviceState
  package var client: ClientSituation
  package var progress: CallProgress

  package init(
    request: PolicyRequest, device: DeviceState, client: ClientSituation = ClientSituation(),
    progress: CallProgress = CallProgress()
  ) {
    self.request = request
    self.device = device
    self.client = client
    self.progress = progress
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    request.encode(into: &encoder)
    device.encode(into: &encoder)
    client.encode(into: &encoder)
    progress.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    request = try PolicyRequest(from: &decoder)
    device = try DeviceState(from: &decoder)
    client = try ClientSituation(from: &decoder)
    progress = try CallProgress(from: &decoder)
  }
}
