internal import Glibc

/// How rarely a stranger's touch may be taken for an enrolled finger.
///
/// The strict rate is that of ``PrintMatcher/threshold``, which is made for five fingers and lies
/// above what ``ScoreScale`` alone asks for. An owner of a small sensor may give back some of that:
/// such a finger is held to what is needed so that five touches by a stranger are accepted once in
/// 10,000 times at most, over the fingers that are enrolled. That is one touch in 50,000, and one
/// comparison in 50,000 times the number of fingers, of which the score is the natural logarithm.
package enum MatchRate: UInt8, CaseIterable, Sendable {
  /// At least as rare as for every other finger.
  case strict = 0
  /// Relaxed, for sensors of up to 26 mm², 88 by 88 pixels at 500 per inch.
  case relaxedVerySmall = 1
  /// Relaxed, for sensors of up to 45 mm², 132 by 132 pixels at 500 per inch. Owners of larger ones
  /// are hardly ever refused.
  case relaxedSmall = 2

  /// Touches that end in lockout when none of them matches.
  static let tries = 5.0
  /// How many times five touches are needed, on average, until a stranger is accepted.
  static let sessions = 10_000.0

  /// The rate that an owner who chose to relax it gets with a sensor.
  ///
  /// - Parameter area: Of the largest frame that enrolled the finger, mm².
  /// - Returns: One of the relaxed rates; strict where there is no need.
  package static func relaxed(forFrameOf area: Double) -> MatchRate {
    [relaxedVerySmall, relaxedSmall].first { $0.admits(frameOf: area) } ?? strict
  }

  /// Whether a frame of so many mm² is one of the sensors that the rate is meant for.
  package func admits(frameOf area: Double) -> Bool { area <= mostArea }

  /// Whether a match at this rate is of the weaker kind.
  package var isRelaxed: Bool { self != .strict }

  /// The score from which on a touch is accepted that is compared with so many fingers, 1 or more.
  package func threshold(fingers: Int) -> Double {
    guard isRelaxed else { return PrintMatcher.threshold }
    let scale = log(Self.tries * Self.sessions * Double(max(fingers, 1)))
    return min(scale + margin, PrintMatcher.threshold)
  }

  private var mostArea: Double {
    switch self {
    case .strict: .infinity
    case .relaxedVerySmall: OrientationField.smallArea
    case .relaxedSmall: 45
    }
  }

  /// How much a threshold lies above the scale's, for strangers who score higher than it says. The
  /// highest of 720 touches by people to fingers of others, five at a time, was 12.9 with 88 pixels
  /// a side, and 7.5 with 112 to 160 pixels (docs/accuracy.md).
  private var margin: Double {
    switch self {
    case .strict: 0
    case .relaxedVerySmall: 2.2
    case .relaxedSmall: 0.5
    }
  }
}
