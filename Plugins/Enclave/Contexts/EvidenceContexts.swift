import EngineKit
import Wire

/// The evidence contexts, and the last unlock by touch that some of them may use.
///
/// Nobody outside of the enclave puts evidence into one; what lies there counts as long as the
/// contexts here say.
final class EvidenceContexts {
  private let state: StoredState
  private var contexts: [UInt64: EvidenceContext] = [:]
  /// The match that last unlocked the device.
  private var lastUnlock: MatchEvidence?

  /// Most contexts at a time.
  static let most = 1024

  init(_ state: StoredState) { self.state = state }

  private var now: UInt64 { state.platform.bootTime }

  /// Makes an empty context.
  func open(_ id: UInt64, reuseSeconds: UInt32) throws(Failure) {
    guard id != noContext, contexts[id] == nil else {
      throw Failure(.errSecParam, "the context \(id) exists already")
    }
    guard contexts.count < Self.most else {
      throw Failure(
        .busy, "\(Self.most) contexts are open", hint: "invalidate contexts no longer used")
    }
    contexts[id] = EvidenceContext(reuseSeconds: reuseSeconds)
  }

  /// Forgets a context.
  func close(_ id: UInt64) { contexts[id] = nil }

  /// - Throws: `invalidContext` where there is no such context.
  func require(_ id: UInt64) throws(Failure) {
    guard contexts[id] != nil else {
      throw Failure(
        .invalidContext, "the enclave knows no context \(id)",
        hint: "it was invalidated, or the enclave has restarted: make a new one")
    }
  }

  // MARK: What was proved

  /// The passcode was verified, or a print matched, for a context.
  func prove(_ evidence: PasscodeEvidence, in id: UInt64) { contexts[id]?.prove(evidence) }
  func prove(_ evidence: MatchEvidence, in id: UInt64) { contexts[id]?.prove(evidence) }

  /// The passcode in a context was given for something that is done once.
  func spendPasscode(in id: UInt64) { contexts[id]?.spendPasscode() }

  /// A match unlocked the device.
  func noteUnlock(by match: MatchEvidence) { lastUnlock = match }

  /// The last unlock by touch counts no more.
  func forgetUnlock() { lastUnlock = nil }

  /// What was proved before counts no more, in no context.
  func forgetAll() {
    for id in contexts.keys { contexts[id]?.forgetEvidence() }
    lastUnlock = nil
  }

  // MARK: What counts

  /// What a context holds at this moment.
  func evidence(of id: UInt64) throws(Failure) -> ContextEvidence {
    try require(id)
    let match = match(of: id)
    let finger = match.flatMap { match in
      state.keybag.fingers.first { $0.identifier == match.finger }?.name
    }
    return ContextEvidence(evidence: evidenceSet(of: id), finger: finger)
  }

  /// The kinds of evidence a context holds; none where there is no such context.
  func evidenceSet(of id: UInt64) -> EvidenceSet {
    var set: EvidenceSet = []
    if let match = match(of: id) { set.insert(match.isStrict ? .biometry : .relaxedBiometry) }
    if contexts[id]?.passcode(at: now) != nil { set.insert(.passcode) }
    return set
  }

  /// What has been proved for opening an item; nothing where no context is named.
  func evidenceSet(of id: UInt64, for request: OpenItem) throws(Failure) -> EvidenceSet {
    if request.protection.accessControl != nil, id != noContext { try require(id) }
    return evidenceSet(of: id)
  }

  /// The match that was made for a context, and for it alone.
  func ownMatch(of id: UInt64) -> MatchEvidence? { contexts[id]?.match(at: now) }

  /// The passcode's evidence in a context.
  /// - Throws: `authenticationFailed` where there is none.
  func requirePasscode(_ id: UInt64) throws(Failure) -> PasscodeEvidence {
    try require(id)
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    guard let evidence = contexts[id]?.passcode(at: now) else {
      throw Failure(
        .authenticationFailed, "changing fingers needs the passcode", hint: "give the passcode")
    }
    return evidence
  }

  /// The match that counts for a context: one with the fingers that are enrolled at this moment.
  private func match(of id: UInt64) -> MatchEvidence? {
    guard let match = contexts[id]?.match(orUnlock: lastUnlock, at: now),
      match.domainState == state.domainState
    else { return nil }
    return match
  }
}
