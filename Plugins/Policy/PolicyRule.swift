import Protocol

/// One condition of a policy and what follows from it.
struct PolicyRule: Sendable {
  /// The step, or nil to leave it to the rules that follow.
  let step: @Sendable (PolicyQuestion) -> PolicyStep.Action?

  private init(_ step: @escaping @Sendable (PolicyQuestion) -> PolicyStep.Action?) {
    self.step = step
  }

  /// Succeeds if the condition holds.
  private static func succeeding(
    if condition: @escaping @Sendable (PolicyQuestion) -> Bool
  ) -> PolicyRule {
    PolicyRule { condition($0) ? .succeed : nil }
  }

  /// Fails if the condition holds.
  private static func failing(
    _ code: FailureCode, _ message: String, hint: String,
    if condition: @escaping @Sendable (PolicyQuestion) -> Bool
  ) -> PolicyRule {
    PolicyRule { condition($0) ? .fail(Failure(code, message, hint: hint)) : nil }
  }
}

// MARK: What fails

extension PolicyRule {
  /// L10. Comes before every success: a person who pressed Cancel has said no.
  static let callIsNotEnded = PolicyRule { question in
    switch question.progress.lastEvent {
    case .cancelled: .fail(Failure(.userCancel, "the request was cancelled"))
    case .interrupted:
      .fail(Failure(.appCancel, "the application withdrew its request"))
    case .timedOut:
      .fail(
        Failure(
          .timedOut, "nobody answered in time",
          hint: "try again; --timeout SECONDS waits longer"))
    case .none, .matched, .missed, .passcodeAccepted, .passcodeRefused, .fallbackChosen,
      .sensorLost, .noPasscode, .appPasswordGiven:
      nil
    }
  }

  /// L6: a prompt says what the proof is for.
  static let reasonIsGiven = PolicyRule { question in
    guard !question.client.hasReason else { return nil }
    return .fail(
      .invalidReason(
        hint: "say what the owner is asked for, for example --reason \"Add a chore\""))
  }

  /// A4: a device without a passcode gives no access, and there is nothing to fall back to.
  static let passcodeIsSet = failing(
    .passcodeNotSet, "no passcode is set on this device", hint: "set one: authcore passcode set"
  ) { !$0.device.isPasscodeSet }

  /// L2: if no finger can be matched, the request fails and says why.
  static let biometryIsReady = PolicyRule { question in question.touchObstacle.map { .fail($0) } }

  /// Only a touch will do, and the reader has gone.
  static let lostSensorFails = failing(
    .biometryDisconnected, "the fingerprint reader was disconnected",
    hint: "connect it again and repeat the command"
  ) { $0.progress.lastEvent == .sensorLost }

  static func missesEndTheCall(ifLockedOut lockoutCode: FailureCode) -> PolicyRule {
    PolicyRule { question in
      guard question.progress.misses >= CallProgress.mostMisses else { return nil }
      if question.device.isLockedOut {
        return .fail(
          Failure(
            lockoutCode, "the finger was not recognized, and fingerprints are locked out now",
            hint: "give the passcode once, for example with authcore auth"))
      }
      return .fail(
        Failure(
          .authenticationFailed, "the finger was not recognized",
          hint: "try again with a clean, dry finger, or another enrolled one"))
    }
  }

  /// Wrong passcodes, or application passwords, that end a call.
  private static let mostRefusals: UInt32 = 3

  static let refusedPasscodesEndTheCall = PolicyRule { question in
    question.progress.refusedPasscodes >= mostRefusals ? .fail(passcodeIsWrong) : nil
  }

  private static let passcodeIsWrong = Failure(
    .authenticationFailed, "the passcode is wrong", hint: "try again with the right one")

  static let refusedAppPasswordsEndTheCall = PolicyRule { question in
    question.progress.refusedAppPasswords >= mostRefusals ? .fail(appPasswordIsWrong) : nil
  }

  private static let appPasswordIsWrong = Failure(
    .errSecAuthFailed, "the application password is wrong",
    hint: "try again with the one that the item was added with")

  /// L4: if the policy has no fallback of its own, choosing one is the application's to answer.
  static let fallbackEndsTheCall = PolicyRule { question in
    question.progress.lastEvent == .fallbackChosen ? .fail(fallbackWasChosen) : nil
  }

  private static let fallbackWasChosen = Failure(
    .userFallback, "another way than this one was chosen",
    hint: "the passcode does not answer this request; the application may have its own way")

  /// The fallback leads to the passcode only from a touch that offers it.
  static let fallbackIsOffered = PolicyRule { question in
    guard question.progress.lastEvent == .fallbackChosen else { return nil }
    let isOffered = question.touchObstacle == nil && !question.client.hidesFallback
    return isOffered ? nil : .fail(fallbackWasChosen)
  }

  /// A6: only a client in the foreground causes a prompt. Every rule after this one asks the person
  /// for something.
  static let clientMayPrompt = failing(
    .notInteractive, "the owner would have to be asked, and this program may not ask",
    hint: "run it in the foreground, at a terminal or in the session on the screen"
  ) { !$0.client.mayPrompt }
}

// MARK: What succeeds

extension PolicyRule {
  static let matchSucceeds = succeeding { $0.progress.lastEvent == .matched }
  static let acceptedPasscodeSucceeds = succeeding { $0.progress.lastEvent == .passcodeAccepted }
  static let unlockedDeviceSucceeds = succeeding { !$0.device.isLocked }

  /// A match unlocks a device only while biometric unlock is armed.
  static let armedMatchUnlocks = succeeding {
    $0.progress.lastEvent == .matched && $0.device.isBiometricUnlockArmed
  }

  /// While a match would not unlock the device, other rules decide.
  static func firstUnlessArmed(of rules: [PolicyRule]) -> PolicyRule {
    PolicyRule { question in
      guard !question.device.isBiometricUnlockArmed else { return nil }
      return rules.lazy.compactMap { $0.step(question) }.first
    }
  }

  /// A3: what the context has proved is enough for the item. The enclave checks it again when it
  /// opens the item.
  static func evidenceSuffices(for control: AccessControl, held: EvidenceSet) -> PolicyRule {
    succeeding { _ in control.isSatisfied(by: held) }
  }
}

// MARK: What asks the person

extension PolicyRule {
  /// The client may hide the button for anything but a touch.
  static func askForTouch(fallback: PromptFallback) -> PolicyRule {
    PolicyRule { .awaitTouch(fallback: $0.client.hidesFallback ? .hidden : fallback) }
  }

  /// Prefers a touch if a finger can be matched and the person has not turned to the passcode.
  static let askForTouchOverPasscode = PolicyRule { question in
    switch question.progress.lastEvent {
    case .fallbackChosen, .passcodeRefused, .noPasscode, .sensorLost: return nil
    case .none, .matched, .missed, .passcodeAccepted, .cancelled, .timedOut, .interrupted,
      .appPasswordGiven:
      break
    }
    guard question.touchObstacle == nil else { return nil }
    return askForTouch(fallback: .passcode).step(question)
  }

  static let askForPasscode = PolicyRule { _ in .awaitPasscode }

  static let passcodeCanBeGiven = PolicyRule { question in
    let hasNone = question.progress.lastEvent == .noPasscode || !question.client.canGivePasscode
    guard hasNone else { return nil }
    guard question.progress.refusedPasscodes == 0 else { return .fail(passcodeIsWrong) }
    // Elsewhere a touch would do: why none is awaited says more than that the passcode is missing.
    if let obstacle = question.touchObstacle, obstacle.code == .notInteractive {
      return .fail(obstacle)
    }
    let need =
      question.progress.lastEvent == .sensorLost
      ? "the fingerprint reader was disconnected" : "only the passcode will do"
    return .fail(
      Failure(
        .notInteractive, "\(need), and there is nobody to ask for the passcode",
        hint: "run the command at a terminal, or give the passcode with --passcode-fd or "
          + "--passcode-file"))
  }

  /// Only the client knows if it has an application password, so its answer to a prompt tells.
  static let appPasswordCanBeGiven = PolicyRule { question in
    guard question.progress.lastEvent == .noPasscode else { return nil }
    guard question.progress.refusedAppPasswords == 0 else { return .fail(appPasswordIsWrong) }
    return .fail(
      Failure(
        .notInteractive, "the item needs its application password, and there is nobody to ask",
        hint: "run the command at a terminal, or give it with --app-password-fd or "
          + "--app-password-file"))
  }

  static let askForAppPassword = PolicyRule { _ in .awaitAppPassword }
}

// MARK: Why no touch can be awaited

extension PolicyQuestion {
  /// Why no touch can be awaited, or nil if one can.
  fileprivate var touchObstacle: Failure? {
    if let obstacle = device.biometryObstacle { return obstacle }
    // A client that may not prompt at all is told so by another rule.
    guard client.mayPrompt, !client.mayTouch else { return nil }
    return Failure(
      .notInteractive, "a touch of the reader is awaited only where a person sees the prompt",
      hint: "run it at a terminal of this machine, not over SSH; without one, --unattended waits")
  }
}

extension DeviceState {
  /// Why no finger can be matched, in the promised order, or nil if one can.
  ///
  /// Fingers exist only beside a passcode (A4: no passcode, no access), so no finger counts as
  /// enrolled without one.
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
