import Protocol

/// When the owner last proved presence to this enclave, and how long a finger is believed after
/// that. A value.
struct ProofTimes: Equatable, Sendable {
  /// Nanoseconds since boot, including suspended time; nil since the start.
  var passcode: UInt64?
  var fingerUnlock: UInt64?

  enum Expiry: Equatable, Sendable {
    /// Nothing has unlocked the device for more than 48 hours.
    case noUnlock
    /// The passcode is more than 156 hours old, and no finger has unlocked for more than 4.
    case oldPasscode
    /// A proof lies ahead of the clock, so its age is unknown.
    case clockWentBack
  }

  private static let hour: UInt64 = 3600 * 1_000_000_000
  private static let longestWithoutUnlock = 48 * hour
  private static let longestWithoutPasscode = 156 * hour
  private static let longestWithoutFinger = 4 * hour

  /// Why a finger is not believed at `now`; nil if it is, and before the first passcode.
  func expiry(at now: UInt64) -> Expiry? {
    guard let passcode else { return nil }
    let lastUnlock = max(passcode, fingerUnlock ?? 0)
    guard now >= lastUnlock else { return .clockWentBack }
    if now - lastUnlock > Self.longestWithoutUnlock { return .noUnlock }
    let isFingerRecent = fingerUnlock.map { now - $0 <= Self.longestWithoutFinger } ?? false
    return now - passcode > Self.longestWithoutPasscode && !isFingerRecent ? .oldPasscode : nil
  }
}

/// Whether a finger counts, and if not, why only the passcode helps.
final class BiometricTrust {
  private let state: StoredState
  private var proofs = ProofTimes()
  /// For each chip, which plugging-in of it was seen last, and which one the passcode covers.
  private var seen: [String: String] = [:]
  private var trusted: [String: String] = [:]

  init(_ state: StoredState) { self.state = state }

  /// Why no finger counts until the passcode is given, or nil. Says nothing about the first unlock.
  var lockout: Failure? {
    if state.isDistrusted {
      return Failure(
        .biometryLockout, "an old copy of the enclave's files has been put back: no finger counts",
        hint: "give the passcode, and see authcore status")
    }
    if state.attempts.isLockedOut(by: state.rules) {
      return Failure(
        .biometryLockout,
        "\(state.attempts.misses) touches in a row did not match: fingers are locked out",
        hint: "give the passcode")
    }
    return proofs.expiry(at: state.platform.bootTime).map(Self.failure)
  }

  var mayUnlock: Bool {
    !state.keybag.fingers.isEmpty && proofs.passcode != nil && lockout == nil
  }

  func passcodeWasGiven() {
    proofs = ProofTimes(passcode: state.platform.bootTime)
    trusted = seen
  }

  // MARK: Chips

  private static let longestOnChip: UInt64 = 24 * 3600 * 1_000_000_000

  /// A passcode covers the chips that were plugged in before it, also those not opened since.
  func noteInstance(of chip: ChipDevice) {
    if seen[chip.identity] != chip.instance, let passcode = proofs.passcode,
      chip.pluggedIn < passcode
    {
      trusted[chip.identity] = chip.instance
    }
    seen[chip.identity] = chip.instance
  }

  /// Why a chip is not believed until the passcode is given, beside ``lockout``; or nil.
  func lockout(of chip: ChipDevice) -> Failure? {
    if trusted[chip.identity] != chip.instance {
      return Failure(
        .biometryLockout, "the reader was away, and another device may be in its place",
        hint: "give the passcode: authcore unlock")
    }
    let now = state.platform.bootTime
    guard let passcode = proofs.passcode, now >= passcode, now - passcode <= Self.longestOnChip
    else {
      return Failure(
        .biometryLockout, "a reader that matches on the chip needs the passcode once a day",
        hint: "give the passcode: authcore unlock")
    }
    return nil
  }

  func fingerUnlocked() { proofs.fingerUnlock = state.platform.bootTime }

  func forgetProofs() { proofs = ProofTimes() }

  private static func failure(_ expiry: ProofTimes.Expiry) -> Failure {
    let reason =
      switch expiry {
      case .noUnlock: "the device was last unlocked more than 48 hours ago"
      case .oldPasscode:
        """
        the passcode was last given more than 156 hours ago, and no finger has unlocked for 4 hours
        """
      case .clockWentBack: "the clock went back behind the last time the passcode was given"
      }
    return Failure(
      .biometryLockout, "\(reason): no finger counts", hint: "give the passcode: authcore unlock")
  }
}
