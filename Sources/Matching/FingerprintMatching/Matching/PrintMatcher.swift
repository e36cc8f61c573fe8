/// Compares a touch with an enrolled finger.
package struct PrintMatcher: Sendable {
  /// The score from which on a touch is accepted, for a false match rate of at most 1/50,000 for a
  /// touch compared with all of an owner's fingers, five at most.
  ///
  /// By ``ScoreScale`` alone that would be 12.43, the natural logarithm of 250,000. It is set
  /// higher because of what the scale does not know: synthetic fingers, whose smooth loops are more
  /// alike than people's, reach 12.43 in 9 of 42,840 comparisons with fingers of five prints and
  /// this in 3, while no stranger in 99,840 comparisons of real prints exceeds 10.1.
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
  /// - Returns: See ``score(probe:against:using:)``.
  package func score(probe: PrintFeatures, against finger: FingerTemplate) -> Double {
    var storage = MatchingStorage()
    return score(probe: probe, against: finger, using: &storage)
  }

  /// How sure it is that a touch is one of an enrolled finger.
  ///
  /// - Parameters:
  ///   - probe: Features of the touch.
  ///   - finger: The enrolled finger.
  ///   - storage: Working storage, used again from call to call.
  /// - Returns: A finite score: a stranger's finger gets score s or more about once in e to the s
  ///   comparisons. About 0 where nothing is alike; ``lowestScore`` where there is nothing to
  ///   compare.
  /// - Complexity: Linear in the finger's parts, quadratic in the minutiae of touch and part.
  package func score(
    probe: PrintFeatures, against finger: FingerTemplate, using storage: inout MatchingStorage
  ) -> Double {
    guard probe.hasRidges, !finger.parts.isEmpty else { return Self.lowestScore }
    let touch = probe.view
    let isSmall = touch.flow.isSmall
    if isSmall { storage.ridges.begin(probe: touch, parts: finger.parts) }
    var confirmed = Self.lowestScore
    var likeness: Float?
    for (index, part) in finger.parts.enumerated() {
      let comparison = storage.minutiae.best(probe: touch, gallery: part)
      let own = comparison?.likeness ?? 0
      if isSmall {
        storage.ridges.guess(probe: touch, gallery: part, part: index, hint: comparison?.motion)
      } else if let score = storage.confirmation.score(
        storage.minutiae.pairings, probe: touch, gallery: part, likeness: own)
      {
        confirmed = max(confirmed, score)
        continue
      }
      likeness = max(likeness ?? 0, own)
    }
    guard let likeness else { return confirmed }
    let ridgeScore = isSmall ? storage.ridges.score(probe: touch, parts: finger.parts) : nil
    return max(confirmed, ScoreScale.score(likeness: likeness, ridgeScore: ridgeScore))
  }
}

/// What ``PrintMatcher`` works with while it compares.
///
/// It grows to what the largest comparison needs and is used again by the next, so that comparing
/// allocates nothing once it has seen the like. Holds traces of the prints that were compared until
/// it is wiped. For one thread at a time.
package struct MatchingStorage: Sendable {
  var minutiae = MinutiaSearch()
  var ridges = RidgeSearch()
  var confirmation = RidgeConfirmation()

  /// Storage without anything allocated.
  package init() {}

  /// Overwrites what is left of the prints that were compared; what is allocated is kept.
  package mutating func wipe() {
    minutiae.wipe()
    ridges.wipe()
    confirmation.wipe()
  }
}

extension Array {
  /// Makes all elements the same, in the storage there is if it is large enough.
  ///
  /// - Parameters:
  ///   - value: The elements.
  ///   - count: How many there are afterwards.
  ///   - room: How many there is room for at least if storage has to be allocated.
  mutating func fill(with value: Element, count: Int, room: Int = 0) {
    removeAll(keepingCapacity: true)
    reserveCapacity(Swift.max(count, room))
    for _ in 0..<count { append(value) }
  }

  /// Overwrites all of the storage, also where elements were removed, and removes the elements.
  mutating func wipe(with blank: Element) {
    fill(with: blank, count: capacity)
    removeAll(keepingCapacity: true)
  }
}
