// The policy engine: a pure function from a request, the device's state and what has happened to
// the next step.

public import AuthcoreABI
package import EngineKit
package import Protocol

/// The one symbol of this engine, which Package.swift gives the name `ac_engine_entry` (engine.h).
@c(PolicyEngine_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(PolicyEngine.self, host, ret_engine) }

/// Answers every ``PolicyQuestion`` with a ``PolicyStep``, and remembers nothing between questions.
package final class PolicyEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_POLICY) }
  package static var name: StaticString { "rules-policy" }
  package static var version: StaticString { "1.0" }

  package init(services: EngineServices) throws(Failure) {}

  package func handle(_ request: Span<UInt8>) -> SecretBytes { Self.answer(request) }

  /// The reply to an encoded question, or a ``Failure`` if it cannot be decoded.
  package static func answer(_ request: Span<UInt8>) -> SecretBytes {
    do throws(DecodeError) {
      return PolicyStep(decide(try PolicyQuestion.decode(request))).encoded()
    } catch {
      return Failure(
        .engineFailed, "the policy engine was asked something it does not understand: \(error)",
        hint: "core and policy engine are of different versions: install both from one build"
      ).encoded()
    }
  }

  /// The step of the first rule that has one. If none has, the request fails.
  package static func decide(_ question: PolicyQuestion) -> PolicyStep.Action {
    for rule in question.request.rules {
      if let action = rule.step(question) { return action }
    }
    return .fail(
      Failure(.authenticationFailed, "no rule of the policy permits this request"))
  }
}

extension PolicyRequest {
  /// The rules that decide this request, in order.
  fileprivate var rules: [PolicyRule] {
    switch self {
    case .biometrics:
      [.reasonIsGiven, .callIsNotEnded, .matchSucceeds] + Self.touch(fallback: .application)
    case .owner:
      [
        .reasonIsGiven, .passcodeIsSet, .callIsNotEnded, .matchSucceeds,
        .acceptedPasscodeSucceeds,
      ] + Self.touchOrPasscode
    case .unlock(prefersPasscode: false):
      [
        .passcodeIsSet, .callIsNotEnded, .acceptedPasscodeSucceeds, .unlockedDeviceSucceeds,
        .armedMatchUnlocks, .firstUnlessArmed(of: Self.passcode),
      ] + Self.touchOrPasscode
    case .unlock(prefersPasscode: true), .passcodeOnly:
      [.passcodeIsSet, .callIsNotEnded, .acceptedPasscodeSucceeds] + Self.passcode
    case .access(let control, let held): Self.rules(for: control, held: held)
    }
  }

  /// Asks for what the access control needs and the context does not hold. An event alone is no
  /// proof (E4).
  private static func rules(for control: AccessControl, held: EvidenceSet) -> [PolicyRule] {
    let missing = control.helpfulEvidence(beyond: held)
    let eitherWill = control.junction == .or || control.constraints == .presence
    let asking: [PolicyRule] =
      switch (missing.contains(.biometry), missing.contains(.passcode)) {
      case (false, false): appPassword
      case (true, false): touch(fallback: .hidden)
      case (false, true): [.passcodeIsSet] + passcode
      case (true, true) where eitherWill: [.passcodeIsSet] + touchOrPasscode
      case (true, true): [.passcodeIsSet] + touch(fallback: .hidden)
      }
    return [.callIsNotEnded, .evidenceSuffices(for: control, held: held)] + asking
  }

  /// Comes after presence is proved, so a person who mistypes an application password repeats only
  /// that.
  private static let appPassword: [PolicyRule] =
    [
      .refusedAppPasswordsEndTheCall, .fallbackEndsTheCall, .clientMayPrompt,
      .appPasswordCanBeGiven, .askForAppPassword,
    ]

  private static func touch(fallback: PromptFallback) -> [PolicyRule] {
    [
      .missesEndTheCall(ifLockedOut: .biometryLockout), .refusedPasscodesEndTheCall,
      .lostSensorFails, .fallbackEndsTheCall, .biometryIsReady, .clientMayPrompt,
      .askForTouch(fallback: fallback),
    ]
  }

  /// A touch if one is possible, else the passcode (A4).
  private static let touchOrPasscode: [PolicyRule] =
    [
      .missesEndTheCall(ifLockedOut: .authenticationFailed), .refusedPasscodesEndTheCall,
      .fallbackIsOffered, .clientMayPrompt, .askForTouchOverPasscode, .passcodeCanBeGiven,
      .askForPasscode,
    ]

  private static let passcode: [PolicyRule] =
    [
      .missesEndTheCall(ifLockedOut: .authenticationFailed), .refusedPasscodesEndTheCall,
      .fallbackEndsTheCall, .clientMayPrompt, .passcodeCanBeGiven, .askForPasscode,
    ]
}
