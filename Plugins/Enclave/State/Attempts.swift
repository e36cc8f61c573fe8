import Protocol

/// Failed tries, and what follows from them (E5). A value: a change is saved before it is acted on.
struct Attempts: Equatable, Sendable {
  /// Compared prints in a row that did not match.
  private(set) var misses: UInt32 = 0
  /// Different wrong passcodes in a row.
  private(set) var wrongPasscodes: UInt32 = 0
  /// Those among them that were given where strangers may type, and do not count for erasure.
  private(set) var harmlessPasscodes: UInt32 = 0
  /// Codes of the wrong passcodes, newest last, under keys that only the same passcode gives.
  private(set) var tried: [[UInt8]] = []
  /// When the running delay began: with the last wrong passcode, or later if it had to start again.
  /// Nil if unknown.
  private(set) var delayBegan: BootMoment?
  /// Whether an older state was put back since the last right passcode, by the TPM's word.
  private(set) var restoration = Restoration.none

  enum Restoration: UInt8, Sendable {
    case none = 0
    /// Noticed. One passcode is tried at once: the TPM's own lock counts it.
    case noticed = 1
    /// A wrong passcode has followed.
    case guessed = 2
  }

  private static var mostMisses: UInt32 { TouchEvent.mostMissesInARow }
  /// Wrong passcodes that are remembered.
  static let mostTried = Int(eraseAfterRange.upperBound)

  /// Assumed if the record of a set passcode is lost: the worst, so that losing it never allows
  /// more tries. One try is left before the device erases itself.
  static func lost(eraseAfter limit: UInt32) -> Attempts {
    var attempts = Attempts()
    attempts.misses = mostMisses
    attempts.wrongPasscodes = max(9, limit == 0 ? 0 : limit - 1)
    return attempts
  }

  /// Assumed if an older state was put back: the worst, except that one passcode is tried at once.
  static func restored(eraseAfter limit: UInt32) -> Attempts {
    var attempts = lost(eraseAfter: limit)
    attempts.restoration = .noticed
    return attempts
  }

  /// Wrong passcodes that count for erasure.
  var erasingPasscodes: UInt32 { wrongPasscodes - min(wrongPasscodes, harmlessPasscodes) }

  func isLockedOut(by rules: EnclaveRules) -> Bool { misses >= rules.missesInARow }

  /// The delay after the last wrong passcode, in seconds.
  var passcodeDelay: UInt64 {
    switch wrongPasscodes {
    case 0...4: 0
    case 5: 60
    case 6: 5 * 60
    case 7...8: 15 * 60
    default: 60 * 60
    }
  }

  /// Nanoseconds left of the delay, or nil if the elapsed time is unknown.
  func remainingDelay(at now: BootMoment) -> UInt64? {
    let delay = restoration == .noticed ? 0 : passcodeDelay * 1_000_000_000
    guard delay > 0 else { return 0 }
    guard let elapsed = delayBegan?.elapsed(until: now) else { return nil }
    return delay - min(delay, elapsed)
  }

  mutating func beginDelay(at now: BootMoment) { delayBegan = now }

  /// Counts a print as a miss before it is compared.
  mutating func countTouch() { misses = min(misses, .max - 1) + 1 }

  mutating func touchMatched() { misses = 0 }

  /// Whether a passcode with this code was tried since the last right one. It does not count again.
  func hasTried(_ code: [UInt8]) -> Bool { tried.contains(code) }

  /// Counts a passcode as wrong before it is verified.
  /// `code` is nil if the TPM counts tries: with the TPM, a code in the file would tell which passcode
  /// it was. `mayErase` tells whether the try counts for erasure.
  mutating func countPasscode(_ code: [UInt8]?, at now: BootMoment, mayErase: Bool) {
    wrongPasscodes = min(wrongPasscodes, .max - 1) + 1
    if !mayErase { harmlessPasscodes = min(harmlessPasscodes, .max - 1) + 1 }
    if restoration == .noticed { restoration = .guessed }
    if let code { tried.append(code) }
    if tried.count > Self.mostTried { tried.removeFirst() }
    beginDelay(at: now)
  }

  mutating func passcodeAccepted() { self = Attempts() }
}

extension BootMoment {
  /// Nanoseconds from this moment to `now`. Nil in another boot, and if the clock of the same boot
  /// went back, as in a virtual machine that returns to a snapshot.
  func elapsed(until now: BootMoment) -> UInt64? {
    guard boot == now.boot, time <= now.time else { return nil }
    return now.time - time
  }

  /// Nil for a boot without a name, which no other process can recognize.
  static func decode(from decoder: inout WireDecoder) throws(DecodeError) -> BootMoment? {
    let moment: BootMoment = try decoder.read()
    return moment.boot.isEmpty ? nil : moment
  }
}
