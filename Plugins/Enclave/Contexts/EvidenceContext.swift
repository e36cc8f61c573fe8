/// What has been proved for one client's call or `LAContext`. Lives in the enclave's memory alone;
/// the core can name it, not fill it.
struct EvidenceContext: Sendable {
  /// For how long a proof counts, in nanoseconds: five minutes, as long as Apple lets a touch be
  /// reused at most (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
  static let longestAge: UInt64 = 300 * 1_000_000_000

  /// An unlock by touch at most this many seconds ago counts as a match here (`--reuse`).
  let reuseSeconds: UInt32
  private var passcode: PasscodeEvidence?
  private var match: MatchEvidence?

  init(reuseSeconds: UInt32) { self.reuseSeconds = reuseSeconds }

  /// The passcode was verified for this context.
  mutating func prove(_ evidence: PasscodeEvidence) { passcode = evidence }

  /// A print matched for this context.
  mutating func prove(_ evidence: MatchEvidence) { match = evidence }

  /// The passcode's evidence that counts at `now`.
  func passcode(at now: UInt64) -> PasscodeEvidence? {
    passcode.flatMap { Self.isFresh($0.time, at: now) ? $0 : nil }
  }

  /// The match of this context that counts at `now`.
  func match(at now: UInt64) -> MatchEvidence? {
    match.flatMap { Self.isFresh($0.time, at: now) ? $0 : nil }
  }

  /// The match that counts here at `now`: its own, or that of the last unlock as long as it may be
  /// used again.
  func match(orUnlock unlock: MatchEvidence?, at now: UInt64) -> MatchEvidence? {
    if let match = match(at: now) { return match }
    guard let unlock, reuseSeconds > 0, now >= unlock.time,
      now - unlock.time <= UInt64(reuseSeconds) * 1_000_000_000
    else { return nil }
    return unlock
  }

  /// The passcode was given for something that is done once.
  mutating func spendPasscode() { passcode = nil }

  /// Forgets what was proved; the context stays.
  mutating func forgetEvidence() {
    passcode = nil
    match = nil
  }

  private static func isFresh(_ time: UInt64, at now: UInt64) -> Bool {
    now >= time && now - time <= longestAge
  }
}
