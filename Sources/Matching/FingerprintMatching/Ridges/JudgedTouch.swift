/// What ``RidgeJudge`` may say of a touch, by how much of a finger it shows.
///
/// All figures are of synthetic strangers, who are more alike than people. By cells alone, four of
/// 228,480 prompts opened at 112 pixels, and four at 128; judged so, none reaches 13.5.
enum JudgedTouch: Sendable {
  /// Searched for by its ridges.
  case small
  /// Placed by its minutiae, and shows so little that it counts together with others.
  case placed
  /// Placed by its minutiae, and as large as a sensor of 160 pixels: what agreement says counts too.
  case large

  /// What evidence counts.
  private static let worth: Float = 2.5
  /// The least that it adds.
  private static let least: Float = -60
  /// A small touch's score counts pairs of minutiae (``RidgeMatch/score``). So the more of them there
  /// are, the more ridges must lie on each other: what is neutral grows by `each` per value of the
  /// pairs above `from`. Of 50,560 prompts of synthetic strangers at 88 pixels one would open without
  /// this, by seven pairs, with an evidence of 8.8; owners who have as many have 14.
  private static let vouching: (from: Float, each: Float) = (5, 1.25)
  /// The most evidence that counts for a small touch without a pair of minutiae, and how much more
  /// per value of the pairs: without any the net only objects.
  private static let most: (alone: Float, vouched: Float) = (3, 2)

  /// The net objects to a large touch below this evidence: where minutiae placed it, and where its
  /// ridges were searched for. Of owners who open by agreement one in 50 to 100 has less than the
  /// first. The one stranger of 171,360 prompts who opened at either place had -12.8 and 6.3.
  private static let objection: (placed: Float, searched: Float) = (-10, 10)

  /// Where evidence counts neither for nor against a finger.
  private var neutral: Float {
    switch self {
    case .small: 6
    case .placed: 13
    case .large: 10
    }
  }

  /// How much more evidence it takes, near ``PrintMatcher/threshold``, for a stranger to be e times
  /// rarer. Scores are divided by it, so they are logarithms.
  private var spread: Double { self == .small ? 2.8 : 4 }

  /// Nil if the net has no say.
  init?(_ touch: OrientationField) {
    guard touch.isOfSmallSensor else { return nil }
    self = touch.isSmall ? .small : touch.ridgeArea <= TouchEvidence.mostArea ? .placed : .large
  }

  /// The score of the touch.
  ///
  /// - `cells`: What cells say.
  /// - `evidence`: What the net says, see ``RidgeJudge/evidence(_:probe:gallery:)``.
  /// - `paired`: See ``RidgeMatch/paired``.
  /// - Returns: NaN if the evidence is NaN.
  func score(cells: Double, evidence: Float, paired: Float) -> Double {
    let judged = cells + Double(max(Self.worth * beyond(evidence, paired), Self.least))
    return PrintMatcher.threshold + (judged - PrintMatcher.threshold) / spread
  }

  /// What agreement scores for a large touch; if the net objects, too little to open.
  ///
  /// - `isSearched`: Whether ridges, not minutiae, led to the place.
  static func heard(_ byAgreement: Double, evidence: Float, isSearched: Bool) -> Double {
    let least = isSearched ? objection.searched : objection.placed
    return evidence >= least ? byAgreement : min(byAgreement, TouchScore.mostLikely)
  }

  /// How far evidence lies above what is neutral.
  private func beyond(_ evidence: Float, _ paired: Float) -> Float {
    guard self == .small else { return evidence - neutral }
    let counted = min(evidence, Self.most.alone + Self.most.vouched * paired)
    return counted - neutral - Self.vouching.each * max(paired - Self.vouching.from, 0)
  }
}
