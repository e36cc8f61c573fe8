package import Wire

/// Asks for ``EnclaveStatus``.
package struct GetEnclaveStatus: WireMessage {
  package static var number: UInt8 { 2 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// What the enclave says of the device; never a secret.
package struct EnclaveStatus: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  package var isPasscodeSet = false
  /// Always false without a passcode.
  package var isLocked = false
  /// Whether the passcode has been given since the enclave started. True without a passcode.
  package var isFirstUnlocked = true
  /// Enrolled fingers by kind: of real sensors and of synthetic ones.
  package var realFingers: UInt32 = 0
  package var syntheticFingers: UInt32 = 0
  /// Misses in a row.
  package var misses: UInt32 = 0
  package var isLockedOut = false
  /// An old copy of one of the enclave's files was put back, and neither passcode nor fingers have been changed since.
  package var isRollbackDetected = false
  /// Whether a match unlocks a locked device.
  package var isBiometricUnlockArmed = false
  /// How long passcodes are not tried, in seconds; 0: at once.
  package var passcodeDelay: UInt32 = 0
  /// `file` or `tpm`.
  package var rootKey = "file"
  /// Changes with the set of fingers; compared for equality only. Empty where no finger is enrolled.
  package var domainState: [UInt8] = []
  /// Whether the enclave's secrets are locked into memory.
  package var isMemoryLocked = false

  package init() {}

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked,
      isRollbackDetected, realFingers, syntheticFingers, misses, passcodeDelay, rootKey, domainState
    )
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked,
      isRollbackDetected, realFingers, syntheticFingers, misses, passcodeDelay, rootKey, domainState
    ) = try decoder.read()
  }
}

/// Unlocks with the match evidence of a context, while biometric unlock is armed. Reply: ``Done``.
package struct UnlockWithMatch: WireMessage {
  package static var number: UInt8 { 5 }
  package let context: UInt64
  package init(context: UInt64) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}

/// Makes an empty context under an id of the core's. Reply: ``Done``.
package struct OpenContext: WireMessage {
  package static var number: UInt8 { 6 }
  package let context: UInt64
  /// Match evidence of an unlock by touch at most this many seconds ago counts (0…300, `--reuse`).
  package let reuseSeconds: UInt32
  package init(context: UInt64, reuseSeconds: UInt32 = 0) {
    self.context = context
    self.reuseSeconds = reuseSeconds
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(context, reuseSeconds)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (context, reuseSeconds) = try decoder.read()
    guard reuseSeconds <= 300 else { throw .invalidValue(field: "reuse interval") }
  }
}

/// Wipes a context, its evidence and its sessions. Reply: ``Done``, also where there is none.
package struct CloseContext: WireMessage {
  package static var number: UInt8 { 7 }
  package let context: UInt64
  package init(context: UInt64) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}

/// Asks which evidence a context holds. Reply: ``ContextEvidence``.
package struct GetContextEvidence: WireMessage {
  package static var number: UInt8 { 8 }
  package let context: UInt64
  package init(context: UInt64) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}

/// What has been proved in a context.
package struct ContextEvidence: WireMessage, Equatable {
  package static var number: UInt8 { 9 }
  package let evidence: EvidenceSet
  /// The name of the finger that matched, where one did.
  package let finger: String?
  package init(evidence: EvidenceSet, finger: String?) {
    self.evidence = evidence
    self.finger = finger
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(evidence, finger) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (evidence, finger) = try decoder.read()
  }
}
