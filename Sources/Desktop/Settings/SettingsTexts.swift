import Glibc
import Protocol
import WindowContents

extension Failure {
  /// Whether the person caused it and need not be told.
  var isWanted: Bool {
    switch code {
    case .userCancel, .appCancel, .userFallback: true
    default: false
    }
  }

  /// What happened, in the user's language if its code is known.
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

  /// The core's message and hint.
  var explanation: String {
    ([message + "."] + [hint].compactMap(\.self)).joined(separator: "\n\n").withoutSteeringLines
  }
}

extension String {
  /// Keeps line breaks, and replaces other control characters.
  var withoutSteeringLines: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).withoutSteering }.joined(separator: "\n")
  }
}

enum PasscodeTexts {
  static func subtitle(_ status: CoreStatus) -> String {
    guard status.isPasscodeSet else {
      return localized("It comes first: fingers only stand in for it.")
    }
    var parts: [String] = []
    if status.wrongPasscodes > 0 {
      parts.append(
        localized(
          "%s wrong one in a row", "%s wrong ones in a row", count: Int(status.wrongPasscodes)))
    }
    if status.passcodeDelay > 0 {
      parts.append(
        localized(
          "none is tried for %s second", "none is tried for %s seconds",
          count: Int(status.passcodeDelay)))
    }
    if status.eraseAfter > 0 {
      parts.append(
        localized(
          "%s wrong one erases everything", "%s wrong ones erase everything",
          count: Int(status.eraseAfter)))
    }
    return parts.joined(separator: " · ")
  }

  static func lock(_ status: CoreStatus) -> String {
    guard status.isLocked else {
      if status.lockRule == .screen, status.lockAfterSeconds == LockRule.longestSeconds {
        return localized("With the screen, at the latest 8 hours after the last match or passcode.")
      }
      let minutes = max(1, Int(status.lockAfterSeconds) / 60)
      return localized(
        "Locks %s minute after the last touch or passcode",
        "Locks %s minutes after the last touch or passcode", count: minutes)
    }
    if !status.isFirstUnlocked { return localized("Only the passcode unlocks after a start") }
    return status.isBiometricUnlockArmed
      ? localized("A finger unlocks, or the passcode") : localized("Only the passcode unlocks")
  }
}

/// The choices for when the keychain locks.
enum LockRuleTexts {
  private static let usual: [LockRule] =
    [.screen] + [1, 5, 15, 30, 60, 120, 480].map(LockRule.minutes)

  /// The usual choices, and the current one.
  static func choices(beside rule: LockRule) -> [LockRule] {
    usual.contains(rule) ? usual : usual + [rule]
  }

  static func text(_ rule: LockRule) -> String {
    switch rule {
    case .minutes(let minutes): localized("After %s min", "\(minutes)")
    case .screen: localized("With the Screen")
    }
  }
}

enum Days {
  /// The local day (ISO 8601) of a time in seconds since 1970.
  static func text(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return "" }
    let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    return "\(year)-" + padded(month) + "-" + padded(day)
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
