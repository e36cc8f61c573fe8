/// What a client asks to be decided.
package enum PolicyRequest: Equatable, WireField {
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

  package func encode(into encoder: inout WireEncoder) {
    switch self {
    case .biometrics: encoder.writeByte(1)
    case .owner: encoder.writeByte(2)
    case .unlock(let prefersPasscode): encoder.write(UInt8(3), prefersPasscode)
    case .passcodeOnly: encoder.writeByte(4)
    case .access(let control, let held): encoder.write(UInt8(5), control, held)
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .biometrics
    case 2: self = .owner
    case 3: self = .unlock(prefersPasscode: try decoder.read())
    case 4: self = .passcodeOnly
    case 5: self = .access(try decoder.read(), held: try decoder.read())
    default: throw .invalidValue(field: "policy request")
    }
  }
}

/// What the policy needs to know of the device.
package struct DeviceState: Equatable, WireField {
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

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      hasSensor, isPasscodeSet, isLockedOut, isFirstUnlocked, isLocked, isBiometricUnlockArmed,
      fingers)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      hasSensor, isPasscodeSet, isLockedOut, isFirstUnlocked, isLocked, isBiometricUnlockArmed,
      fingers
    ) = try decoder.read()
  }
}

/// What the client allows.
package struct ClientSituation: Equatable, WireField {
  /// The client may cause a prompt at all (it is in the foreground; A6).
  package var mayPrompt = true
  /// A touch of the sensor that there is may be awaited.
  package var mayTouch = true
  /// Somebody or something can give a passcode: a terminal, a descriptor, a file.
  package var canGivePasscode = true
  /// The application's reason is not empty. Ignored where a request carries none.
  package var hasReason = true
  /// The application hid the fallback button (an empty fallback title).
  package var hidesFallback = false

  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(mayPrompt, mayTouch, canGivePasscode, hasReason, hidesFallback)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (mayPrompt, mayTouch, canGivePasscode, hasReason, hidesFallback) = try decoder.read()
  }
}

/// What has happened since the call began.
package struct CallProgress: Equatable, WireField {
  /// The last thing that happened.
  package enum Event: UInt8, CaseIterable, WireField {
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
    /// An application password was given; whether it is right shows when something is opened.
    case appPasswordGiven = 12
  }

  /// Misses that end a call (CLI.md, "Misses").
  package static var mostMisses: UInt32 { 3 }

  package var lastEvent = Event.none
  /// Misses in this call.
  package var misses: UInt32 = 0
  /// Wrong passcodes in this call.
  package var refusedPasscodes: UInt32 = 0
  /// Wrong application passwords in this call.
  package var refusedAppPasswords: UInt32 = 0

  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(lastEvent, misses, refusedPasscodes, refusedAppPasswords)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (lastEvent, misses, refusedPasscodes, refusedAppPasswords) = try decoder.read()
  }
}

/// Core → policy: what is the next step? The answer depends on nothing but this. Reply:
/// ``PolicyStep``.
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
    encoder.write(request, device, client, progress)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (request, device, client, progress) = try decoder.read()
  }
}
