import AuthcoreABI
import EngineKit
import FingerprintMatching
import Wire

extension Enclave {
  /// A frame arrived: it is compared, or taken for an enrolment. What came of it goes out as an event.
  func frameArrived(_ frame: consuming SensorFrame) {
    let number = frame.session
    guard let session = sessions[number], session.channel == frame.channel,
      let isSynthetic = channels[session.channel]
    else { return }
    switch session.purpose {
    case .match:
      guard !attempts.isLockedOut else { return end(number, with: lockout) }
      compare(features(takenFrom: frame), number, session, isSynthetic: isSynthetic)
    case .enrolment(let progress):
      take(features(takenFrom: frame), number, progress, isSynthetic: isSynthetic)
    }
  }

  /// The sensor asks for another touch.
  func retryArrived(_ retry: SensorRetry) {
    guard sessions[retry.session]?.channel == retry.channel else { return }
    emit(retry.session, .retry(reason: retry.reason))
  }

  /// A capture is over; with session 0 the channel is dead, and so are all captures on it.
  func endArrived(_ end: SensorEnd) {
    let ended = sessions.filter { number, session in
      session.channel == end.channel && (end.session == 0 || number == end.session)
    }
    for number in ended.keys.sorted() {
      emit(number, .ended(status: end.status, message: end.message))
    }
  }

  private func compare(
    _ probe: PrintFeatures?, _ number: UInt64, _ session: TouchSession, isSynthetic: Bool
  ) {
    guard let probe, probe.hasRidges else { return emit(number, .retry(reason: 1)) }
    let candidates = keybag.fingers.filter {
      $0.isSynthetic == isSynthetic && templates[$0.identifier] != nil
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
    guard let best = bestMatch(of: probe, among: candidates) else { return }
    guard best.score >= PrintMatcher.threshold else { return missed(number, best.score) }
    contexts[session.context]?.match = MatchEvidence(
      finger: best.finger.identifier, domainState: domainState, time: platform.bootTime)
    sessions[number] = nil
    emit(number, .matched(finger: best.finger.name, score: best.score))
    counted.touchMatched()
    forgiveAttempts(counted)
    // What a synthetic driver shows is public, and teaches nothing about a finger.
    if !isSynthetic { adapt(best.finger, to: probe) }
  }

  private func bestMatch(
    of probe: PrintFeatures, among fingers: [FingerRecord]
  ) -> (finger: FingerRecord, score: Double)? {
    defer { matching.wipe() }
    let matcher = PrintMatcher()
    var best: (finger: FingerRecord, score: Double)?
    for finger in fingers {
      guard let template = templates[finger.identifier] else { continue }
      let score = matcher.score(probe: probe, against: template.current, using: &matching)
      if best.map({ score > $0.score }) ?? true { best = (finger, score) }
    }
    return best
  }

  private func missed(_ number: UInt64, _ score: Double) {
    if attempts.isLockedOut {
      lock.disarm()
      lastUnlock = nil
    }
    emit(
      number,
      .missed(score: score, misses: attempts.misses, isLockedOut: attempts.isLockedOut))
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
      if let finger = enrolledFinger(like: [touch], isSynthetic: isSynthetic) {
        sessions[number] = nil
        return emit(number, .duplicate(finger: finger.name))
      }
      progress.touches.append(touch)
      sessions[number]?.purpose = .enrolment(progress)
      emit(
        number,
        .taken(
          touches: UInt32(progress.enrolment.usableTouches), coverage: coverage,
          isComplete: progress.enrolment.isComplete, advice: advice.map(EnrolmentAdvice.init)))
    }
  }

  /// The enrolled finger of one kind that one of `touches` matches.
  func enrolledFinger(like touches: [PrintFeatures], isSynthetic: Bool) -> FingerRecord? {
    let candidates = keybag.fingers.filter { $0.isSynthetic == isSynthetic }
    for touch in touches {
      if let best = bestMatch(of: touch, among: candidates),
        best.score >= PrintMatcher.threshold
      {
        return best.finger
      }
    }
    return nil
  }

  private func end(_ number: UInt64, with failure: Failure) {
    sessions[number] = nil
    emit(number, .failed(failure))
  }

  private func emit(_ number: UInt64, _ outcome: TouchEvent.Outcome) {
    platform.emit(TouchEvent(session: number, outcome: outcome).encoded())
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
