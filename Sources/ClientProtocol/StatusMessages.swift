package import Wire

/// Asks for ``CoreStatus``. Needs no reader.
package struct GetStatus: WireMessage, Equatable {
  package static var number: UInt8 { 6 }

  package init() {
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
  }
}

/// The sensor in use.
package struct SensorFacts: Equatable, Sendable {
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
    encoder.writeText(kind)
    encoder.writeUInt32(width)
    encoder.writeUInt32(height)
    encoder.writeUInt32(pixelsPerInch)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    kind = try decoder.readText(limit: 4096)
    width = try decoder.readUInt32()
    height = try decoder.readUInt32()
    pixelsPerInch = try decoder.readUInt32()
  }
}

/// What holds one process of the system back. Empty `lacking`: everything that should.
package struct SandboxFacts: Equatable, Sendable {
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

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeText(process)
    encoder.writeText(lacking)
    encoder.writeBoolean(isOff)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    process = try decoder.readText(limit: 4096)
    lacking = try decoder.readText(limit: 4096)
    isOff = try decoder.readBoolean()
  }
}

/// What `authcore status` shows.
package struct CoreStatus: WireMessage, Equatable {
  package static var number: UInt8 { 7 }

  package let isService: Bool
  package let driverName: String?
  package let driverPath: String?
  /// Bus, address and ids of the connected device, where there is one.
  package let device: String?
  package let sensor: SensorFacts?
  package let enclavePath: String
  package let keychainPath: String
  package let policyPath: String
  package let isPasscodeSet: Bool
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
  /// An old copy of one of the enclave's files was put back, and neither passcode nor fingers have been changed since.
  package let isRollbackDetected: Bool
  package let sandboxes: [SandboxFacts]
  package let home: String
  /// Seconds without proof of the owner (a match, a correct passcode) after which the device locks.
  package let lockAfterSeconds: UInt32

  package init(
    isService: Bool, driverName: String?, driverPath: String?, device: String?,
    sensor: SensorFacts?, enclavePath: String, keychainPath: String, policyPath: String,
    isPasscodeSet: Bool, fingers: UInt32, matchableFingers: UInt32, isLocked: Bool,
    isFirstUnlocked: Bool, isLockedOut: Bool, misses: UInt32, isBiometricUnlockArmed: Bool,
    rootKey: String, domainState: [UInt8], isMemoryLocked: Bool, isRollbackDetected: Bool,
    sandboxes: [SandboxFacts], home: String, lockAfterSeconds: UInt32
  ) {
    self.isService = isService
    self.driverName = driverName
    self.driverPath = driverPath
    self.device = device
    self.sensor = sensor
    self.enclavePath = enclavePath
    self.keychainPath = keychainPath
    self.policyPath = policyPath
    self.isPasscodeSet = isPasscodeSet
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
    encoder.writeBoolean(isService)
    encoder.writeOptional(driverName) { $0.writeText($1) }
    encoder.writeOptional(driverPath) { $0.writeText($1) }
    encoder.writeOptional(device) { $0.writeText($1) }
    encoder.writeOptional(sensor) { $1.encode(into: &$0) }
    encoder.writeText(enclavePath)
    encoder.writeText(keychainPath)
    encoder.writeText(policyPath)
    encoder.writeBoolean(isPasscodeSet)
    encoder.writeUInt32(fingers)
    encoder.writeUInt32(matchableFingers)
    encoder.writeBoolean(isLocked)
    encoder.writeBoolean(isFirstUnlocked)
    encoder.writeBoolean(isLockedOut)
    encoder.writeUInt32(misses)
    encoder.writeBoolean(isBiometricUnlockArmed)
    encoder.writeText(rootKey)
    encoder.writeBytes(domainState)
    encoder.writeBoolean(isMemoryLocked)
    encoder.writeBoolean(isRollbackDetected)
    encoder.writeArray(sandboxes) { $1.encode(into: &$0) }
    encoder.writeText(home)
    encoder.writeUInt32(lockAfterSeconds)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    isService = try decoder.readBoolean()
    driverName = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 4096)
    }
    driverPath = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 4096)
    }
    device = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 4096)
    }
    sensor = try decoder.readOptional { (decoder) throws(DecodeError) in
      try SensorFacts(from: &decoder)
    }
    enclavePath = try decoder.readText(limit: 4096)
    keychainPath = try decoder.readText(limit: 4096)
    policyPath = try decoder.readText(limit: 4096)
    isPasscodeSet = try decoder.readBoolean()
    fingers = try decoder.readUInt32()
    matchableFingers = try decoder.readUInt32()
    isLocked = try decoder.readBoolean()
    isFirstUnlocked = try decoder.readBoolean()
    isLockedOut = try decoder.readBoolean()
    misses = try decoder.readUInt32()
    isBiometricUnlockArmed = try decoder.readBoolean()
    rootKey = try decoder.readText(limit: 4096)
    domainState = try decoder.readBytes(limit: 4096)
    isMemoryLocked = try decoder.readBoolean()
    isRollbackDetected = try decoder.readBoolean()
    sandboxes = try decoder.readArray(limit: 8, elementSize: 9) {
      (decoder) throws(DecodeError) in try SandboxFacts(from: &decoder)
    }
    home = try decoder.readText(limit: 4096)
    lockAfterSeconds = try decoder.readUInt32()
  }
}
