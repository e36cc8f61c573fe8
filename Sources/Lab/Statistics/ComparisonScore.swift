// MatchStatistics: how often a matcher errs, from the scores of comparisons whose truth is known.

/// The score of one comparison, and whose fingers were compared.
package struct ComparisonScore: Hashable, Sendable {
  /// Number of the probe's finger, as in ``ScoreList/fingers``.
  package let probeFinger: Int
  /// Number of the finger it was compared with.
  package let galleryFinger: Int
  /// Whether both come from one finger.
  package let isGenuine: Bool
  /// Larger is more alike; minus infinity for a comparison that could not be made, which no
  /// threshold accepts.
  package let score: Double

  /// - Precondition: `score` is not NaN.
  package init(probeFinger: Int, galleryFinger: Int, isGenuine: Bool, score: Double) {
    precondition(!score.isNaN, "a score must be a number")
    self.probeFinger = probeFinger
    self.galleryFinger = galleryFinger
    self.isGenuine = isGenuine
    self.score = score
  }
}
