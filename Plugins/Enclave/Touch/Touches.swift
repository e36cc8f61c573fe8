import AuthcoreABI
import FingerprintMatching
import Protocol

/// The touches: frames that arrive are compared for a context, or taken for a finger that is
/// enrolled. What came of each goes out as an event.
final class Touches {
  let state: StoredState
  let keys: KeyRing
  let evidence: EvidenceContexts
  let trust: BiometricTrust
  let templates: FingerTemplates
  private var sessions: TouchSessions
  /// What may be told of the device; the enclave's, of which this is a part.
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

  /// Says what is behind a channel.
  func openChannel(_ channel: UInt32, from source: FrameSource) throws(Failure) {
    try sessions.openChannel(channel, from: source)
  }

  /// Forgets a channel and its sessions.
  func closeChannel(_ channel: UInt32) { sessions.closeChannel(channel) }

  /// From here frames of the session are compared for the context.
  func beginMatch(_ request: BeginMatch) throws(Failure) {
    try evidence.require(request.context)
    let source = try sessions.requireFree(request.session, on: request.channel)
    guard state.keybag.fingers.contains(where: { $0.matches(source.origin) }) else {
      throw .notEnrolled
    }
    if let lockout = trust.lockout { throw lockout }
    guard keys.isFirstUnlocked else {
      throw Failure(
        .biometryLockout, "fingers are not compared before the first unlock",
        hint: "unlock the device with the passcode: authcore unlock")
    }
    try templates.open(source.origin)
    sessions.begin(
      request.session,
      TouchSession(
        channel: request.channel, source: source, context: request.context.number,
        purpose: .match(
          isStrict: request.requiresStrictMatch || !state.rules.allowsRelaxedRate,
          tellsScore: request.tellsScore)))
  }

  /// From here frames of the session are touches of a new finger. The passcode was given for this
  /// enrollment and no other.
  func beginEnrollment(_ request: BeginEnrollment) throws(Failure) {
    guard state.rules.allowsRelaxedRate || !request.isRelaxed else {
      throw Failure(
        .unsupported, "the policy of this machine allows no finger at a relaxed rate",
        hint: "enroll it without --relaxed, or ask whoever runs the machine")
    }
    _ = try evidence.requirePasscode(request.context)
    let source = try sessions.requireFree(request.session, on: request.channel)
    try state.keybag.refuseFinger(named: request.name)
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

  /// The next frame of a session is one that was asked for.
  func awaitTouch(_ session: UInt64) throws(Failure) { try sessions.awaitTouch(session) }

  /// The session of a number.
  func session(_ number: UInt64) -> TouchSession? { sessions.session(number) }

  /// An enrollment has come further.
  func update(_ number: UInt64, _ progress: EnrollmentProgress) {
    sessions.update(number, progress)
  }

  /// Ends a session; none is fine.
  func endSession(_ number: UInt64) { sessions.end(number) }

  /// Ends what works for a context.
  func endSessions(for context: UInt64) { sessions.endSessions(for: context) }

  /// Enrollments come to nothing, because what permitted them ended.
  func endEnrollments() {
    sessions.endEnrollments(
      Failure(
        .authenticationFailed,
        """
        the device was locked, or its passcode or fingers were changed, while the finger was enrolled
        """, hint: "enroll it again: authcore finger enroll"))
  }

  /// Forgets everything of fingers that are no more.
  func forgetFingers() {
    templates.forgetAll()
    templates.removeFilesWithoutFinger()
    sessions.endAll()
  }

  /// Drops the templates while nothing is compared with them; they are opened again for the next
  /// session.
  func dropWhatIsNotUsed() {
    guard sessions.numbers.isEmpty else { return }
    templates.forgetAll()
  }

  /// The device is erased: what waits for a touch is told why none comes of it.
  /// - Returns: the channels, which stay open.
  func endAll(with failure: Failure) -> TouchSessions {
    for number in sessions.numbers { end(number, with: failure) }
    return sessions
  }

  // MARK: What arrives

  /// A frame arrived: it is compared, or taken for an enrollment.
  func frameArrived(_ frame: consuming SensorFrame) {
    let (number, area) = (frame.session, frame.area)
    guard let session = sessions.takeAwaited(number, on: frame.channel) else { return }
    if let reason = refusal(of: session) { return end(number, with: reason) }
    do throws(Failure) {
      let code = session.source.mayRepeat ? nil : try state.code(ofFrame: frame.pixels.span)
      if let code, state.hasSeen(code) { return repeated(number) }
      let probe = features(takenFrom: frame)
      // Without ridges it is no touch anyway, and a blank frame may come as often as it likes.
      if let code, probe?.hasRidges == true { try note(code, for: session.purpose) }
      switch session.purpose {
      case .match(let isStrict, _):
        let touch = ComparedTouch(
          probe: probe, area: area, isStrict: isStrict, origin: session.source.origin)
        compare(touch, number, session)
      case .enrollment(let progress):
        take(probe, area, number, progress, from: session.source.origin)
      case .over: break
      }
    } catch {
      end(number, with: error)
    }
  }

  /// Notes a frame that is about to be looked at. A comparison stores it with the count of misses.
  private func note(_ code: UInt64, for purpose: TouchSession.Purpose) throws(Failure) {
    state.noteFrame(code)
    if case .enrollment = purpose { try state.replaceAttempts(state.attempts) }
  }

  /// Why no frame of a session is looked at; nil where it is.
  private func refusal(of session: TouchSession) -> Failure? {
    switch session.purpose {
    case .match: evidence.end(of: session.context) ?? trust.lockout
    case .enrollment: nil
    case .over(let failure): failure
    }
  }

  /// The driver delivered a frame that came before, so nobody touched the sensor for it. The owner is
  /// asked for a touch once more; how often, the core counts.
  private func repeated(_ number: UInt64) {
    state.platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the driver delivered a frame for the second time; it does not count as a touch")
    emit(number, .retry(reason: Int32(AC_RETRY_LIFT)))
  }

  /// The sensor asks for another touch.
  func retryArrived(_ retry: SensorRetry) {
    guard sessions.takeAwaited(retry.session, on: retry.channel) != nil else { return }
    emit(retry.session, .retry(reason: retry.reason))
  }

  /// A capture is over; with session 0 the channel is dead, and so are all captures on it.
  func endArrived(_ end: SensorEnd) {
    // A driver's words are shown to people.
    let outcome = TouchEvent.Outcome.ended(status: end.status, message: end.message.withoutSteering)
    guard end.session == 0 else {
      if sessions.takeAwaited(end.session, on: end.channel) != nil { emit(end.session, outcome) }
      return
    }
    for number in sessions.takeAll(on: end.channel) { emit(number, outcome) }
  }

  // MARK: What came of it

  /// Ends a session and says why.
  func end(_ number: UInt64, with failure: Failure) {
    sessions.end(number)
    emit(number, .failed(failure))
  }

  /// Says what came of a touch, and where one was compared how the device is behind it.
  func emit(_ number: UInt64, _ outcome: TouchEvent.Outcome, tellsStatus: Bool = false) {
    let status = tellsStatus ? status?() : nil
    state.platform.emit(TouchEvent(session: number, outcome: outcome, status: status).encoded())
  }
}
