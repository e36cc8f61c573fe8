internal import Glibc

/// Turns what two prints have in common into how rarely a stranger's finger has as much.
///
/// Likeness by minutiae and evidence by ridges both have an exponential tail for strangers. Each
/// needs two figures: what strangers exceed once in a hundred, and the mean excess above that. One
/// threshold then holds everywhere. Over FVC2002 DB1_B to DB4_B, within and across the sets, likeness
/// exceeds 0.52 in 1 % of 49,920 comparisons of single prints, with a mean excess of 0.09 and a
/// largest of 1.25; 0.58, 0.10 and 1.10 in 12,480 with fingers of five joined prints.
///
/// The likeness of small touches and parts of a finger has a longer tail, above all of synthetic
/// fingers, whose ridges are smooth and whose minutiae are few. There ridges must agree too: see
/// ``RidgeTestimony``. The scores that 24,000 comparisons of these exceed once in 100 and once in
/// 1,000 are at most 4.6 and 6.9, the logarithms of these, at 88, 128 and 160 pixels, and the mean
/// excess above them is about 1.
enum ScoreScale {
  /// Natural logarithm of 100.
  private static let logOneHundred = 4.605

  /// The excess that strangers' ridges reach once in a hundred and fifty times, and owners' miss
  /// nearly as often.
  private static let neutralExcess: Float = 5
  private static let excessScale: Float = 1.2
  /// The most that ridges count against minutiae: an owner's may be smeared.
  private static let mostObjection: Float = 4

  /// The score by agreement of a touch of a small sensor, or of one that may join others: the natural
  /// logarithm of how rarely a stranger's finger gets as far with minutiae and ridges, or less.
  ///
  /// Both figures hardly depend on each other (their correlation over strangers is 0.17), so they
  /// add up.
  ///
  /// - `likeness`: By minutiae, see ``Comparison/likeness``.
  /// - `excess`: By ridges, see ``RidgeAgreement/excess(clarity:)``.
  static func score(likeness: Float, excess: Float) -> Double {
    let byRidges = max((excess - neutralExcess) / excessScale, -mostObjection)
    return score(likeness: likeness) + Double(byRidges)
  }

  /// Likeness that people's strangers reach once in 35,000 times, and what each factor of e adds
  /// beyond it. Synthetic fingers whose loops are alike reach 2.7: their minutiae lie where the
  /// flow asks for them.
  private static let (strangersLikeness, beyondStrangers) = (Float(1.2), 5.0)
  /// Where ridges count neither for nor against a whole print, and what each 1 beyond counts.
  private static let whole = (neutral: Float(9), scale: Float(0.4))
  /// The least clarity by which agreement is divided.
  private static let leastClarity: Float = 0.2

  /// The score of a print that is no part of a finger. The clearer ridges are, the more of them lie
  /// on each other if both are an owner's: agreement counts by the clarity of the probe.
  ///
  /// Fitted to FVC2002 and to 360,000 comparisons of synthetic fingers, where 26 reached the
  /// threshold before. Its tail lies about 1 above an exact logarithm: 8.8, 9.9, 10.6, 11.9, 12.7
  /// and 13.7 at 7.5, 8.6, 9.5, 10.9, 11.7 and 12.8.
  ///
  /// - `clarity`: Of the probe where both show ridges, 0...1.
  static func score(likeness: Float, excess: Float, clarity: Float) -> Double {
    let beyond = max(likeness / strangersLikeness, 1)
    let byMinutiae =
      score(likeness: min(likeness, strangersLikeness)) + beyondStrangers * Double(logf(beyond))
    let relative = excess / max(clarity, leastClarity)
    return byMinutiae + Double(max((relative - whole.neutral) * whole.scale, -mostObjection))
  }

  /// Up to which score a part of more than ``TouchEvidence/mostArea`` is judged by agreement alone,
  /// and how far above what its cells say it may score beyond that. By agreement alone some synthetic
  /// strangers pass; by cells alone the highest of 24,300 at 160 pixels reached 6, but the EER of
  /// FVC2000 rose from 1.1 to 6.1 %.
  private static let byCells = (asked: 10.0, allowance: 5.0)

  /// The score of a part of a finger that is too large for its cells to judge it alone.
  ///
  /// - `cells`: What they say, see ``score(likeness:testimony:)``; called only if it matters.
  static func score(byAgreement: Double, cells: () -> Double) -> Double {
    guard byAgreement > byCells.asked else { return byAgreement }
    return min(byAgreement, max(cells() + byCells.allowance, byCells.asked))
  }

  /// What likeness adds to the mean testimony of a part's ridges.
  private static let likenessOfPart: Float = 6

  /// The score of a part of a finger whose ridges were compared where its minutiae lie.
  ///
  /// - `likeness`: By minutiae, see ``Comparison/likeness``.
  /// - `testimony`: By ridges, see ``RidgeTestimony/mean(of:)``.
  static func score(likeness: Float, testimony: Float) -> Double {
    Double(testimony + likenessOfPart * likeness)
  }

  /// The score by minutiae alone.
  private static func score(likeness: Float) -> Double {
    logOneHundred + (Double(likeness) - 0.58) / 0.122
  }

  /// What likeness adds to the evidence of a small touch's ridges by either rule: their correlation
  /// over strangers is 0.12.
  private static let likenessValue = (sure: Float(4.7), likely: Float(2.9))

  /// The natural logarithm of how rarely a stranger's finger gets as far.
  ///
  /// - `likeness`: By minutiae, see ``Comparison/likeness``.
  /// - `ridges`: By a small touch's ridges, see ``RidgeMatch/score``; nil for other touches.
  static func score(likeness: Float, ridges: TouchScore?) -> TouchScore {
    guard let ridges else { return TouchScore(sure: score(likeness: likeness)) }
    return TouchScore(
      sure: ridges.sure + Double(likenessValue.sure * likeness),
      likely: ridges.likely + Double(likenessValue.likely * likeness))
  }
}

/// How rarely a stranger's touch may be accepted for an enrolled finger.
///
/// The strict rate is that of ``PrintMatcher/threshold``, which holds for five fingers and lies
/// above what ``ScoreScale`` alone asks for. An owner of a small sensor may give back some of that.
/// Then five touches by a stranger are accepted at most once in 10,000 times, over the enrolled
/// fingers. That is one touch in 50,000, and one comparison in 50,000 times the number of fingers;
/// the threshold is the natural logarithm of this.
package enum MatchRate: UInt8, CaseIterable, Sendable {
  case strict = 0
  /// Relaxed, for sensors of up to 26 mm², 88 by 88 pixels at 500 per inch.
  case relaxedVerySmall = 1
  /// Relaxed, for sensors of up to 45 mm², 132 by 132 pixels at 500 per inch. Owners of larger ones
  /// are hardly ever refused.
  case relaxedSmall = 2

  /// Touches that end in lockout if none matches.
  static let tries = 5.0
  /// How many times five touches a stranger needs on average to be accepted.
  static let sessions = 10_000.0

  /// The rate that an owner who chose to relax it gets: strict if the sensor does not need it.
  ///
  /// - `area`: Of the largest frame that enrolled the finger, mm².
  package static func relaxed(forFrameOf area: Double) -> MatchRate {
    [relaxedVerySmall, relaxedSmall].first { $0.admits(frameOf: area) } ?? strict
  }

  /// Whether the rate is meant for sensors with a frame of `area` mm².
  package func admits(frameOf area: Double) -> Bool { area <= mostArea }

  package var isRelaxed: Bool { self != .strict }

  /// The least score of an accepted touch that is compared with so many fingers, 1 or more.
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

  /// How far the threshold lies above the scale's, since some strangers score higher than it says.
  /// The highest of 720 touches by people to fingers of others, five at a time, was 12.9 with 88
  /// pixels a side, and 7.5 with 112 to 160 pixels (docs/accuracy.md).
  private var margin: Double {
    switch self {
    case .strict: 0
    case .relaxedVerySmall: 2.2
    case .relaxedSmall: 0.5
    }
  }
}
