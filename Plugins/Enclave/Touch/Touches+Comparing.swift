import FingerprintMatching
import Glibc
import Protocol

extension Touches {
  /// Compares a touch with the fingers of its origin. A match becomes evidence in the session's
  /// context.
  func compare(_ touch: ComparedTouch, _ number: UInt64, _ session: TouchSession) {
    guard let probe = touch.probe, probe.hasRidges else {
      return emit(number, .retry(reason: 1))
    }
    let candidates = state.keybag.fingers.filter {
      $0.matches(touch.origin) && templates.isOpen($0)
    }
    guard !candidates.isEmpty else { return end(number, with: .notEnrolled) }
    do throws(Failure) {
      try countTouch()
    } catch {
      return end(number, with: error)
    }
    let scores = scores(of: templates.evidence(of: probe, about: candidates), in: number)
    guard let best = touch.best(scores, of: candidates) else { return }
    let score = toldScore(best, session)
    guard best.isMatch else {
      return missed(
        number, score: score, threshold: best.threshold, addsUp: TouchEvidence.addsUp(probe))
    }
    matched(
      best.finger, best.score >= PrintMatcher.threshold ? .biometry : .relaxedBiometry, number,
      session, score: score, threshold: best.threshold)
    // Learning moves the places on the finger that prompts remember.
    forgetPrompts()
    // A synthetic finger is public, and teaches nothing.
    if touch.origin != .synthetic { templates.learn(best.finger, from: probe) }
  }

  /// Counts a touch before it is compared, so that ending the process at any moment saves no try.
  func countTouch() throws(Failure) {
    var counted = state.attempts
    counted.countTouch()
    try state.replaceAttempts(counted)
  }

  /// Ends a session with a match, which becomes evidence. A chip tells no score.
  func matched(
    _ finger: FingerRecord, _ proof: EvidenceSet, _ number: UInt64,
    _ session: TouchSession, score: Double? = nil, threshold: Double = 0
  ) {
    evidence.prove(
      MatchEvidence(
        finger: finger.identifier, domainState: state.domainState, time: state.platform.bootTime,
        proof: proof), in: session.context)
    endSession(number)
    var counted = state.attempts
    counted.touchMatched()
    state.easeAttempts(counted)
    emit(
      number, .matched(finger: finger.name, score: score, threshold: threshold), tellsStatus: true)
  }

  /// Tells of a touch that matched no finger, and locks biometry out after too many.
  func missed(
    _ number: UInt64, score: Double? = nil, threshold: Double = 0, addsUp: Bool = false
  ) {
    let attempts = state.attempts
    if attempts.isLockedOut(by: state.rules) {
      keys.disarm()
      evidence.forgetReusedMatches()
    }
    emit(
      number,
      .missed(
        score: score, threshold: threshold, misses: attempts.misses,
        isLockedOut: attempts.isLockedOut(by: state.rules), addsUp: addsUp), tellsStatus: true)
  }

  /// The score, for an owner who tests a finger of an unlocked device. From scores, an attacker
  /// could improve a picture step by step.
  private func toldScore(_ best: FingerComparison, _ session: TouchSession) -> Double? {
    guard case .match(_, tellsScore: true) = session.purpose, keys.isUnlocked else { return nil }
    return best.score
  }
}

struct ComparedTouch: Sendable {
  /// Nil if the frame cannot be a picture of a finger.
  let probe: PrintFeatures?
  /// Of the frame, mm².
  let area: Double
  let isStrict: Bool
  let origin: FrameOrigin

  /// The rate at which it is compared with a finger: that of the finger's enrollment, if the touch
  /// comes from such a small sensor too.
  func rate(for finger: FingerRecord) -> MatchRate {
    !isStrict && finger.rate.admits(frameOf: area) ? finger.rate : .strict
  }

  /// The comparison with the greatest margin, by the scores with each finger.
  func best(_ scores: [UInt32: Double], of fingers: [FingerRecord]) -> FingerComparison? {
    fingers.compactMap { finger in
      scores[finger.identifier].map {
        FingerComparison(
          finger: finger, score: $0,
          threshold: rate(for: finger).threshold(fingers: fingers.count))
      }
    }.max { $0.margin < $1.margin }
  }
}

struct FingerComparison: Sendable {
  let finger: FingerRecord
  let score: Double
  /// The least score of a match.
  let threshold: Double

  var isMatch: Bool { score >= threshold }
  var margin: Double { score - threshold }
}

extension SensorFrame {
  /// In mm².
  var area: Double {
    let pixel = 25.4 / Double(max(pixelsPerInch, 1))
    return Double(width) * Double(height) * pixel * pixel
  }
}

/// The features of a frame, or nil if it cannot be a picture of a finger. Wipes the pixels.
///
/// A frame is too large for locked memory. The enclave's host is not dumpable, and a consumed frame
/// has the only reference to its pixels.
func features(takenFrom frame: consuming SensorFrame) -> PrintFeatures? {
  let (width, height) = (Int(frame.width), Int(frame.height))
  let resolution = Int(frame.pixelsPerInch)
  let extents = frame.extents
  var pixels = frame.pixels
  _ = consume frame
  // The image lives only in that call, so the pixels here are the last ones and are wiped in place.
  let features = features(of: pixels, extents, width, height, resolution)
  unsafe pixels.withUnsafeMutableBytes { bytes in
    if let base = bytes.baseAddress { unsafe explicit_bzero(base, bytes.count) }
  }
  return features
}

private func features(
  of pixels: [UInt8], _ extents: [Range<Int>]?, _ width: Int, _ height: Int, _ resolution: Int
) -> PrintFeatures? {
  guard
    let image = try? FingerprintImage(
      width: width, height: height, pixelsPerInch: resolution, pixels: pixels,
      extents: extents)
  else { return nil }
  return FeatureExtractor().features(of: image)
}
