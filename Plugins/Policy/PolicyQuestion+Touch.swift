import Protocol

extension PolicyQuestion {
  /// Why no touch can be awaited; nil where one can.
  var touchObstacle: Failure? {
    if let obstacle = device.biometryObstacle { return obstacle }
    // Who may not prompt at all hears of that.
    guard client.mayPrompt, !client.mayTouch else { return nil }
    return Failure(
      .notInteractive, "a touch of the reader is awaited only where a person sees the prompt",
      hint: "run it at a terminal of this machine, not over SSH; without one, --unattended waits")
  }
}

extension DeviceState {
  /// Why no finger can be matched, in the order the command line promises; nil where one can.
  ///
  /// Fingers exist only beside a passcode (A4: no passcode, no access), so without one none counts
  /// as enrolled.
  fileprivate var biometryObstacle: Failure? {
    if !hasSensor {
      return Failure(
        .biometryNotAvailable, "no fingerprint reader is available",
        hint: "connect a reader; authcore doctor says why one is not found")
    }
    if fingers == 0 || !isPasscodeSet {
      return Failure(
        .biometryNotEnrolled, "no finger is enrolled that this reader could match",
        hint: isPasscodeSet
          ? "enroll one: authcore finger enroll"
          : "set a passcode, then enroll a finger: authcore passcode set, authcore finger enroll")
    }
    if isLockedOut {
      return Failure(
        .biometryLockout, "fingerprints are locked out after too many misses",
        hint: "give the passcode once, for example with authcore auth")
    }
    if !isFirstUnlocked {
      return Failure(
        .biometryLockout, "fingerprints wait for the first unlock with the passcode",
        hint: "unlock the device: authcore unlock")
    }
    return nil
  }
}
