import Protocol

/// What a right asks the owner for. It never changes; any thread.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  /// What has to be proved.
  let accessControl: AccessControl
  /// What has to be possible for it to be provable.
  let policy: EvaluatedPolicy

  private init(
    _ constraints: AccessControl.Constraints, joinedBy junction: AccessControl.Junction = .and,
    provableBy policy: EvaluatedPolicy
  ) {
    do throws(AccessControl.Problem) {
      accessControl = try AccessControl(constraints, joinedBy: junction)
    } catch {
      preconditionFailure("no requirement is made of \(constraints): \(error)")
    }
    self.policy = policy
  }

  /// A finger of the owner's where one can be had, or the passcode.
  public class var `default`: LAAuthenticationRequirement { ownersPresence }
  /// A finger of the owner's.
  public class var biometry: LAAuthenticationRequirement { anyFinger }
  /// A finger of the owner's; a right that was saved is lost when a finger is added or removed.
  public class var biometryCurrentSet: LAAuthenticationRequirement { currentFingers }
  /// A finger of the owner's, or what takes its place.
  public class func biometry(
    fallback: LABiometryFallbackRequirement
  ) -> LAAuthenticationRequirement {
    fingerOrPasscode
  }

  private static let ownersPresence = LAAuthenticationRequirement(.presence, provableBy: .owner)
  private static let anyFinger = LAAuthenticationRequirement(.biometryAny, provableBy: .biometrics)
  private static let currentFingers = LAAuthenticationRequirement(
    .biometryCurrent, provableBy: .biometrics)
  private static let fingerOrPasscode = LAAuthenticationRequirement(
    [.biometryAny, .passcode], joinedBy: .or, provableBy: .owner)

  static let all = [ownersPresence, anyFinger, currentFingers, fingerOrPasscode]
}

/// What takes the place of a finger. It never changes; any thread.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  /// The usual one: the passcode.
  public class var `default`: LABiometryFallbackRequirement { passcode }
  /// The passcode.
  public class var devicePasscode: LABiometryFallbackRequirement { passcode }

  private static let passcode = LABiometryFallbackRequirement()
}
