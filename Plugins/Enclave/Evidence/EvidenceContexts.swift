import Protocol

/// The evidence contexts, and the last unlock by touch that some of them may use.
///
/// Nobody outside of the enclave puts evidence into one; what lies there counts as long as the
/// contexts here say.
final class EvidenceContexts {
  private let state: StoredState
  private var contexts: [UInt64: EvidenceContext] = [:]
  /// How many each connection has.
  private var ofConnection: [UInt64: Int] = [:]
  /// How many there are beyond those that connections have in any case.
  private var shared = 0
  /// The match that last unlocked the device.
  private var lastUnlock: MatchEvidence?
  /// When the next application password is over, in nanoseconds since boot.
  private var nextExpiry = UInt64.max

  init(_ state: StoredState) { self.state = state }

  private var now: UInt64 { state.platform.bootTime }

  /// Makes an empty context.
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
    contexts[name.number] = EvidenceContext(
      owner, reuseSeconds: min(request.reuseSeconds, state.rules.reuseSeconds),
      outlivesRequest: request.outlivesRequest)
    ofConnection[owner.connection] = own + 1
    if own >= ContextLimits.certain { shared += 1 }
  }

  private func remove(_ number: UInt64) {
    guard let connection = contexts.removeValue(forKey: number)?.owner.connection else { return }
    let left = ofConnection[connection, default: 1] - 1
    ofConnection[connection] = left > 0 ? left : nil
    if left >= ContextLimits.certain { shared -= 1 }
  }

  /// Forgets a context, if it is the requester's.
  /// - Returns: whether there was one.
  func close(_ name: ContextName) -> Bool {
    guard context(name) != nil else { return false }
    remove(name.number)
    return true
  }

  /// Forgets all contexts of a connection.
  /// - Returns: their numbers.
  func closeAll(of requester: Requester) -> [UInt64] {
    let numbers = contexts.filter { $0.value.owner == requester }.map(\.key)
    for number in numbers { remove(number) }
    return numbers
  }

  /// - Throws: `invalidContext` where the requester has no such context, or it is over.
  func require(_ name: ContextName) throws(Failure) {
    // One answer for a context that is closed and for another's: which numbers are in use is
    // nobody's business.
    guard let context = context(name) else {
      throw Failure(
        .invalidContext, "this connection has no evidence context \(name.number)",
        hint: "it was invalidated, or the enclave has restarted: open a new one")
    }
    if let end = context.end { throw end }
  }

  /// Why a context of which a touch is awaited is over, or nil.
  func end(of number: UInt64) -> Failure? { contexts[number]?.end }

  /// The context of that name: both the number and who names it have to be right.
  private func context(_ name: ContextName) -> EvidenceContext? {
    contexts[name.number].flatMap { $0.owner == name.requester ? $0 : nil }
  }

  // MARK: What was proved

  /// The passcode was verified for a context.
  func prove(_ evidence: PasscodeEvidence, in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.prove(evidence)
  }

  /// A print matched for the context of a session, which was named when the session began.
  func prove(_ evidence: MatchEvidence, in number: UInt64) { contexts[number]?.prove(evidence) }

  /// An application password was given for a context.
  func give(_ password: HeldSecret, to use: AppPasswordUse, in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.prove(AppPasswordEvidence(time: now, password: password), for: use)
    nextExpiry = min(nextExpiry, contexts[name.number]?.earliestExpiry ?? .max)
  }

  /// The application password that a context holds to open with was a wrong one.
  func forgetAppPassword(in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.forgetAppPassword()
  }

  /// Wipes application passwords whose time is over.
  func wipeStalePasswords() {
    guard now > nextExpiry else { return }
    nextExpiry = .max
    for number in contexts.keys {
      contexts[number]?.wipeStale(at: now)
      nextExpiry = min(nextExpiry, contexts[number]?.earliestExpiry ?? .max)
    }
  }

  // MARK: Backups

  /// A backup is made or read in a context; in place of another one.
  func begin(_ session: BackupSession, in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.begin(session)
  }

  /// The backup of a context.
  func backup(in name: ContextName) -> BackupSession? { context(name)?.backup }

  /// The backup of a context is made; its key is forgotten.
  func endBackup(in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.begin(nil)
  }

  // MARK: What counts no more

  /// The passcode in a context was given for something that is done once.
  func spendPasscode(in name: ContextName) { contexts[name.number]?.spendPasscode() }

  /// What was proved in a context counts no more; the context stays.
  func forget(in name: ContextName) {
    guard context(name) != nil else { return }
    contexts[name.number]?.forgetEvidence()
  }

  /// A match unlocked the device.
  func noteUnlock(by match: MatchEvidence) { lastUnlock = match }

  /// Touches are not believed until the passcode is given: those that serve several requests count
  /// no more.
  func forgetReusedMatches() {
    lastUnlock = nil
    for (number, context) in contexts where context.outlivesRequest {
      contexts[number]?.forgetMatch()
    }
  }

  /// What was proved before counts no more, in no context.
  func endAll() {
    for number in contexts.keys { contexts[number]?.endEvidence(because: .contextEnded) }
    lastUnlock = nil
  }

  // MARK: What counts

  /// What a context holds at this moment.
  func evidence(of name: ContextName) throws(Failure) -> ContextEvidence {
    try require(name)
    let match = match(of: name)
    let finger = match.flatMap { match in
      state.keybag.fingers.first { $0.identifier == match.finger }?.name
    }
    return ContextEvidence(
      evidence: evidenceSet(of: name), finger: finger, matchAge: match.map { age($0.time) },
      passcodeAge: context(name)?.passcode(at: now).map { age($0.time) })
  }

  private func age(_ time: UInt64) -> UInt32 {
    UInt32(clamping: (now - min(time, now)) / 1_000_000_000)
  }

  /// What a context holds that opens secrets.
  func proved(in name: ContextName) -> ProvedEvidence {
    ProvedEvidence(
      set: evidenceSet(of: name), appPassword: context(name)?.appPassword(for: .opening, at: now))
  }

  /// The application password to seal something with: the one that is meant for it, else the one
  /// that opens; nil where the protection wants none.
  /// - Throws: `invalidContext`, as ``require(_:)``.
  func appPassword(
    toSealUnder protection: ItemProtection, in name: ContextName
  ) throws(Failure) -> HeldSecret? {
    guard protection.accessControl?.needsAppPassword == true, name.number != noContext else {
      return nil
    }
    try require(name)
    let context = context(name)
    return context?.appPassword(for: .sealing, at: now)
      ?? context?.appPassword(for: .opening, at: now)
  }

  /// The kinds of evidence a context holds; none where there is no such context.
  func evidenceSet(of name: ContextName) -> EvidenceSet {
    var set: EvidenceSet = []
    if let match = match(of: name) { set.insert(match.isStrict ? .biometry : .relaxedBiometry) }
    if context(name)?.passcode(at: now) != nil { set.insert(.passcode) }
    if context(name)?.appPassword(for: .opening, at: now) != nil { set.insert(.appPassword) }
    return set
  }

  /// The match that was made for a context, and for it alone.
  func ownMatch(of name: ContextName) -> MatchEvidence? { context(name)?.match(at: now) }

  /// What a context holds that may change the fingers. A passcode that was given for something else
  /// may not.
  /// - Throws: `errSecParam` for a context that outlives requests.
  func evidenceForFingers(of name: ContextName) throws(Failure) -> EvidenceSet {
    if context(name)?.outlivesRequest == true {
      throw Failure(
        .errSecParam, "changing fingers needs a passcode that is given for that alone",
        hint: "name no evidence context in this request")
    }
    return evidenceSet(of: name)
  }

  /// What a context has to prove where nothing but the passcode will do; nil where it was given.
  /// - Throws: `passcodeNotSet`.
  func missingPasscode(_ name: ContextName) throws(Failure) -> EvidenceNeeded? {
    let held = evidenceSet(of: name)
    guard state.isPasscodeSet, let control = try? AccessControl(.passcode) else {
      throw .passcodeNotSet
    }
    return held.contains(.passcode) ? nil : EvidenceNeeded(accessControl: control, held: held)
  }

  /// The passcode's evidence in the context of one request.
  /// - Throws: `authenticationFailed` where there is none, and as ``evidenceForFingers(of:)``.
  func requirePasscode(_ name: ContextName) throws(Failure) -> PasscodeEvidence {
    try require(name)
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    _ = try evidenceForFingers(of: name)
    guard let evidence = context(name)?.passcode(at: now) else {
      throw Failure(
        .authenticationFailed, "changing fingers needs the passcode", hint: "give the passcode")
    }
    return evidence
  }

  /// The match that counts for a context: one with the fingers that are enrolled at this moment.
  private func match(of name: ContextName) -> MatchEvidence? {
    guard let match = context(name)?.match(orUnlock: lastUnlock, at: now),
      match.domainState == state.domainState
    else { return nil }
    return match
  }
}
