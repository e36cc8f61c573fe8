import EngineKit
import Wire

/// Three misses end a call (CLI.md, "Misses").
struct MissesEndTheCall: PolicyRule {
  private static let limit: UInt32 = 3

  /// The code where the third miss has also locked biometrics out.
  let whenLockedOut: FailureCode

  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.misses >= Self.limit else { return nil }
    if question.device.isLockedOut {
      return .fail(
        Failure(
          whenLockedOut, "the finger was not recognised, and fingerprints are locked out now",
          hint: "give the passcode once, for example with authcore auth"))
    }
    return .fail(
      Failure(
        .authenticationFailed, "the finger was not recognised",
        hint: "try again with a clean, dry finger, or another enrolled one"))
  }
}
