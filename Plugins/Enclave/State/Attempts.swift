/// What was tried and failed, and what follows from it (E5; APPLE.md 1.4). A value; whoever changes
/// it saves it before acting on it.
struct Attempts: Equatable, Sendable {
  /// Compared prints in a row that were not the owner's.
  private(set) var misses: UInt32 = 0
  /// Different wrong passcodes in a row.
  private(set) var wrongPasscodes: UInt32 = 0
  /// Which passcodes these were, newest last: codes under a key that only the same passcode gives.
  private(set) var tried: [[UInt8]] = []

  /// Misses in a row that lock biometrics out.
  static let mostMisses: UInt32 = 5
  /// How many wrong passcodes are remembered.
  static let mostTried = 16

  /// Nothing has failed.
  init() {}

  /// As they were recorded.
  init(misses: UInt32, wrongPasscodes: UInt32, tried: [[UInt8]]) {
    self.misses = misses
    self.wrongPasscodes = wrongPasscodes
    self.tried = tried
  }

  /// What is assumed when the record of a set passcode is lost: the worst, so that losing it is
  /// never a way to try more.
  static var lost: Attempts {
    var attempts = Attempts()
    attempts.misses = mostMisses
    attempts.wrongPasscodes = 9
    return attempts
  }

  /// Whether only the passcode helps.
  var isLockedOut: Bool { misses >= Self.mostMisses }

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

  /// A print is about to be compared: it counts as a miss until it has matched.
  mutating func countTouch() { misses = min(misses, .max - 1) + 1 }

  /// The print matched.
  mutating func touchMatched() { misses = 0 }

  /// Whether a passcode with this code has been tried since the last right one; it does not count
  /// again.
  func hasTried(_ code: [UInt8]) -> Bool { tried.contains(code) }

  /// A passcode is about to be verified: it counts as wrong until it was right.
  mutating func countPasscode(_ code: [UInt8]) {
    wrongPasscodes = min(wrongPasscodes, .max - 1) + 1
    tried.append(code)
    if tried.count > Self.mostTried { tried.removeFirst() }
  }

  /// The passcode was right: everything is forgiven.
  mutating func passcodeAccepted() { self = Attempts() }
}
