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
    let area = frame.area
    switch session.purpose {
    case .match(let isStrict):
      guard !isLockedOut else { return end(number, with: lockout) }
      let touch = ComparedTouch(
        probe: features(takenFrom: frame), area: area, isStrict: isStrict,
        isSynthetic: isSynthetic)
      compare(touch, number, session)
    case .enrolment(var progress):
      // A frame that is refused shows how large the sensor is all the same.
      progress.largestFrame = max(progress.largestFrame, area)
      sessions[number]?.purpose = .enrolment(progress)
      take(features(takenFrom: frame), number, progress, isSynthetic: isSynthetic)
    case .over(let failure): end(number, with: failure)
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
    guard best.isMatch else { return missed(number, best) }
    contexts[session.context]?.prove(
      MatchEvidence(
        finger: best.finger.identifier, domainState: domainState, time: platform.bootTime,
        isStrict: best.score >= PrintMatcher.threshold))
    sessions[number] = nil
    emit(
      number,
      .matched(finger: best.finger.name, score: best.score, threshold: best.threshold))
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

  private func missed(_ number: UInt64, _ best: FingerComparison) {
    if attempts.isLockedOut {
      lock.disarm()
      lastUnlock = nil
    }
    emit(
      number,
      .missed(
        score: best.score, threshold: best.threshold, misses: attempts.misses,
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
      if let finger = enrolledFinger(like: [touch], isSynthetic: isSynthetic) {
        sessions[number] = nil
        return emit(number, .duplicate(finger: finger.name))
      }
      progress.touches.append(touch)
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

  /// The enrolled finger of one kind that one of `touches` matches.
  func enrolledFinger(like touches: [PrintFeatures], isSynthetic: Bool) -> FingerRecord? {
    let candidates = keybag.fingers.filter { $0.isSynthetic == isSynthetic }
    for probe in touches {
      let touch = ComparedTouch(
        probe: probe, area: .infinity, isStrict: true, isSynthetic: isSynthetic)
      if let best = bestMatch(of: touch, among: candidates), best.isMatch { return best.finger }
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
