import Protocol

struct PasscodeEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  /// The key that the passcode opened and that removing a finger needs; nil in a keybag without
  /// generations.
  let generationsKey: HeldKey?
}

struct MatchEvidence: Equatable, Sendable {
  /// The finger's identifier.
  let finger: UInt32
  let domainState: [UInt8]
  /// Nanoseconds since boot.
  let time: UInt64
  /// What it proves: items can refuse a weaker match.
  let proof: EvidenceSet
}

/// Whether an application password is right shows when something is opened with it.
struct AppPasswordEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  let password: HeldSecret
}

/// What a context has proved, and the secret that enters the keys with it.
struct ProvedEvidence: Sendable {
  let set: EvidenceSet
  /// Present if ``set`` says so.
  let appPassword: HeldSecret?
}

/// What a proof is used for.
enum ProofUse: Equatable, Sendable {
  case once
  /// A key that a proof may serve several times, by its sealed form.
  case reusableKey([UInt8])
}

/// What has been proved for one request, or for an `LAContext`. It lives only in the enclave's
/// memory; the core can name it, not fill it.
struct EvidenceContext: Sendable {
  /// How long a proof counts, in nanoseconds: five minutes, as long as Apple lets a touch be reused
  /// at most (`LATouchIDAuthenticationMaximumAllowableReuseDuration`), however long the context
  /// stays open.
  private static let longestAge = UInt64(longestReuse) * 1_000_000_000

  /// The client that opened it; no other can use it.
  let owner: Requester
  /// Whether its client closes it. The core closes the others at the end of a request.
  let outlivesRequest: Bool
  /// Whether its client acts for other programs: see ``OpenContext/isDoor``.
  let isDoor: Bool
  /// What a door's proof has served; nil if nothing yet.
  private var served: ProofUse?
  /// Why it has ended, if its client does not know yet.
  private(set) var end: Failure?
  private var passcode: PasscodeEvidence?
  private var match: MatchEvidence?
  private var appPasswords: [AppPasswordUse: AppPasswordEvidence] = [:]
  /// The backup that is made or read here. It is no evidence.
  private(set) var backup: BackupSession?

  init(_ request: OpenContext) {
    owner = request.context.requester
    outlivesRequest = request.outlivesRequest
    isDoor = request.isDoor
  }

  mutating func prove(_ evidence: PasscodeEvidence) {
    guard end == nil else { return }
    passcode = evidence
  }

  mutating func prove(_ evidence: MatchEvidence) {
    guard end == nil else { return }
    match = evidence
  }

  mutating func prove(_ evidence: AppPasswordEvidence, for use: AppPasswordUse) {
    guard end == nil else { return }
    appPasswords[use] = evidence
  }

  mutating func begin(_ session: BackupSession?) {
    guard end == nil else { return }
    backup = session
  }

  func appPassword(for use: AppPasswordUse, at now: UInt64) -> HeldSecret? {
    appPasswords[use].flatMap { Self.isFresh($0.time, at: now) ? $0.password : nil }
  }

  /// Wipes the application passwords that have expired at `now`.
  mutating func wipeStale(at now: UInt64) {
    appPasswords = appPasswords.filter { Self.isFresh($0.value.time, at: now) }
  }

  /// When the first application password expires, in nanoseconds since boot.
  var earliestExpiry: UInt64? {
    appPasswords.values.map { $0.time.addingReportingOverflow(Self.longestAge).partialValue }.min()
  }

  mutating func forgetAppPassword() { appPasswords[.opening] = nil }

  func passcode(at now: UInt64) -> PasscodeEvidence? {
    passcode.flatMap { Self.isFresh($0.time, at: now) ? $0 : nil }
  }

  func match(at now: UInt64) -> MatchEvidence? {
    match.flatMap { Self.isFresh($0.time, at: now) ? $0 : nil }
  }

  mutating func noteUse(_ use: ProofUse) { served = use }

  /// Forgets a door's proof that has served another request, unless both use one reusable key: the
  /// owner was told of the first alone.
  mutating func forgetProof(usedBefore use: ProofUse) {
    guard isDoor, outlivesRequest, let served, use == .once || served != use else { return }
    (passcode, match, self.served) = (nil, nil, nil)
  }

  /// Forgets a passcode given for something that is done once.
  mutating func spendPasscode() { passcode = nil }

  mutating func forgetMatch() { match = nil }

  mutating func forgetEvidence() {
    passcode = nil
    match = nil
    appPasswords = [:]
  }

  /// Forgets what was proved. A request under way goes on and proves it again; a context that
  /// outlives requests ends.
  mutating func endEvidence(because reason: Failure) {
    forgetEvidence()
    backup = nil
    if outlivesRequest { end = reason }
  }

  private static func isFresh(_ time: UInt64, at now: UInt64) -> Bool {
    now >= time && now - time <= longestAge
  }
}
