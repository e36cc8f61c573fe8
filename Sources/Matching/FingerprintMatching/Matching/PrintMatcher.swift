/// Compares a touch with an enrolled finger.
package struct PrintMatcher: Sendable {
  /// The least score of an accepted touch, for a false match rate of at most 1/50,000 for a touch
  /// compared with all of an owner's fingers, at most five.
  ///
  /// By ``ScoreScale`` alone it would be 12.43, the natural logarithm of 250,000. It is higher
  /// because of small touches of synthetic fingers, whose smooth loops are more alike than people's.
  /// With full prints none of 1,194,000 synthetic strangers reaches it, and no person of 13,890
  /// exceeds 9.6.
  package static let threshold = 14.0
  /// A lower score leaves nothing open: 6 to 12 strangers in 100 reach it, and the touches of owners
  /// that a search by ridges helps.
  private static let leastDoubtful = 1.0
  /// The score if there is nothing to compare.
  package static let lowestScore = -1000.0

  package init() {}

  /// See ``score(probe:against:using:)``.
  package func score(probe: PrintFeatures, against finger: FingerTemplate) -> Double {
    var storage = MatchingStorage()
    return score(probe: probe, against: finger, using: &storage)
  }

  /// How sure it is that a touch is of an enrolled finger.
  ///
  /// - `storage`: Working storage, kept from call to call.
  /// - Returns: A finite score. A stranger's finger gets score s or more about once in e to the s
  ///   comparisons. About 0 if nothing is alike; ``lowestScore`` if there is nothing to compare.
  /// - Complexity: Linear in the finger's parts, quadratic in the minutiae of touch and part.
  package func score(
    probe: PrintFeatures, against finger: FingerTemplate, using storage: inout MatchingStorage
  ) -> Double {
    touchScore(probe: probe, against: finger, using: &storage).score
  }

  /// What opens is decided by ``TouchScore/sure``, see ``evidence(probe:against:using:)``.
  func touchScore(
    probe: PrintFeatures, against finger: FingerTemplate, using storage: inout MatchingStorage
  ) -> TouchScore {
    guard probe.hasRidges, !finger.parts.isEmpty else { return .lowest }
    let touch = probe.view
    let isSmall = touch.flow.isSmall
    if isSmall { storage.ridges.begin(probe: touch, parts: finger.parts) }
    var confirmed = TouchScore.lowest
    var likeness: Float?
    for (index, part) in finger.parts.enumerated() {
      let comparison = storage.minutiae.best(probe: touch, gallery: part)
      if isSmall {
        storage.ridges.guess(probe: touch, gallery: part, part: index, hint: comparison?.motion)
      } else if let score = storage.confirmation.score(
        storage.minutiae.pairings, probe: touch, gallery: part,
        likeness: comparison?.likeness ?? 0)
      {
        confirmed.include(score)
        continue
      }
      likeness = max(likeness ?? 0, comparison?.likeness ?? 0)
    }
    if Self.leastDoubtful..<Self.threshold ~= confirmed.sure, touch.flow.isPartial {
      confirmed.include(storage.searchedScore(probe: touch, parts: finger.parts))
    }
    guard let likeness else { return confirmed }
    let ridges = isSmall ? storage.ridges.score(probe: touch, parts: finger.parts) : nil
    confirmed.include(ScoreScale.score(likeness: likeness, ridges: ridges))
    return confirmed
  }
}

/// The working storage of ``PrintMatcher``.
///
/// It grows to the size of the largest comparison and is kept, so later comparisons of that size
/// allocate nothing. Holds traces of the compared prints until it is wiped. For one thread at a
/// time.
package struct MatchingStorage: Sendable {
  var minutiae = MinutiaSearch()
  var ridges = RidgeSearch()
  var confirmation = RidgeConfirmation()

  package init() {}

  /// The score of the best of the places where ridges lie on each other, though the likest minutiae
  /// lie elsewhere.
  fileprivate mutating func searchedScore(probe: PrintView, parts: [PrintView]) -> TouchScore {
    ridges.begin(probe: probe, parts: parts)
    for (index, part) in parts.enumerated() {
      ridges.guess(probe: probe, gallery: part, part: index, hint: nil)
    }
    return ridges.confirmedScore(probe: probe, parts: parts) ?? .lowest
  }

  /// Overwrites the remains of the compared prints; keeps its allocations.
  package mutating func wipe() {
    minutiae.wipe()
    ridges.wipe()
    confirmation.wipe()
  }
}

extension Array {
  /// Makes `count` equal elements, in the existing storage if it is large enough.
  ///
  /// - `room`: Elements for which there is room at least, if storage is allocated.
  mutating func fill(with value: Element, count: Int, room: Int = 0) {
    removeAll(keepingCapacity: true)
    reserveCapacity(Swift.max(count, room))
    for _ in 0..<count { append(value) }
  }

  /// Overwrites all of the storage, including where elements were removed, and removes the
  /// elements.
  mutating func wipe(with blank: Element) {
    fill(with: blank, count: capacity)
    removeAll(keepingCapacity: true)
  }
}
