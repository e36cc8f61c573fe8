import AuthcoreABI
import EngineKit
import FingerprintMatching
import Wire

extension Enclave {
  /// A frame arrived: it is compared, or taken for an enrolment. What came of it goes out as an event.
  func frameArrived(_ frame: consuming SensorFrame) {
    let number = frame.session
    guard let session = takeAwaited(number, on: frame.channel),
      let isSynthetic = channels[session.channel]
    else { return }
    let area = frame.area
    switch session.purpose {
    case .match(let isStrict, _):
      guard !isLockedOut else { return end(number, with: lockout) }
      let touch = ComparedTouch(
        probe: features(takenFrom: frame), area: area, isStrict: isStrict,
        isSynthetic: isSynthetic)
      compare(touch, number, session)
    case .enrolment(var progress):
      // A frame that is refused shows how large the sensor is all the same.
      progress.largestFrame = max(progress.largestFrame, area)
      progress.frames += 1
      guard progress.frames <= EnrolmentProgress.mostFrames else {
        return end(number, with: Self.tooManyTouches)
      }
      sessions[number]?.purpose = .enrolment(progress)
      take(features(takenFrom: frame), number, progress, isSynthetic: isSynthetic)
    case .over(let failure): end(number, with: failure)
    }
  }

  /// The sensor asks for another touch.
  func retryArrived(_ retry: SensorRetry) {
    guard takeAwaited(retry.session, on: retry.channel) != nil else { return }
    emit(retry.session, .retry(reason: retry.reason))
  }

  /// A capture is over; with session 0 the channel is dead, and so are all captures on it.
  func endArrived(_ end: SensorEnd) {
    // A driver's words are shown to people.
    let outcome = TouchEvent.Outcome.ended(status: end.status, message: end.message.withoutSteering)
    guard end.session == 0 else {
      if takeAwaited(end.session, on: end.channel) != nil { emit(end.session, outcome) }
      return
    }
    for number in sessions.keys.sorted() where sessions[number]?.channel == end.channel {
      sessions[number]?.isAwaited = false
      emit(number, outcome)
    }
  }

  /// The session that something arrived for, if a touch is awaited there: one request gives one
  /// frame, and what else a driver sends is not looked at.
  private func takeAwaited(_ number: UInt64, on channel: UInt32) -> TouchSession? {
    guard let session = sessions[number], session.channel == channel, session.isAwaited else {
      return nil
    }
    sessions[number]?.isAwaited = false
    return session
  }

  private static var tooManyTouches: Failure {
    Failure(
      .enrolmentIncomplete, "after \(EnrolmentProgress.mostFrames) touches there is no finger yet",
      hint: "enrol again, with another finger or another sensor")
  }

  private func compare(_ touch: ComparedTouch, _ number: UInt64, _ session: TouchSession) {
    guard let probe = touch.probe, probe.hasRidges else {
      return emit(number, .retry(reason: 1))
    }
    let candidates = keybag.fingers.filter {
      $0.isSynthetic == touch.isSynthetic && templates[$0.identifier] != nil
    }
    guard !candidates.isEmpty else { return end(number, with: Self.notEnrolled) }
    var counted = attempts
    counted.countTouch()
    do throws(Failure) {
      // Counted before it is compared: ending the process at any moment saves no try.
      try replaceAttempts(counted)
    } catch {
      return end(number, with: error)
    }
    guard let best = bestMatch(of: touch, among: candidates) else { return }
    let score = toldScore(best, session)
    guard best.isMatch else { return missed(number, best, score) }
    contexts[session.context]?.prove(
      MatchEvidence(
        finger: best.finger.identifier, domainState: domainState, time: platform.bootTime,
        isStrict: best.score >= PrintMatcher.threshold))
    sessions[number] = nil
    emit(
      number,
      .matched(finger: best.finger.name, score: score, threshold: best.threshold))
    counted.touchMatched()
    forgiveAttempts(counted)
    // What a synthetic driver shows is public, and teaches nothing about a finger.
    if !touch.isSynthetic { adapt(best.finger, to: probe) }
  }

  /// The comparison that comes nearest to its finger's threshold, or lies farthest above it.
  private func bestMatch(
    of touch: ComparedTouch, among fingers: [FingerRecord]
  ) -> FingerComparison? {
    guard let probe = touch.probe else { return nil }
    defer { matching.wipe() }
    let matcher = PrintMatcher()
    var best: FingerComparison?
    for finger in fingers {
      guard let template = templates[finger.identifier] else { continue }
      let comparison = FingerComparison(
        finger: finger,
        score: matcher.score(probe: probe, against: template.current, using: &matching),
        threshold: touch.rate(for: finger).threshold(fingers: fingers.count))
      if best.map({ comparison.margin > $0.margin }) ?? true { best = comparison }
    }
    return best
  }

  /// The score, where it may be told: to the owner who tests a finger of an unlocked device. Whoever
  /// learned the scores of pictures could climb from one to the next.
  private func toldScore(_ best: FingerComparison, _ session: TouchSession) -> Double? {
    guard case .match(_, tellsScore: true) = session.purpose, lock.isUnlocked else { return nil }
    return best.score
  }

  private func missed(_ number: UInt64, _ best: FingerComparison, _ score: Double?) {
    if attempts.isLockedOut {
      lock.disarm()
      lastUnlock = nil
    }
    emit(
      number,
      .missed(
        score: score, threshold: best.threshold, misses: attempts.misses,
        isLockedOut: attempts.isLockedOut))
  }

  private func take(
    _ touch: PrintFeatures?, _ number: UInt64, _ progress: EnrolmentProgress, isSynthetic: Bool
  ) {
    guard let touch, touch.hasRidges else { return emit(number, .refused(.noRidges)) }
    var progress = progress
    switch progress.enrolment.add(touch) {
    case .refused(let guidance):
      emit(number, .refused(EnrolmentAdvice(guidance)))
    case .waiting(let guidance):
      sessions[number]?.purpose = .enrolment(progress)
      emit(number, .refused(EnrolmentAdvice(guidance)))
    case .accepted(let coverage, let advice):
      if let finger = enrolledFinger(like: touch, isSynthetic: isSynthetic) {
        sessions[number] = nil
        return emit(number, .duplicate(finger: finger.name))
      }
      sessions[number]?.purpose = .enrolment(progress)
      emit(
        number,
        .taken(
          TakenTouch(
            touches: UInt32(progress.enrolment.usableTouches), coverage: coverage,
            isComplete: progress.enrolment.isComplete, advice: advice.map(EnrolmentAdvice.init),
            picture: progress.enrolment.seen.map(CoveragePicture.init) ?? .empty)))
    }
  }

  /// The enrolled finger of one kind that a touch matches. Uncounted; what it tells is bounded: one
  /// passcode gives one enrolment of ``EnrolmentProgress/mostFrames`` touches, which a match ends.
  private func enrolledFinger(like probe: PrintFeatures, isSynthetic: Bool) -> FingerRecord? {
    let candidates = keybag.fingers.filter { $0.isSynthetic == isSynthetic }
    let touch = ComparedTouch(
      probe: probe, area: .infinity, isStrict: true, isSynthetic: isSynthetic)
    guard let best = bestMatch(of: touch, among: candidates), best.isMatch else { return nil }
    return best.finger
  }

  private func end(_ number: UInt64, with failure: Failure) {
    sessions[number] = nil
    emit(number, .failed(failure))
  }

  private func emit(_ number: UInt64, _ outcome: TouchEvent.Outcome) {
    platform.emit(TouchEvent(session: number, outcome: outcome).encoded())
  }
}

extension CoveragePicture {
  /// What the matcher has seen as it crosses the wall.
  init(_ seen: SeenFinger) {
    self.init(columns: seen.columns, times: seen.times, clarity: seen.clarity)
  }
}

extension EnrolmentAdvice {
  /// The matcher's guidance as it crosses the wall.
  init(_ guidance: Enrolment.Guidance) {
    self =
      switch guidance {
      case .noRidges: .noRidges
      case .tooDry: .tooDry
      case .tooWet: .tooWet
      case .tooSmall: .tooSmall
      case .poorQuality: .poorQuality
      case .moveLeft: .moveLeft
      case .moveRight: .moveRight
      case .moveUp: .moveUp
      case .moveDown: .moveDown
      case .differentPart: .differentPart
      case .notTheSameFinger: .notTheSameFinger
      case .lift: .lift
      case .joinsNothing: .joinsNothing
      }
  }
}
