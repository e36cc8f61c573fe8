/// Asks for ``EnclaveStatus``.
package struct GetEnclaveStatus: EmptyMessage {
  package static var number: UInt8 { 2 }
  package init() {}
}

/// What the enclave says of the device; never a secret.
package struct EnclaveStatus: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  package var isPasscodeSet = false
  /// Always false without a passcode.
  package var isLocked = false
  /// Whether the passcode has been given since the enclave started. True without a passcode.
  package var isFirstUnlocked = true
  /// Enrolled fingers by the origin of their touches.
  package var realFingers: UInt32 = 0
  package var syntheticFingers: UInt32 = 0
  package var tapeFingers: UInt32 = 0
  /// Those of a reader or a tape, by a version that did not tell these apart; both can match them.
  package var earlierFingers: UInt32 = 0
  /// Misses in a row.
  package var misses: UInt32 = 0
  /// Whether no finger counts until the passcode is given: too many misses, an old file that was
  /// put back, or too long without a proof.
  package var isLockedOut = false
  /// An old copy of one of the enclave's files was put back, and neither passcode nor fingers have
  /// been changed since.
  package var isRollbackDetected = false
  /// Whether a match unlocks a locked device.
  package var isBiometricUnlockArmed = false
  /// How long passcodes are not tried, in seconds; 0: at once.
  package var passcodeDelay: UInt32 = 0
  /// The number of wrong passcodes in a row after which everything is destroyed; 0: never.
  package var eraseAfter: UInt32 = 0
  /// Different wrong passcodes in a row.
  package var wrongPasscodes: UInt32 = 0
  /// `file` or `tpm`.
  package var rootKey = "file"
  /// Changes with the set of fingers; compared for equality only. Empty where no finger is
  /// enrolled.
  package var domainState: [UInt8] = []
  /// Whether the enclave's secrets are locked into memory.
  package var isMemoryLocked = false

  package init() {}

  /// All enrolled fingers.
  package var fingers: UInt32 { realFingers &+ syntheticFingers &+ tapeFingers &+ earlierFingers }

  /// Those that frames of an origin can match.
  package func fingers(from origin: FrameOrigin) -> UInt32 {
    switch origin {
    case .reader: realFingers &+ earlierFingers
    case .synthetic: syntheticFingers
    case .tape: tapeFingers &+ earlierFingers
    }
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked,
      isRollbackDetected, realFingers, syntheticFingers, tapeFingers, earlierFingers, misses,
      passcodeDelay,
      eraseAfter,
      wrongPasscodes, rootKey, domainState)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      isPasscodeSet, isLocked, isFirstUnlocked, isLockedOut, isBiometricUnlockArmed, isMemoryLocked,
      isRollbackDetected, realFingers, syntheticFingers, tapeFingers, earlierFingers, misses,
      passcodeDelay,
      eraseAfter,
      wrongPasscodes, rootKey, domainState
    ) = try decoder.read()
  }
}

/// Requests of the core's that the enclave carries out one after the other, up to the first that
/// fails: the way there and back takes longer than their work. Those before that one stay carried
/// out. Reply: that of the last one, or the failure. Envelopes, and another of these, are refused.
package struct SeveralRequests: WireMessage, Equatable {
  package static var number: UInt8 { 14 }
  /// Number and fields of each; none holds a secret.
  package let requests: [[UInt8]]
  package init(_ requests: [[UInt8]]) { self.requests = requests }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(requests) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    requests = try decoder.read()
    guard !requests.isEmpty else { throw .invalidValue(field: "requests") }
  }
}

/// Unlocks with the match evidence of a context, while biometric unlock is armed. Reply: ``Done``.
package typealias UnlockWithMatch = ContextRequest<5>
