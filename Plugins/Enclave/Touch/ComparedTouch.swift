import FingerprintMatching
import Protocol

/// A touch that is to be compared with enrolled fingers.
struct ComparedTouch: Sendable {
  /// Nil where the frame cannot be a picture of a finger.
  let probe: PrintFeatures?
  /// Of its frame, mm².
  let area: Double
  /// Whether only a match at the strict rate counts.
  let isStrict: Bool
  /// Where its frame came from.
  let origin: FrameOrigin

  /// The rate at which it is compared with a finger: the one fixed when the finger was enrolled, as
  /// long as the touch is of such a small sensor too.
  func rate(for finger: FingerRecord) -> MatchRate {
    !isStrict && finger.rate.admits(frameOf: area) ? finger.rate : .strict
  }
}

/// What came of comparing a touch with one finger.
struct FingerComparison: Sendable {
  let finger: FingerRecord
  let score: Double
  /// The score from which on it is a match.
  let threshold: Double

  var isMatch: Bool { score >= threshold }
  /// How far the score lies above the threshold.
  var margin: Double { score - threshold }
}

extension SensorFrame {
  /// The area that the frame shows, mm².
  var area: Double {
    let pixel = 25.4 / Double(max(pixelsPerInch, 1))
    return Double(width) * Double(height) * pixel * pixel
  }
}
