import Protocol

// What has to come of sealing, opening and changing a secret, written from APPLE.md 1.5 and 1.6 and
// from CLI.md. It shares nothing with the engine but the names of failures: what is satisfied, what
// is closed and what is gone is said here once more.

/// What can guard a secret.
struct Guard: Hashable, CustomStringConvertible {
  enum Word: String { case presence, any = "biometry-any", current = "biometry-current", passcode }

  let words: [Word]
  /// Whether one of several will do.
  let oneWillDo: Bool
  let appPassword: Bool

  /// As `--access` takes it.
  var description: String {
    (words.map(\.rawValue) + (appPassword ? ["app-password"] : []))
      .joined(separator: oneWillDo ? " or " : " and ")
  }

  /// Every guard there is, nil for none.
  static let every: [Guard?] = {
    let constraints: [(words: [Word], oneWillDo: Bool)] = [
      ([.presence], false), ([.any], false), ([.current], false), ([.passcode], false),
      ([.any, .passcode], false), ([.any, .passcode], true),
      ([.current, .passcode], false), ([.current, .passcode], true),
    ]
    let guards = constraints.flatMap { words, oneWillDo in
      [false, true].map { Guard(words: words, oneWillDo: oneWillDo, appPassword: $0) }
    }
    return [nil, Guard(words: [], oneWillDo: false, appPassword: true)] + guards
  }()
}

/// What the device is like at a moment.
struct Situation: Hashable {
  enum Lock { case unlocked, locked, beforeFirstUnlock }
  /// The set of fingers, beside that at the time of sealing.
  enum Fingers { case same, changed, none }

  var hasPasscode = true
  var lock = Lock.unlocked
  var fingers = Fingers.same

  /// A class is open, closed, or gone with the passcode.
  fileprivate func isOpen(_ accessibility: Accessibility) -> Bool {
    switch accessibility {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
      lock == .unlocked
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: lock != .beforeFirstUnlock
    }
  }
}

/// What has been proved in a context.
struct Proved: Hashable {
  enum AppPassword: CaseIterable { case missing, wrong, right }

  var finger = false
  var passcode = false
  var appPassword = AppPassword.missing

  static let every: [Proved] = [false, true].flatMap { finger in
    [false, true].flatMap { passcode in
      AppPassword.allCases.map {
        Proved(finger: finger, passcode: passcode, appPassword: $0)
      }
    }
  }
}

/// What may come of it: nothing but this.
enum Expected: Equatable {
  case done
  case asked
  /// One of these, in no order.
  case refused(Set<FailureCode>)
}

enum AccessSpecification {
  /// Why something may not be sealed.
  static func obstacles(
    to guarding: Guard?, _ accessibility: Accessibility, in situation: Situation,
    hasAppPassword: Bool
  ) -> Set<FailureCode> {
    var obstacles: Set<FailureCode> = []
    if !situation.hasPasscode,
      guarding != nil || accessibility == .whenPasscodeSetThisDeviceOnly
    {
      obstacles.insert(.passcodeNotSet)
    }
    if !situation.isOpen(accessibility) { obstacles.insert(.errSecInteractionNotAllowed) }
    guard let guarding else { return obstacles }
    // A9: it must not leave the device; A2: adding needs an unlocked device.
    if !accessibility.name.hasSuffix("this-device-only") { obstacles.insert(.errSecParam) }
    if situation.lock != .unlocked { obstacles.insert(.errSecInteractionNotAllowed) }
    let namesFinger = guarding.words.contains(.any) || guarding.words.contains(.current)
    if namesFinger, situation.fingers == .none { obstacles.insert(.biometryNotEnrolled) }
    if guarding.appPassword, !hasAppPassword { obstacles.insert(.errSecParam) }
    return obstacles
  }

  static func sealing(
    _ guarding: Guard?, _ accessibility: Accessibility, in situation: Situation,
    hasAppPassword: Bool
  ) -> Expected {
    let obstacles = obstacles(
      to: guarding, accessibility, in: situation, hasAppPassword: hasAppPassword)
    return obstacles.isEmpty ? .done : .refused(obstacles)
  }

  /// What comes of opening what was sealed when a passcode was set and the device unlocked.
  static func opening(
    _ guarding: Guard?, _ accessibility: Accessibility, in situation: Situation, proved: Proved
  ) -> Expected {
    // What needs a passcode to exist went with it.
    if !situation.hasPasscode {
      let isGone = guarding != nil || accessibility == .whenPasscodeSetThisDeviceOnly
      return isGone ? .refused([.errSecDecode]) : .done
    }
    var refusals: Set<FailureCode> = []
    if !situation.isOpen(accessibility) { refusals.insert(.errSecInteractionNotAllowed) }
    guard let guarding else { return refusals.isEmpty ? .done : .refused(refusals) }
    let isCurrent = situation.fingers == .same
    if guarding.words.contains(.current), !guarding.oneWillDo, !isCurrent {
      refusals.insert(.errSecAuthFailed)
    }
    guard refusals.isEmpty else { return .refused(refusals) }
    let proofs = guarding.words.map { word in
      switch word {
      case .presence: proved.finger || proved.passcode
      case .any: proved.finger
      case .current: proved.finger && isCurrent
      case .passcode: proved.passcode
      }
    }
    let isPresent =
      proofs.isEmpty || (guarding.oneWillDo ? proofs.contains(true) : !proofs.contains(false))
    switch (isPresent, guarding.appPassword, proved.appPassword) {
    case (false, _, _), (true, true, .missing): return .asked
    case (true, true, .wrong): return .refused([.errSecAuthFailed])
    case (true, true, .right), (true, false, _): return .done
    }
  }

  /// What comes of having it guarded by something else.
  static func changing(
    _ guarding: Guard?, _ accessibility: Accessibility, to other: Guard?, in situation: Situation,
    proved: Proved
  ) -> Expected {
    let opening = opening(guarding, accessibility, in: situation, proved: proved)
    guard opening == .done else { return opening }
    return sealing(
      other, accessibility, in: situation, hasAppPassword: proved.appPassword != .missing)
  }
}
