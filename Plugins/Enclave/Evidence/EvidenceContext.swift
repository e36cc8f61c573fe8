import Protocol

/// The passcode was right.
struct PasscodeEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  /// What giving the passcode opened and removing a finger needs; nil in a keybag that has no
  /// generations.
  let generationsKey: HeldKey?
}

/// A print matched: which finger, of which set, when.
struct MatchEvidence: Equatable, Sendable {
  /// The finger's identifier.
  let finger: UInt32
  /// The domain state at that moment.
  let domainState: [UInt8]
  /// Nanoseconds since boot.
  let time: UInt64
  /// Whether it reached the strict threshold; if not, it is of the weaker kind that items can
  /// refuse.
  let isStrict: Bool
}

/// An application password was given; whose it is shows when something is opened with it.
struct AppPasswordEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  let password: HeldSecret
}

/// What a context has proved, and what enters the keys with it.
struct ProvedEvidence: Sendable {
  let set: EvidenceSet
  /// There where ``set`` says so.
  let appPassword: HeldSecret?
}

/// What has been proved for one request, or for an `LAContext`. Lives in the enclave's memory
/// alone; the core can name it, not fill it.
struct EvidenceContext: Sendable {
  /// For how long a proof counts, in nanoseconds: five minutes, as long as Apple lets a touch be
  /// reused at most (`LATouchIDAuthenticationMaximumAllowableReuseDuration`). Who keeps a context
  /// open cannot make it longer.
  static let longestAge = UInt64(longestReuse) * 1_000_000_000

  /// Who opened it, and alone can use it.
  let owner: Requester
  /// Whether its client closes it, not the core at the end of a request.
  let outlivesRequest: Bool
  /// An unlock by touch at most this many seconds ago counts as a match here (`--reuse`).
  let reuseSeconds: UInt32
  /// Why it is over, where its client does not know that yet.
  private(set) var end: Failure?
  private var passcode: PasscodeEvidence?
  private var match: MatchEvidence?
  private var appPasswords: [AppPasswordUse: AppPasswordEvidence] = [:]
  /// The backup that is made or read here. No evidence: whatever leaves asks for that.
  private(set) var backup: BackupSession?

  init(_ owner: Requester, reuseSeconds: UInt32, outlivesRequest: Bool) {
    self.owner = owner
    self.reuseSeconds = reuseSeconds
    self.outlivesRequest = outlivesRequest
  }

  /// The passcode was verified for this context.
  mutating func prove(_ evidence: PasscodeEvidence) {
    guard end == nil else { return }
    passcode = evidence
  }

  /// A print matched for this context.
  mutating func prove(_ evidence: MatchEvidence) {
    guard end == nil else { return }
    match = evidence
  }

  /// An application password was given for this context.
  mutating func prove(_ evidence: AppPasswordEvidence, for use: AppPasswordUse) {
    guard end == nil else { return }
    appPasswords[use] = evidence
  }

  /// A backup is made or read here; in place of another one.
  mutating func begin(_ session: BackupSession?) {
    guard end == nil else { return }
    backup = session
  }

  /// The application password for one use that counts at `now`.
  func appPassword(for use: AppPasswordUse, at now: UInt64) -> HeldSecret? {
    appPasswords[use].flatMap { Self.isFresh($0.time, at: now) ? $0.password : nil }
  }

  /// Wipes the application passwords that count no more at `now`.
  mutating func wipeStale(at now: UInt64) {
    appPasswords = appPasswords.filter { Self.isFresh($0.value.time, at: now) }
  }

  /// When the first of the application passwords is over, in nanoseconds since boot.
  var earliestExpiry: UInt64? {
    appPasswords.values.map { $0.time.addingReportingOverflow(Self.longestAge).partialValue }.min()
  }

  /// The application password turned out not to be the right one.
  mutating func forgetAppPassword() { appPasswords[.opening] = nil }

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
    guard end == nil else { return nil }
    if let match = match(at: now) { return match }
    guard let unlock, reuseSeconds > 0, now >= unlock.time,
      now - unlock.time <= UInt64(reuseSeconds) * 1_000_000_000
    else { return nil }
    return unlock
  }

  /// The passcode was given for something that is done once.
  mutating func spendPasscode() { passcode = nil }

  /// No match counts any more: too many touches were somebody else's.
  mutating func forgetMatch() { match = nil }

  /// What was proved so far counts no more.
  mutating func forgetEvidence() {
    passcode = nil
    match = nil
    appPasswords = [:]
  }

  /// What was proved before counts no more. A request that is under way goes on, and proves it
  /// anew; a context that outlives requests is over.
  mutating func endEvidence(because reason: Failure) {
    forgetEvidence()
    backup = nil
    if outlivesRequest { end = reason }
  }

  private static func isFresh(_ time: UInt64, at now: UInt64) -> Bool {
    now >= time && now - time <= longestAge
  }
}
