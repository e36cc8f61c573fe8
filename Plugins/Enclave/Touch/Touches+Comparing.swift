import FingerprintMatching
import Protocol

extension Touches {
  /// Compares a touch with the fingers of its origin; a match is evidence in the session's context.
  func compare(_ touch: ComparedTouch, _ number: UInt64, _ session: TouchSession) {
    guard let probe = touch.probe, probe.hasRidges else {
      return emit(number, .retry(reason: 1))
    }
    let candidates = state.keybag.fingers.filter {
      $0.matches(touch.origin) && templates.isOpen($0)
    }
    guard !candidates.isEmpty else { return end(number, with: .notEnrolled) }
    var counted = state.attempts
    counted.countTouch()
    do throws(Failure) {
      // Counted before it is compared: ending the process at any moment saves no try.
      try state.replaceAttempts(counted)
    } catch {
      return end(number, with: error)
    }
    guard let best = templates.bestMatch(of: touch, among: candidates) else { return }
    let score = toldScore(best, session)
    guard best.isMatch else { return missed(number, best, score) }
    evidence.prove(
      MatchEvidence(
        finger: best.finger.identifier, domainState: state.domainState,
        time: state.platform.bootTime, isStrict: best.score >= PrintMatcher.threshold),
      in: session.context)
    endSession(number)
    counted.touchMatched()
    state.easeAttempts(counted)
    emit(
      number, .matched(finger: best.finger.name, score: score, threshold: best.threshold),
      tellsStatus: true)
    // What a synthetic driver shows is public, and teaches nothing about a finger.
    if touch.origin != .synthetic { templates.learn(best.finger, from: probe) }
  }

  private func missed(_ number: UInt64, _ best: FingerComparison, _ score: Double?) {
    let attempts = state.attempts
    if attempts.isLockedOut(by: state.rules) {
      keys.disarm()
      evidence.forgetReusedMatches()
    }
    emit(
      number,
      .missed(
        score: score, threshold: best.threshold, misses: attempts.misses,
        isLockedOut: attempts.isLockedOut(by: state.rules)), tellsStatus: true)
  }

  /// The score, where it may be told: to the owner who tests a finger of an unlocked device.
  /// Whoever learned the scores of pictures could climb from one to the next.
  private func toldScore(_ best: FingerComparison, _ session: TouchSession) -> Double? {
    guard case .match(_, tellsScore: true) = session.purpose, keys.isUnlocked else { return nil }
    return best.score
  }
}
