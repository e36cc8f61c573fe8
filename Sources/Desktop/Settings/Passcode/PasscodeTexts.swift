import Protocol
import WindowContents

/// What is said of the passcode and the lock.
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

/// When the keychain locks by itself, to choose from.
enum LockRuleTexts {
  private static let usual: [LockRule] =
    [.screen] + [1, 5, 15, 30, 60, 120, 480].map(LockRule.minutes)

  /// What is offered: the usual ones, and the one that is set.
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
