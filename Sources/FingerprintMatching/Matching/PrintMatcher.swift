/// Compares a touch with an enrolled finger.
package struct PrintMatcher: Sendable {
  /// The score from which on a touch is accepted, meant for a false match rate of at most 1/50,000 for a touch compared with all of
  /// an owner's fingers, five at most.
  ///
  /// For that rate ``ScoreScale`` alone, fitted to real prints, would ask for 12.43. It is set higher because of what it does not
  /// know: of 18,720 comparisons of synthetic fingers, whose smooth loops are more alike than real ones, 8 reach 12.43 and 4 reach
  /// this; of 4,680 comparisons across the four sets of FVC2002 B the highest is 11.3, while the weakest of their 120 genuine touches
  /// against five enrolled scores 16.3.
  package static let threshold = 14.0
  /// The score of a touch or template without anything to compare.
  package static let lowestScore = -1000.0

  /// A matcher; it has no state.
  package init() {}

  /// How sure it is that a touch is one of an enrolled finger.
  ///
  /// - Parameters:
  ///   - probe: Features of the touch.
  ///   - finger: The enrolled finger.
  /// - Returns: A finite score: a stranger's finger gets score s or more about once in e to the s
  ///   comparisons. About -1 where nothing is alike; ``lowestScore`` where there is nothing to
  ///   compare.
  /// - Complexity: Linear in the finger's impressions, quadratic in the minutiae of each two.
  package func score(probe: PrintFeatures, against finger: FingerTemplate) -> Double {
    guard probe.hasRidges, !finger.parts.isEmpty else { return Self.lowestScore }
    var pairing = MinutiaPairing()
    var search = RidgeSearch()
    var (likeness, evidence) = (Float(0), Float(0))
    for part in finger.parts {
      let comparison = Comparison.best(probe: probe.view, gallery: part, using: &pairing)
      likeness = max(likeness, comparison?.likeness ?? 0)
      guard probe.view.flow.isSmall else { continue }
      evidence = max(evidence, search.best(probe: probe.view, gallery: part)?.evidence ?? 0)
    }
    return max(ScoreScale.score(likeness: likeness), ScoreScale.score(evidence: evidence))
  }
}
