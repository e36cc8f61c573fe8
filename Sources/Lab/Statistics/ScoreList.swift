/// The scores of one matcher on one set of comparisons, at least one of each kind.
package struct ScoreList: Sendable {
  /// What each finger is called; different for each.
  package let fingers: [String]
  package let comparisons: [ComparisonScore]

  /// Takes scores as they were made; nil where genuine or impostor comparisons are missing, since
  /// nothing can be said then.
  ///
  /// - Parameters:
  ///   - fingers: What each finger is called.
  ///   - comparisons: The comparisons, with fingers numbered as in `fingers`.
  /// - Precondition: Every finger number is one of `fingers`.
  package init?(fingers: [String], comparisons: [ComparisonScore]) {
    for comparison in comparisons {
      precondition(fingers.indices.contains(comparison.probeFinger), "an unknown finger")
      precondition(fingers.indices.contains(comparison.galleryFinger), "an unknown finger")
    }
    guard comparisons.contains(where: \.isGenuine),
      comparisons.contains(where: { !$0.isGenuine })
    else { return nil }
    (self.fingers, self.comparisons) = (fingers, comparisons)
  }

  /// The scores of comparisons of a finger with itself.
  package var genuine: [Double] { comparisons.lazy.filter(\.isGenuine).map(\.score) }
  /// The scores of comparisons of different fingers.
  package var impostor: [Double] { comparisons.lazy.filter { !$0.isGenuine }.map(\.score) }
}

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
