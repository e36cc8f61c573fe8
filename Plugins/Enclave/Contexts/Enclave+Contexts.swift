import EngineKit
import Wire

extension Enclave {
  /// Most contexts at a time.
  static var mostContexts: Int { 1024 }

  /// Makes an empty context.
  func openContext(_ id: UInt64, reuseSeconds: UInt32) throws(Failure) {
    guard id != noContext, contexts[id] == nil else {
      throw Failure(.errSecParam, "the context \(id) exists already")
    }
    guard contexts.count < Self.mostContexts else {
      throw Failure(
        .busy, "\(Self.mostContexts) contexts are open", hint: "invalidate contexts no longer used")
    }
    contexts[id] = EvidenceContext(reuseSeconds: reuseSeconds)
  }

  /// Forgets a context and ends what works for it.
  func closeContext(_ id: UInt64) {
    contexts[id] = nil
    sessions = sessions.filter { $0.value.context != id }
  }

  /// The passcode or the fingers were changed, or the device was locked: what was proved before
  /// counts no more, and an enrolment that it permitted comes to nothing.
  /// - Parameter session: the enrolment that changed the fingers.
  func endEvidence(except session: UInt64? = nil) {
    for id in contexts.keys { contexts[id]?.forgetEvidence() }
    lastUnlock = nil
    for (number, other) in sessions where number != session {
      guard case .enrolment = other.purpose else { continue }
      sessions[number]?.purpose = .over(Self.enrolmentOver)
    }
  }

  private static var enrolmentOver: Failure {
    Failure(
      .authenticationFailed,
      "the device was locked, or its passcode or fingers were changed, while the finger was enrolled",
      hint: "enrol it again: authcore finger enroll")
  }

  /// What a context holds at this moment.
  func evidence(of id: UInt64) throws(Failure) -> ContextEvidence {
    try requireContext(id)
    let match = match(of: id)
    let finger = match.flatMap { match in
      keybag.fingers.first { $0.identifier == match.finger }?.name
    }
    return ContextEvidence(evidence: evidenceSet(of: id), finger: finger)
  }

  /// The kinds of evidence a context holds; none where there is no such context.
  func evidenceSet(of id: UInt64) -> EvidenceSet {
    var set: EvidenceSet = []
    if let match = match(of: id) { set.insert(match.isStrict ? .biometry : .relaxedBiometry) }
    if contexts[id]?.passcode(at: platform.bootTime) != nil { set.insert(.passcode) }
    return set
  }

  /// The match that counts for a context: one with the fingers that are enrolled at this moment.
  private func match(of id: UInt64) -> MatchEvidence? {
    guard
      let match = contexts[id]?.match(orUnlock: lastUnlock, at: platform.bootTime),
      match.domainState == domainState
    else { return nil }
    return match
  }

  func requireContext(_ id: UInt64) throws(Failure) {
    guard contexts[id] != nil else {
      throw Failure(
        .invalidContext, "the enclave knows no context \(id)",
        hint: "it was invalidated, or the enclave has restarted: make a new one")
    }
  }

  @discardableResult
  func requirePasscodeEvidence(_ id: UInt64) throws(Failure) -> PasscodeEvidence {
    try requireContext(id)
    guard keybag.passcode != nil else { throw Self.passcodeNotSet }
    guard let evidence = contexts[id]?.passcode(at: platform.bootTime) else {
      throw Failure(
        .authenticationFailed, "changing fingers needs the passcode", hint: "give the passcode")
    }
    return evidence
  }
}
