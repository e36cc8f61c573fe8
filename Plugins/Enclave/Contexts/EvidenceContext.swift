/// What has been proved for one client's call or `LAContext`. Lives in the enclave's memory alone;
/// the core can name it, not fill it.
struct EvidenceContext: Sendable {
  /// An unlock by touch at most this many seconds ago counts as a match here (`--reuse`).
  let reuseSeconds: UInt32
  /// The passcode, verified for this context.
  var passcode: PasscodeEvidence?
  /// The match for this context.
  var match: MatchEvidence?

  init(reuseSeconds: UInt32) { self.reuseSeconds = reuseSeconds }

  /// The match that counts here at `now`: its own, or that of the last unlock as long as it may be
  /// used again.
  func match(orUnlock unlock: MatchEvidence?, now: UInt64) -> MatchEvidence? {
    if let match { return match }
    guard let unlock, reuseSeconds > 0, now >= unlock.time,
      now - unlock.time <= UInt64(reuseSeconds) * 1_000_000_000
    else { return nil }
    return unlock
  }

  /// Forgets what was proved; the context stays.
  mutating func forgetEvidence() {
    passcode = nil
    match = nil
  }
}
