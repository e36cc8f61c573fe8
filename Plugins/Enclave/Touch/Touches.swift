import AuthcoreABI
import FingerprintMatching
import Protocol

/// Frames that arrive are compared for a context, or taken for an enrollment. The result of each
/// goes out as an event.
final class Touches {
  let state: StoredState
  let keys: KeyRing
  let evidence: EvidenceContexts
  let trust: BiometricTrust
  let templates: FingerTemplates
  private var sessions: TouchSessions
  /// The status of the enclave that this is a part of.
  var status: (() -> EnclaveStatus)?

  init(
    _ state: StoredState, _ keys: KeyRing, _ evidence: EvidenceContexts, _ trust: BiometricTrust,
    _ sessions: TouchSessions
  ) {
    self.state = state
    self.keys = keys
    self.evidence = evidence
    self.trust = trust
    self.sessions = sessions
    templates = FingerTemplates(state, keys)
    templates.removeFilesWithoutFinger()
  }

  // MARK: Channels and sessions

  func openChannel(_ request: OpenChannel) throws(Failure) {
    try sessions.openChannel(request)
    if let chip = request.chip { trust.noteInstance(of: chip) }
  }

  func closeChannel(_ channel: UInt32) { sessions.closeChannel(channel) }

  func beginMatch(_ request: BeginMatch) throws(Failure) {
    try evidence.require(request.context)
    let channel = try sessions.requireFree(request.session, on: request.channel)
    let source = channel.source
    if let chip = channel.chip { return try beginMatch(request, on: chip, from: source) }
    guard state.keybag.fingers.contains(where: { $0.matches(source.origin) }) else {
      throw .notEnrolled
    }
    try requireTrust()
    try templates.open(source.origin)
    sessions.begin(
      request.session,
      TouchSession(
        channel: request.channel, source: source, context: request.context.number,
        purpose: .match(
          isStrict: request.requiresStrictMatch || !state.rules.allowsRelaxedRate,
          tellsScore: request.tellsScore)))
    // A score that is told is that of one touch.
    if !request.tellsScore {
      sessions.beginPrompt(request.session, at: state.platform.bootTime)
    }
  }

  /// - Throws: `biometryLockout` while only the passcode counts.
  func requireTrust() throws(Failure) {
    if let lockout = trust.lockout { throw lockout }
    guard keys.isFirstUnlocked else {
      throw Failure(
        .biometryLockout, "fingers are not compared before the first unlock",
        hint: "unlock the device with the passcode: authcore unlock")
    }
  }

  func begin(_ number: UInt64, _ session: TouchSession) { sessions.begin(number, session) }

  func requireFree(
    _ session: UInt64, on channel: UInt32
  ) throws(Failure) -> TouchSessions.Channel {
    try sessions.requireFree(session, on: channel)
  }

  func takeAwaited(_ number: UInt64, on channel: UInt32) -> TouchSession? {
    sessions.takeAwaited(number, on: channel)
  }

  /// The score of a touch with each finger, which the earlier touches of its prompt may raise.
  func scores(of touch: [UInt32: TouchEvidence], in session: UInt64) -> [UInt32: Double] {
    sessions.scores(adding: touch, to: session, at: state.platform.bootTime)
  }

  /// Forgets what the touches of all prompts have shown; later ones stand alone.
  func forgetPrompts() { sessions.forgetPrompts() }

  /// Spends the passcode, which permits this enrollment only.
  func beginEnrollment(_ request: BeginEnrollment) throws(Failure) {
    guard state.rules.allowsRelaxedRate || !request.isRelaxed else {
      throw Failure(
        .unsupported, "the policy of this machine allows no finger at a relaxed rate",
        hint: "enroll it without --relaxed, or ask whoever runs the machine")
    }
    _ = try evidence.requirePasscode(request.context)
    let channel = try sessions.requireFree(request.session, on: request.channel)
    let source = channel.source
    try state.keybag.refuseFinger(named: request.name)
    if let chip = channel.chip { return try beginEnrollment(request, on: chip, from: source) }
    try templates.open(source.origin)
    evidence.spendPasscode(in: request.context)
    sessions.begin(
      request.session,
      TouchSession(
        channel: request.channel, source: source, context: request.context.number,
        purpose: .enrollment(
          EnrollmentProgress(
            beganAt: state.platform.bootTime, name: request.name, isRelaxed: request.isRelaxed))))
  }

  /// Asks for the next frame of a session.
  func awaitTouch(_ session: UInt64) throws(Failure) {
    try sessions.awaitTouch(session)
    guard let awaited = sessions.session(session), awaited.chip != nil else { return }
    try order(session, awaited)
  }

  func session(_ number: UInt64) -> TouchSession? { sessions.session(number) }

  func update(_ number: UInt64, _ purpose: TouchSession.Purpose) {
    sessions.update(number, purpose)
  }

  /// Ends a session, if there is one.
  func endSession(_ number: UInt64) { sessions.end(number) }

  /// Ends the sessions of a context.
  func endSessions(for context: UInt64) { sessions.endSessions(for: context) }

  /// Ends enrollments, because the proof that permitted them has ended.
  func endEnrollments() {
    sessions.endEnrollments(
      Failure(
        .authenticationFailed,
        """
        the device was locked, or its passcode or fingers were changed, while the finger was enrolled
        """, hint: "enroll it again: authcore finger enroll"))
  }

  /// Forgets everything about removed fingers.
  func forgetFingers() {
    templates.forgetAll()
    templates.removeFilesWithoutFinger()
    sessions.endAll()
  }

  /// Drops the templates between sessions; the next session opens them again.
  func dropWhatIsNotUsed() {
    guard sessions.numbers.isEmpty else { return }
    templates.forgetAll()
  }

  /// Ends all sessions of an erased device.
  /// - Returns: the channels, which stay open.
  func endAll(with failure: Failure) -> TouchSessions {
    for number in sessions.numbers { end(number, with: failure) }
    return sessions
  }

  // MARK: What arrives

  func frameArrived(_ frame: consuming SensorFrame) {
    let (number, area) = (frame.session, frame.area)
    guard let session = sessions.takeAwaited(number, on: frame.channel) else { return }
    guard session.chip == nil else { return end(number, with: .wrongAnswer) }
    if let reason = refusal(of: session) { return end(number, with: reason) }
    do throws(Failure) {
      let code = session.source.mayRepeat ? nil : try state.code(ofFrame: frame.pixels.span)
      if let code, state.hasSeen(code) { return repeated(number) }
      let probe = features(takenFrom: frame)
      // A frame without ridges is no touch, and may repeat.
      if let code, probe?.hasRidges == true { try note(code, for: session.purpose) }
      switch session.purpose {
      case .match(let isStrict, _):
        let touch = ComparedTouch(
          probe: probe, area: area, isStrict: isStrict, origin: session.source.origin)
        compare(touch, number, session)
      case .enrollment(let progress):
        take(probe, area, number, progress, from: session.source.origin)
      case .over, .chipEnrollment, .chipWork: break
      }
    } catch {
      end(number, with: error)
    }
  }

  /// Notes a frame before it is used. A comparison stores it with the count of misses.
  private func note(_ code: UInt64, for purpose: TouchSession.Purpose) throws(Failure) {
    state.noteFrame(code)
    if case .enrollment = purpose { try state.replaceAttempts(state.attempts) }
  }

  /// Why no frame of a session is used, or nil.
  func refusal(of session: TouchSession) -> Failure? {
    switch session.purpose {
    case .match: evidence.end(of: session.context) ?? trust.lockout
    case .enrollment, .chipEnrollment, .chipWork: nil
    case .over(let failure): failure
    }
  }

  /// The driver delivered an old frame, so there was no touch. Asks the owner for another touch;
  /// the core counts these.
  private func repeated(_ number: UInt64) {
    state.platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the driver delivered a frame for the second time; it does not count as a touch")
    emit(number, .retry(reason: Int32(AC_RETRY_LIFT)))
  }

  func retryArrived(_ retry: SensorRetry) {
    guard sessions.takeAwaited(retry.session, on: retry.channel) != nil else { return }
    emit(retry.session, .retry(reason: retry.reason))
  }

  /// A capture has ended; with session 0, all captures of a dead channel.
  func endArrived(_ end: SensorEnd) {
    // A driver's words are shown to people.
    let outcome = TouchEvent.Outcome.ended(status: end.status, message: end.message.withoutSteering)
    guard end.session == 0 else {
      guard let session = sessions.takeAwaited(end.session, on: end.channel) else { return }
      if let failure = chipFailure(end, session) { return self.end(end.session, with: failure) }
      emit(end.session, outcome)
      return
    }
    for number in sessions.takeAll(on: end.channel) { emit(number, outcome) }
  }

  // MARK: What came of it

  func end(_ number: UInt64, with failure: Failure) {
    sessions.end(number)
    emit(number, .failed(failure))
  }

  /// Sends the result of a touch, with the device's status after a comparison.
  func emit(_ number: UInt64, _ outcome: TouchEvent.Outcome, tellsStatus: Bool = false) {
    let status = tellsStatus ? status?() : nil
    state.platform.emit(TouchEvent(session: number, outcome: outcome, status: status).encoded())
  }
}
