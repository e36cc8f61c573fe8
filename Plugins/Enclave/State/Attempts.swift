import Protocol

/// What was tried and failed, and what follows from it (E5; APPLE.md 1.4). A value; whoever changes
/// it saves it before acting on it.
struct Attempts: Equatable, Sendable {
  /// Compared prints in a row that were not the owner's.
  private(set) var misses: UInt32 = 0
  /// Different wrong passcodes in a row.
  private(set) var wrongPasscodes: UInt32 = 0
  /// How many of these were given where strangers may type, and do not count for the destruction of
  /// everything.
  private(set) var harmlessPasscodes: UInt32 = 0
  /// Which passcodes these were, newest last: codes under a key that only the same passcode gives.
  private(set) var tried: [[UInt8]] = []
  /// When the running delay began: with the last wrong passcode, or later where it had to begin
  /// anew. Nil where nobody knows.
  private(set) var delayBegan: BootMoment?
  /// Whether an older state was put back since the last right passcode, as the TPM tells.
  private(set) var restoration = Restoration.none

  /// What has happened since an older state was put back.
  enum Restoration: UInt8, Sendable {
    /// None was.
    case none = 0
    /// It has been noticed. One passcode is tried at once: the TPM's own lock counts it.
    case noticed = 1
    /// A wrong passcode came.
    case guessed = 2
  }

  /// Misses in a row that lock biometrics out.
  private static var mostMisses: UInt32 { TouchEvent.mostMissesInARow }
  /// How many wrong passcodes are remembered.
  static let mostTried = Int(eraseAfterRange.upperBound)

  /// Nothing has failed.
  init() {}

  /// As they were recorded.
  init(
    misses: UInt32, wrongPasscodes: UInt32, harmlessPasscodes: UInt32, tried: [[UInt8]],
    delayBegan: BootMoment?, restoration: Restoration
  ) {
    self.misses = misses
    self.wrongPasscodes = wrongPasscodes
    self.harmlessPasscodes = harmlessPasscodes
    self.tried = tried
    self.delayBegan = delayBegan
    self.restoration = restoration
  }

  /// What is assumed when the record of a set passcode is lost: the worst, so that losing it is
  /// never a way to try more. One try is left of those after which the device erases itself.
  static func lost(eraseAfter limit: UInt32) -> Attempts {
    var attempts = Attempts()
    attempts.misses = mostMisses
    attempts.wrongPasscodes = max(9, limit == 0 ? 0 : limit - 1)
    return attempts
  }

  /// What is assumed where an older state was put back: the worst, but that one passcode is tried at
  /// once.
  static func restored(eraseAfter limit: UInt32) -> Attempts {
    var attempts = lost(eraseAfter: limit)
    attempts.restoration = .noticed
    return attempts
  }

  /// Wrong passcodes that count for the destruction of everything.
  var erasingPasscodes: UInt32 { wrongPasscodes - min(wrongPasscodes, harmlessPasscodes) }

  /// Whether only the passcode helps, by rules that may be stricter than usual.
  func isLockedOut(by rules: EnclaveRules) -> Bool { misses >= rules.missesInARow }

  /// How long no passcode is tried after the last wrong one, in seconds.
  var passcodeDelay: UInt64 {
    switch wrongPasscodes {
    case 0...4: 0
    case 5: 60
    case 6: 5 * 60
    case 7...8: 15 * 60
    default: 60 * 60
    }
  }

  /// Nanoseconds for which no passcode is tried; nil where a delay is due and nobody knows how much
  /// of it has passed.
  func remainingDelay(at now: BootMoment) -> UInt64? {
    let delay = restoration == .noticed ? 0 : passcodeDelay * 1_000_000_000
    guard delay > 0 else { return 0 }
    guard let elapsed = delayBegan?.elapsed(until: now) else { return nil }
    return delay - min(delay, elapsed)
  }

  /// The delay begins anew.
  mutating func beginDelay(at now: BootMoment) { delayBegan = now }

  /// A print is about to be compared: it counts as a miss until it has matched.
  mutating func countTouch() { misses = min(misses, .max - 1) + 1 }

  /// The print matched.
  mutating func touchMatched() { misses = 0 }

  /// Whether a passcode with this code has been tried since the last right one; it does not count
  /// again.
  func hasTried(_ code: [UInt8]) -> Bool { tried.contains(code) }

  /// A passcode is about to be verified: it counts as wrong until it was right.
  /// - Parameters:
  ///   - code: of the passcode; nil where the TPM counts tries, because with the TPM a code would
  ///     tell whoever has the file which passcode it was.
  ///   - now: when.
  ///   - mayErase: whether it counts for the destruction of everything.
  mutating func countPasscode(_ code: [UInt8]?, at now: BootMoment, mayErase: Bool) {
    wrongPasscodes = min(wrongPasscodes, .max - 1) + 1
    if !mayErase { harmlessPasscodes = min(harmlessPasscodes, .max - 1) + 1 }
    if restoration == .noticed { restoration = .guessed }
    if let code { tried.append(code) }
    if tried.count > Self.mostTried { tried.removeFirst() }
    beginDelay(at: now)
  }

  /// The passcode was right: everything is forgiven.
  mutating func passcodeAccepted() { self = Attempts() }
}

extension BootMoment {
  /// Nanoseconds from this moment to `now`. Nil where nobody can say: in another boot, and where the
  /// clock of the same boot went back, as that of a virtual machine does which is put back to a
  /// snapshot.
  func elapsed(until now: BootMoment) -> UInt64? {
    guard boot == now.boot, time <= now.time else { return nil }
    return now.time - time
  }

  /// Nil for a moment of a boot without a name: another process cannot tell whether it is the same.
  static func decode(from decoder: inout WireDecoder) throws(DecodeError) -> BootMoment? {
    let moment: BootMoment = try decoder.read()
    return moment.boot.isEmpty ? nil : moment
  }
}
