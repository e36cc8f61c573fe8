import Protocol

/// What ends a call of any kind (L10). It comes before every success: a person who pressed Cancel
/// has said no.
struct CallIsNotEnded: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
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
}

/// L6: nobody is asked for a proof without being told what for.
struct ReasonIsGiven: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.client.hasReason else { return nil }
    return .fail(
      .invalidReason(
        hint: "say what the owner is asked for, for example --reason \"Add a chore\""))
  }
}

/// A4: a device without a passcode gives no access, and there is nothing to fall back to.
struct PasscodeIsSet: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.device.isPasscodeSet else { return nil }
    return .fail(
      Failure(
        .passcodeNotSet, "no passcode is set on this device",
        hint: "set one: authcore passcode set"))
  }
}

/// L2: where no finger can be matched, the request fails and says why.
struct BiometryIsReady: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.touchObstacle.map { .fail($0) }
  }
}

/// The reader has gone, and nothing but a touch will do.
struct LostSensorFails: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.lastEvent == .sensorLost else { return nil }
    return .fail(
      Failure(
        .biometryDisconnected, "the fingerprint reader was disconnected",
        hint: "connect it again and repeat the command"))
  }
}

/// So many misses end a call.
struct MissesEndTheCall: PolicyRule {
  /// The code where the third miss has also locked biometrics out.
  let whenLockedOut: FailureCode

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.misses >= CallProgress.mostMisses else { return nil }
    if question.device.isLockedOut {
      return .fail(
        Failure(
          whenLockedOut, "the finger was not recognized, and fingerprints are locked out now",
          hint: "give the passcode once, for example with authcore auth"))
    }
    return .fail(
      Failure(
        .authenticationFailed, "the finger was not recognized",
        hint: "try again with a clean, dry finger, or another enrolled one"))
  }
}

/// Three wrong passcodes end a call, and so does one where no other can be given.
struct RefusedPasscodesEndTheCall: PolicyRule {
  private static let limit: UInt32 = 3

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.refusedPasscodes >= Self.limit else { return nil }
    return .fail(Self.failure)
  }

  /// What a call ends with when its last passcode was wrong.
  static var failure: Failure {
    Failure(.authenticationFailed, "the passcode is wrong", hint: "try again with the right one")
  }
}

/// L4: where the policy has no fallback of its own, choosing one hands the matter back to the
/// application.
struct FallbackEndsTheCall: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    question.progress.lastEvent == .fallbackChosen ? .fail(Self.failure) : nil
  }

  /// What a fallback means that is not the passcode.
  static var failure: Failure {
    Failure(
      .userFallback, "another way than this one was chosen",
      hint: "the passcode is no way to answer this request; the application may have its own")
  }
}

/// The fallback leads to the passcode only from a touch that offers it.
struct FallbackIsOffered: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.lastEvent == .fallbackChosen else { return nil }
    let isOffered = question.touchObstacle == nil && !question.client.hidesFallback
    return isOffered ? nil : .fail(FallbackEndsTheCall.failure)
  }
}

/// A6: only a client in the foreground causes a prompt. Every rule after this one asks the person
/// for something.
struct ClientMayPrompt: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard !question.client.mayPrompt else { return nil }
    return .fail(
      Failure(
        .notInteractive, "the owner would have to be asked, and this program may not ask",
        hint: "run it in the foreground, at a terminal or in the session on the screen"))
  }
}
