/// Compares a touch with an enrolled finger.
package struct PrintMatcher: Sendable {
  /// The score at which and above which a touch is accepted.
  package static let threshold = 3.0
  /// The score of a touch or template without anything to compare.
  package static let lowestScore = -1000.0

  /// A matcher; it has no state.
  package init() {}

  /// How much more likely the touch is one of this finger than of another.
  ///
  /// - Parameters:
  ///   - probe: Features of the touch.
  ///   - finger: The enrolled finger.
  /// - Returns: A finite score, higher is more alike; ``lowestScore`` where there is nothing to
  ///   compare.
  package func score(probe: PrintFeatures, against finger: FingerTemplate) -> Double {
    let result = FingerComparison(probe: probe.view, finger: finger)
    return result?.score ?? Self.lowestScore
  }
}
