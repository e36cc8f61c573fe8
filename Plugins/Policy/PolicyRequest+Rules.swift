import Protocol

extension PolicyRequest {
  /// What decides this request, in the order in which it is asked (CLI.md, "Order of checks" and
  /// "Misses").
  var rules: [any PolicyRule] {
    switch self {
    case .biometrics:
      [ReasonIsGiven(), CallIsNotEnded(), MatchSucceeds()]
        + Self.touch(fallback: .application)
    case .owner:
      [
        ReasonIsGiven(), PasscodeIsSet(), CallIsNotEnded(), MatchSucceeds(),
        AcceptedPasscodeSucceeds(),
      ] + Self.touchOrPasscode
    case .unlock(let prefersPasscode):
      if prefersPasscode {
        [PasscodeIsSet(), CallIsNotEnded(), AcceptedPasscodeSucceeds()] + Self.passcode
      } else {
        [
          PasscodeIsSet(), CallIsNotEnded(), AcceptedPasscodeSucceeds(), UnlockedDeviceSucceeds(),
          ArmedMatchUnlocks(),
        ] + Self.unlocking
      }
    case .passcodeOnly:
      [PasscodeIsSet(), CallIsNotEnded(), AcceptedPasscodeSucceeds()] + Self.passcode
    case .access(let control, let held): Self.rules(for: control, held: held)
    }
  }

  /// An access control is a list of what is still missing. Only what the context holds counts,
  /// never that an event says so (E4).
  private static func rules(for control: AccessControl, held: EvidenceSet) -> [any PolicyRule] {
    let missing = control.helpfulEvidence(beyond: held)
    let eitherWill = control.junction == .or || control.constraints == .presence
    let asking: [any PolicyRule] =
      switch (missing.contains(.biometry), missing.contains(.passcode)) {
      case (false, false): appPassword
      case (true, false): touch(fallback: .hidden)
      case (false, true): [PasscodeIsSet()] + passcode
      case (true, true) where eitherWill: [PasscodeIsSet()] + touchOrPasscode
      case (true, true): [PasscodeIsSet()] + touch(fallback: .hidden)
      }
    return [CallIsNotEnded(), EvidenceSuffices(control: control, held: held)] + asking
  }

  /// The presence that is asked for is proved, and an application password is missing. It comes
  /// last: who gives a wrong one gives it once more, and nothing else.
  private static let appPassword: [any PolicyRule] =
    [
      RefusedAppPasswordsEndTheCall(), FallbackEndsTheCall(), ClientMayPrompt(),
      AppPasswordCanBeGiven(), AskForAppPassword(),
    ]

  /// Only a touch will do.
  private static func touch(fallback: PromptFallback) -> [any PolicyRule] {
    [
      MissesEndTheCall(whenLockedOut: .biometryLockout), RefusedPasscodesEndTheCall(),
      LostSensorFails(), FallbackEndsTheCall(), BiometryIsReady(), ClientMayPrompt(),
      AskForTouch(fallback: fallback),
    ]
  }

  /// A touch where it can be had, else the passcode (A4).
  private static let touchOrPasscode: [any PolicyRule] =
    [
      MissesEndTheCall(whenLockedOut: .authenticationFailed), RefusedPasscodesEndTheCall(),
      FallbackIsOffered(), ClientMayPrompt(), AskForTouchOverPasscode(), PasscodeCanBeGiven(),
      AskForPasscode(),
    ]

  /// As ``touchOrPasscode``, as long as a match unlocks.
  private static let unlocking: [any PolicyRule] = [UnlessArmed(passcode)] + touchOrPasscode

  /// Only the passcode will do.
  private static let passcode: [any PolicyRule] =
    [
      MissesEndTheCall(whenLockedOut: .authenticationFailed), RefusedPasscodesEndTheCall(),
      FallbackEndsTheCall(), ClientMayPrompt(), PasscodeCanBeGiven(), AskForPasscode(),
    ]
}

/// One condition of a policy and what follows from it.
protocol PolicyRule: Sendable {
  /// The step, where this rule has one to say; nil leaves it to the rules that follow.
  func step(for question: PolicyQuestion) -> PolicyStep.Action?
}
