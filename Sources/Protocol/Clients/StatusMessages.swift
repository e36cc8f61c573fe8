/// Asks for ``CoreStatus``. Needs no reader.
package struct GetStatus: WireMessage, Equatable {
  package static var number: UInt8 { 6 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {}

  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// The sensor in use.
package struct SensorFacts: Equatable, WireField {
  /// `press` or `swipe`.
  package let kind: String
  /// Pixels; 0 where it varies.
  package let width: UInt32
  /// Pixels; 0 where it varies.
  package let height: UInt32
  /// 0 where it varies.
  package let pixelsPerInch: UInt32

  package init(kind: String, width: UInt32, height: UInt32, pixelsPerInch: UInt32) {
    self.kind = kind
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(kind, width, height, pixelsPerInch)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (kind, width, height, pixelsPerInch) = try decoder.read()
  }
}

/// What holds one process of the system back. Empty `lacking`: everything that should.
package struct SandboxFacts: Equatable, WireField {
  /// `enclave` or `driver`.
  package let process: String
  /// What could not be had, comma separated.
  package let lacking: String
  /// Switched off by `AUTHCORE_SANDBOX=off`.
  package let isOff: Bool

  package init(process: String, lacking: String, isOff: Bool) {
    self.process = process
    self.lacking = lacking
    self.isOff = isOff
  }

  package func encode(into encoder: inout WireEncoder) { encoder.write(process, lacking, isOff) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (process, lacking, isOff) = try decoder.read()
  }
}

/// Why there is no reader (`LAError`: −6, −13, −12).
package enum ReaderAbsence: UInt8, CaseIterable, WireField {
  /// None was ever used, and none is known.
  case noReader = 1
  /// A finger is enrolled that a reader took, which is not connected.
  case disconnected = 2
  /// One is named or remembered that is not connected, or one is connected that no driver handles;
  /// and no reader has taken a finger that is enrolled.
  case unpaired = 3
}

/// What `authcore status` shows.
package struct CoreStatus: WireMessage, Equatable {
  package static var number: UInt8 { 7 }

  /// What ``device`` says where frames that repeat count as touches.
  package static let repeatingDevice = "tape, whose frames may repeat"

  package let isService: Bool
  package let driverName: String?
  package let driverPath: String?
  /// Bus, address and ids of the connected device, where there is one; "tape, whose frames may
  /// repeat" for the replay driver of the core.
  package let device: String?
  package let sensor: SensorFacts?
  /// Why there is no reader; nil where there is one.
  package let absence: ReaderAbsence?
  package let enclavePath: String
  package let keychainPath: String
  package let policyPath: String
  package let isPasscodeSet: Bool
  /// How long passcodes are not tried, in seconds; 0: at once.
  package let passcodeDelay: UInt32
  /// After how many different wrong passcodes in a row everything is destroyed; 0: never.
  package let eraseAfter: UInt32
  /// How many there were.
  package let wrongPasscodes: UInt32
  /// Enrolled fingers, of either kind.
  package let fingers: UInt32
  /// Those that this sensor can match.
  package let matchableFingers: UInt32
  package let isLocked: Bool
  package let isFirstUnlocked: Bool
  package let isLockedOut: Bool
  package let misses: UInt32
  package let isBiometricUnlockArmed: Bool
  package let rootKey: String
  package let domainState: [UInt8]
  package let isMemoryLocked: Bool
  /// An old copy of one of the enclave's files was put back, and neither passcode nor fingers have
  /// been changed since.
  package let isRollbackDetected: Bool
  package let sandboxes: [SandboxFacts]
  package var home: String
  /// Seconds without proof of the owner (a match, a correct passcode) after which the device locks.
  package let lockAfterSeconds: UInt32

  package init(
    isService: Bool, driverName: String?, driverPath: String?, device: String?,
    sensor: SensorFacts?, absence: ReaderAbsence?, enclavePath: String, keychainPath: String,
    policyPath: String,
    isPasscodeSet: Bool, passcodeDelay: UInt32, eraseAfter: UInt32, wrongPasscodes: UInt32,
    fingers: UInt32, matchableFingers: UInt32, isLocked: Bool,
    isFirstUnlocked: Bool, isLockedOut: Bool, misses: UInt32, isBiometricUnlockArmed: Bool,
    rootKey: String, domainState: [UInt8], isMemoryLocked: Bool, isRollbackDetected: Bool,
    sandboxes: [SandboxFacts], home: String, lockAfterSeconds: UInt32
  ) {
    self.isService = isService
    self.driverName = driverName
    self.driverPath = driverPath
    self.device = device
    self.sensor = sensor
    self.absence = absence
    self.enclavePath = enclavePath
    self.keychainPath = keychainPath
    self.policyPath = policyPath
    self.isPasscodeSet = isPasscodeSet
    self.passcodeDelay = passcodeDelay
    self.eraseAfter = eraseAfter
    self.wrongPasscodes = wrongPasscodes
    self.fingers = fingers
    self.matchableFingers = matchableFingers
    self.isLocked = isLocked
    self.isFirstUnlocked = isFirstUnlocked
    self.isLockedOut = isLockedOut
    self.misses = misses
    self.isBiometricUnlockArmed = isBiometricUnlockArmed
    self.rootKey = rootKey
    self.domainState = domainState
    self.isMemoryLocked = isMemoryLocked
    self.isRollbackDetected = isRollbackDetected
    self.sandboxes = sandboxes
    self.home = home
    self.lockAfterSeconds = lockAfterSeconds
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      isService, driverName, driverPath, device, sensor, absence, enclavePath, keychainPath,
      policyPath,
      isPasscodeSet, passcodeDelay, eraseAfter, wrongPasscodes, fingers, matchableFingers, isLocked,
      isFirstUnlocked, isLockedOut, misses, isBiometricUnlockArmed, rootKey, domainState,
      isMemoryLocked, isRollbackDetected, sandboxes, home, lockAfterSeconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      isService, driverName, driverPath, device, sensor, absence, enclavePath, keychainPath,
      policyPath,
      isPasscodeSet, passcodeDelay, eraseAfter, wrongPasscodes, fingers, matchableFingers, isLocked,
      isFirstUnlocked, isLockedOut, misses, isBiometricUnlockArmed, rootKey, domainState,
      isMemoryLocked, isRollbackDetected, sandboxes, home, lockAfterSeconds
    ) = try decoder.read()
  }
}
