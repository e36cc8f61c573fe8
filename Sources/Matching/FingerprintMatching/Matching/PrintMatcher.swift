/// Compares a touch with an enrolled finger.
package struct PrintMatcher: Sendable {
  /// The least score of an accepted touch, for a false match rate of at most 1/50,000 for a touch
  /// compared with all of an owner's fingers, at most five.
  ///
  /// By ``ScoreScale`` alone it would be 12.43, the natural logarithm of 250,000. It is higher
  /// because of small touches of synthetic fingers, whose smooth loops are more alike than people's.
  /// With full prints one of 2,997,000 synthetic strangers reaches it, and no person of 13,890
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
    compare(probe, with: finger, using: &storage).score
  }

  /// The score of a touch.
  ///
  /// - `place`: Called where a part of the finger is surer than those before it: how the touch then
  ///   lies on it is in the storage.
  func compare(
    _ probe: PrintFeatures, with finger: FingerTemplate, using storage: inout MatchingStorage,
    place: (inout MatchingStorage, _ part: Int, _ score: Double) -> Void = { _, _, _ in }
  ) -> TouchScore {
    guard probe.hasRidges, !finger.parts.isEmpty else { return .lowest }
    let touch = probe.view
    var best = TouchScore.lowest
    for (number, part) in finger.parts.enumerated() {
      guard best.include(storage.score(probe: touch, part: part)) else { continue }
      place(&storage, number, best.sure)
    }
    // The likest minutiae may lie elsewhere than ridges that lie on each other.
    if Self.leastDoubtful..<Self.threshold ~= best.sure, touch.flow.isPartial, !touch.flow.isSmall {
      for part in finger.parts {
        if let score = storage.confirmedScore(probe: touch, part: part) {
          best.include(score)
        }
      }
    }
    return best
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
  var judge = RidgeJudge()

  package init() {}

  /// What minutiae and ridges say about a part of a finger.
  fileprivate mutating func score(probe: PrintView, part: PrintView) -> TouchScore {
    let score = scoreByCells(probe: probe, part: part)
    guard let touch = JudgedTouch(probe.flow), let match = match(of: probe, on: part) else {
      return score
    }
    return judged(
      score, touch, at: match, isSearched: false, likeness: confirmation.likeness, probe: probe,
      part: part)
  }

  /// The same where ridges lie on each other, if their best place is searched for anew. Nil if no
  /// minutiae do.
  fileprivate mutating func confirmedScore(probe: PrintView, part: PrintView) -> TouchScore? {
    guard let score = ridges.confirmedScore(probe: probe, gallery: part), let match = ridges.found,
      let likeness = match.comparison(probe: probe, gallery: part)?.likeness
    else { return nil }
    guard let touch = JudgedTouch(probe.flow) else { return score }
    return judged(
      score, touch, at: match, isSearched: true, likeness: likeness, probe: probe, part: part)
  }

  /// The score with what ``RidgeJudge`` says of a place.
  ///
  /// - `score`: By cells, and of a large touch by agreement.
  /// - `isSearched`: Whether ridges, not minutiae, led to the place; matters for a large touch alone,
  ///   as does `likeness`, see ``Comparison/likeness``.
  private mutating func judged(
    _ score: TouchScore, _ touch: JudgedTouch, at match: RidgeMatch, isSearched: Bool,
    likeness: Float, probe: PrintView, part: PrintView
  ) -> TouchScore {
    guard let own = probe.sheet, let other = part.sheet else { return score }
    let evidence = judge.evidence(match, probe: own, gallery: other)
    var score = score
    if touch == .large {
      let cells = RidgeConfirmation.score(
        likeness: likeness, match.testimony, of: probe.flow)
      let judged = touch.score(cells: cells, evidence: evidence, paired: match.paired)
      let heard = JudgedTouch.heard(score.sure, evidence: evidence, isSearched: isSearched)
      score.sure = max(heard, judged)
    } else {
      score.sure = touch.score(cells: score.sure, evidence: evidence, paired: match.paired)
    }
    return score
  }

  /// What minutiae and ridges say without ``RidgeJudge``.
  mutating func scoreByCells(probe: PrintView, part: PrintView) -> TouchScore {
    let comparison = minutiae.best(probe: probe, gallery: part)
    let likeness = comparison?.likeness ?? 0
    guard probe.flow.isSmall else {
      return confirmation.score(
        minutiae.pairings, probe: probe, gallery: part, likeness: likeness)
        ?? ScoreScale.score(likeness: likeness, ridges: nil)
    }
    let ridges = ridges.score(probe: probe, gallery: part, hint: comparison?.motion)
    return ScoreScale.score(likeness: likeness, ridges: ridges)
  }

  /// How the touch that was scored last lies on the part, or nil if it was not placed.
  mutating func match(of probe: PrintView, on part: PrintView) -> RidgeMatch? {
    probe.flow.isSmall ? ridges.found : confirmation.match(probe: probe, gallery: part)
  }

  /// Overwrites the remains of the compared prints; keeps its allocations.
  package mutating func wipe() {
    minutiae.wipe()
    ridges.wipe()
    confirmation.wipe()
    judge.wipe()
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
