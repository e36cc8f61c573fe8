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
    self.fingers = fingers
    self.comparisons = comparisons
  }

  /// The scores of comparisons of a finger with itself.
  package var genuine: [Double] { comparisons.lazy.filter(\.isGenuine).map(\.score) }
  /// The scores of comparisons of different fingers.
  package var impostor: [Double] { comparisons.lazy.filter { !$0.isGenuine }.map(\.score) }
}
