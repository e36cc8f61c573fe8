import EngineKit
import FingerprintMatching
import Wire

extension Enclave {
  /// How long after the passcode a match may unlock, in nanoseconds: 48 hours.
  private static var biometricUnlockSpan: UInt64 { 48 * 3600 * 1_000_000_000 }

  /// Locks the device. What was proved before counts no more.
  func lockDevice() throws(Failure) {
    guard keybag.passcode != nil else { throw Self.passcodeNotSet }
    lock.lock(isArmed: mayUnlockByMatch)
    endEvidence()
  }

  /// Unlocks with the match that a context holds.
  func unlockDevice(withMatchOf context: UInt64) throws(Failure) {
    try requireContext(context)
    guard keybag.passcode != nil else { return }
    guard let match = contexts[context]?.match(at: platform.bootTime) else {
      throw Failure(
        .authenticationFailed, "no finger has matched for this unlock",
        hint: "touch the sensor, or give the passcode")
    }
    guard !lock.isUnlocked else { return }
    guard mayUnlockByMatch, lock.unlockWithParkedKeys() else {
      throw Failure(
        .biometryLockout, "only the passcode unlocks this device at the moment",
        hint: "give the passcode: authcore unlock")
    }
    lastUnlock = match
  }

  /// Drops parked keys whose time is over. Called before every request.
  func expireBiometricUnlock() {
    if lock.isParked, !mayUnlockByMatch { lock.disarm() }
  }

  /// Whether no finger counts until the passcode is given.
  var isLockedOut: Bool { attempts.isLockedOut || isDistrusted }

  /// Whether a device that is locked at this moment may be unlocked by a match.
  private var mayUnlockByMatch: Bool {
    guard !keybag.fingers.isEmpty, !isLockedOut, let lastPasscode else { return false }
    let now = platform.bootTime
    return now >= lastPasscode && now - lastPasscode <= Self.biometricUnlockSpan
  }

  /// What may be told of the device.
  var status: EnclaveStatus {
    var status = EnclaveStatus()
    status.isPasscodeSet = keybag.passcode != nil
    status.isLocked = !lock.isUnlocked
    status.isFirstUnlocked = lock.isFirstUnlocked
    status.realFingers = UInt32(keybag.fingers.count { !$0.isSynthetic })
    status.syntheticFingers = UInt32(keybag.fingers.count { $0.isSynthetic })
    status.misses = attempts.misses
    status.isLockedOut = isLockedOut
    status.isRollbackDetected = record.witness.hasSeenRollback
    status.isBiometricUnlockArmed = lock.isUnlocked ? mayUnlockByMatch : lock.isParked
    status.passcodeDelay = remainingPasscodeDelay
    status.rootKey = root.kind.rawValue
    status.domainState = domainState
    status.isMemoryLocked = SecretArena.isLocked
    return status
  }
}
