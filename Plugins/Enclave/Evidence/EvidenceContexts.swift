import Protocol

/// The evidence contexts. Beside them is the last unlock by touch, which is in none: it answers
/// policies and opens nothing.
final class EvidenceContexts {
  private let state: StoredState
  private var contexts: [UInt64: EvidenceContext] = [:]
  /// Contexts of each connection.
  private var ofConnection: [UInt64: Int] = [:]
  /// Contexts beyond those that each connection is sure of.
  private var shared = 0
  private var lastUnlock: MatchEvidence?
  /// When the next application password expires, in nanoseconds since boot.
  private var nextExpiry = UInt64.max

  init(_ state: StoredState) { self.state = state }

  private var now: UInt64 { state.platform.bootTime }

  func open(_ request: OpenContext) throws(Failure) {
    let (name, owner) = (request.context, request.context.requester)
    guard name.number != noContext, contexts[name.number] == nil else {
      throw Failure(.errSecParam, "the context \(name.number) exists already")
    }
    let own = ofConnection[owner.connection, default: 0]
    guard own < ContextLimits.ofConnection else {
      throw Failure(
        .busy, "this connection has \(own) evidence contexts open",
        hint: "invalidate those no longer used, or use one for several items")
    }
    guard own < ContextLimits.certain || shared < ContextLimits.shared else {
      throw Failure(
        .busy, "\(contexts.count) evidence contexts are open",
        hint: "end programs that keep theirs open; a context ends with its connection")
    }
    contexts[name.number] = EvidenceContext(request)
    ofConnection[owner.connection] = own + 1
    if own >= ContextLimits.certain { shared += 1 }
  }

  private func remove(_ number: UInt64) {
    guard let connection = contexts.removeValue(forKey: number)?.owner.connection else { return }
    let left = ofConnection[connection, default: 1] - 1
    ofConnection[connection] = left > 0 ? left : nil
    if left >= ContextLimits.certain { shared -= 1 }
  }

  /// - Returns: whether there was one.
  func close(_ name: ContextName) -> Bool {
    guard self[name] != nil else { return false }
    remove(name.number)
    return true
  }

  /// - Returns: the numbers of the contexts.
  func closeAll(of requester: Requester) -> [UInt64] {
    let numbers = contexts.filter { $0.value.owner == requester }.map(\.key)
    for number in numbers { remove(number) }
    return numbers
  }

  /// - Throws: `invalidContext` if the requester has no such context, or it has ended.
  func require(_ name: ContextName) throws(Failure) {
    // The answer is the same for a closed context and another client's: no client learns which
    // numbers are in use.
    guard let context = self[name] else {
      throw Failure(
        .invalidContext, "this connection has no evidence context \(name.number)",
        hint: "it was invalidated, or the enclave has restarted: open a new one")
    }
    if let end = context.end { throw end }
  }

  /// Why a context has ended, or nil.
  func end(of number: UInt64) -> Failure? { contexts[number]?.end }

  /// The context with this number, if the requester opened it.
  private subscript(name: ContextName) -> EvidenceContext? {
    get { contexts[name.number].flatMap { $0.owner == name.requester ? $0 : nil } }
    set {
      // A call by optional chaining writes nil back if the getter gave nil.
      guard let newValue, self[name] != nil else { return }
      contexts[name.number] = newValue
    }
  }

  // MARK: What was proved

  func prove(_ evidence: PasscodeEvidence, in name: ContextName) { self[name]?.prove(evidence) }

  /// The session named its context when it began.
  func prove(_ evidence: MatchEvidence, in number: UInt64) { contexts[number]?.prove(evidence) }

  func give(_ password: HeldSecret, to use: AppPasswordUse, in name: ContextName) {
    self[name]?.prove(AppPasswordEvidence(time: now, password: password), for: use)
    nextExpiry = min(nextExpiry, self[name]?.earliestExpiry ?? .max)
  }

  func forgetAppPassword(in name: ContextName) { self[name]?.forgetAppPassword() }

  /// Wipes expired application passwords.
  func wipeStalePasswords() {
    guard now > nextExpiry else { return }
    nextExpiry = .max
    for number in contexts.keys {
      contexts[number]?.wipeStale(at: now)
      nextExpiry = min(nextExpiry, contexts[number]?.earliestExpiry ?? .max)
    }
  }

  // MARK: Backups

  func begin(_ session: BackupSession, in name: ContextName) { self[name]?.begin(session) }

  func backup(in name: ContextName) -> BackupSession? { self[name]?.backup }

  func endBackup(in name: ContextName) { self[name]?.begin(nil) }

  // MARK: What counts no more

  /// What was proved has served this.
  func noteUse(_ use: ProofUse, in name: ContextName) { self[name]?.noteUse(use) }

  func forgetProof(usedBefore use: ProofUse, in name: ContextName) {
    self[name]?.forgetProof(usedBefore: use)
  }

  func spendPasscode(in name: ContextName) { self[name]?.spendPasscode() }

  /// Forgets what was proved in a context, which stays.
  func forget(in name: ContextName) { self[name]?.forgetEvidence() }

  func noteUnlock(by match: MatchEvidence) { lastUnlock = match }

  /// Forgets matches that serve several requests: touches do not count until the passcode is given.
  func forgetReusedMatches() {
    lastUnlock = nil
    for (number, context) in contexts where context.outlivesRequest {
      contexts[number]?.forgetMatch()
    }
  }

  func endAll() {
    for number in contexts.keys { contexts[number]?.endEvidence(because: .contextEnded) }
    lastUnlock = nil
  }

  // MARK: What counts

  /// The evidence of a context. An unlock by touch at most `reuseSeconds` ago stands in for a match
  /// in this answer alone.
  func evidence(
    of name: ContextName, reuseSeconds: UInt32
  ) throws(Failure) -> ContextEvidence {
    try require(name)
    let match = match(of: name) ?? unlock(within: reuseSeconds)
    let finger = match.flatMap { match in
      state.keybag.fingers.first { $0.identifier == match.finger }?.name
    }
    return ContextEvidence(
      evidence: evidenceSet(of: name).union(match?.proof ?? []), finger: finger,
      matchAge: match.map { age($0.time) },
      passcodeAge: self[name]?.passcode(at: now).map { age($0.time) })
  }

  /// The last unlock by touch, for an answer that releases nothing.
  func unlock(within seconds: UInt32) -> MatchEvidence? {
    let seconds = min(seconds, state.rules.reuseSeconds)
    guard seconds > 0, let unlock = lastUnlock, unlock.domainState == state.domainState,
      now >= unlock.time, now - unlock.time <= UInt64(seconds) * 1_000_000_000
    else { return nil }
    return unlock
  }

  private func age(_ time: UInt64) -> UInt32 {
    UInt32(clamping: (now - min(time, now)) / 1_000_000_000)
  }

  /// The evidence in a context that opens secrets.
  func proved(in name: ContextName) -> ProvedEvidence {
    ProvedEvidence(
      set: evidenceSet(of: name), appPassword: self[name]?.appPassword(for: .opening, at: now))
  }

  /// The application password to seal with: the one given for sealing, else the one that opens; nil
  /// if the protection asks for none.
  /// - Throws: as ``require(_:)``.
  func appPassword(
    toSealUnder protection: ItemProtection, in name: ContextName
  ) throws(Failure) -> HeldSecret? {
    guard protection.accessControl?.needsAppPassword == true, name.number != noContext else {
      return nil
    }
    try require(name)
    let context = self[name]
    return context?.appPassword(for: .sealing, at: now)
      ?? context?.appPassword(for: .opening, at: now)
  }

  /// Empty if there is no such context.
  func evidenceSet(of name: ContextName) -> EvidenceSet {
    var set: EvidenceSet = []
    if let match = match(of: name) { set.insert(match.proof) }
    if self[name]?.passcode(at: now) != nil { set.insert(.passcode) }
    if self[name]?.appPassword(for: .opening, at: now) != nil { set.insert(.appPassword) }
    return set
  }

  /// The match made for this context alone.
  func ownMatch(of name: ContextName) -> MatchEvidence? { self[name]?.match(at: now) }

  /// Refuses a proof that may have been given for something else. What changes the device or what
  /// others may reach takes a proof of its own.
  /// - Throws: `errSecParam` if the context outlives requests.
  func requireProofForThisAlone(_ name: ContextName) throws(Failure) {
    guard self[name]?.outlivesRequest != true else {
      throw Failure(
        .errSecParam, "this needs a proof that is given for it alone",
        hint: "name no evidence context in this request")
    }
  }

  /// What a context has to prove if only the passcode will do; nil if it was given.
  /// - Throws: `passcodeNotSet`.
  func missingPasscode(_ name: ContextName) throws(Failure) -> EvidenceNeeded? {
    let held = evidenceSet(of: name)
    guard state.isPasscodeSet, let control = try? AccessControl(.passcode) else {
      throw .passcodeNotSet
    }
    return held.contains(.passcode) ? nil : EvidenceNeeded(accessControl: control, held: held)
  }

  /// - Throws: `authenticationFailed` without a passcode, and as ``requireProofForThisAlone(_:)``.
  func requirePasscode(_ name: ContextName) throws(Failure) -> PasscodeEvidence {
    try require(name)
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    try requireProofForThisAlone(name)
    guard let evidence = self[name]?.passcode(at: now) else {
      throw Failure(
        .authenticationFailed, "changing fingers needs the passcode", hint: "give the passcode")
    }
    return evidence
  }

  /// A match counts only while the same fingers are enrolled.
  private func match(of name: ContextName) -> MatchEvidence? {
    guard let match = self[name]?.match(at: now), match.domainState == state.domainState else {
      return nil
    }
    return match
  }
}
