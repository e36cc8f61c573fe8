import Protocol
import WindowContents

extension Failure {
  /// Whether a person wanted it so, and need not be told.
  var isWanted: Bool {
    switch code {
    case .userCancel, .appCancel, .userFallback: true
    default: false
    }
  }

  /// What happened, in the person's language where it is known by its code.
  var heading: String {
    switch code {
    case .authenticationFailed: localized("That did not prove that it is you")
    case .biometryLockout: localized("Fingers are locked out until the passcode is given")
    case .biometryDisconnected, .biometryNotAvailable, .biometryNotPaired:
      localized("There is no reader that can be used")
    case .biometryNotEnrolled: localized("No finger is enrolled")
    case .notInteractive: localized("You cannot be asked at the moment")
    case .timedOut: localized("No touch came in time")
    case .passcodeNotSet: localized("No passcode is set")
    case .passcodeAlreadySet: localized("A passcode is set already")
    case .passcodeTooShort: localized("The passcode is too short")
    case .passcodeDelayed: localized("Passcodes are not tried for a while")
    case .duplicateFinger: localized("That finger is enrolled already")
    case .tooManyFingers: localized("No more fingers can be enrolled")
    case .enrolmentIncomplete: localized("Too little of the finger was seen")
    case .fingerNotFound: localized("That finger is no longer enrolled")
    case .coreFailed, .engineFailed, .coreVersionMismatch:
      localized("The service cannot be reached")
    case .driverFailed, .driverNotFound: localized("The reader does not work")
    case .errSecItemNotFound: localized("That item is not there any more")
    case .errSecDuplicateItem: localized("There is such an item already")
    case .errSecInteractionNotAllowed: localized("The device is locked")
    case .busy: localized("Something else is going on")
    case .deviceErased: localized("Everything was erased after too many wrong passcodes")
    default: localized("That did not work")
    }
  }

  /// What the core said, and what to do about it.
  var explanation: String {
    ([message + "."] + [hint].compactMap(\.self)).joined(separator: "\n\n").withoutSteeringLines
  }
}

extension String {
  /// The same with its lines kept, and without anything else that would steer what shows it.
  var withoutSteeringLines: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).withoutSteering }.joined(separator: "\n")
  }
}
