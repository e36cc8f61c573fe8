/// Finds where a touch lies on what is known of a finger.
struct TouchPlacing: Sendable {
  /// The score from which on a touch is joined, on the scale of ``ScoreScale``: by that a
  /// stranger's gets as far once in 16,000 comparisons.
  static let leastScore = 9.7
  /// The same for small touches, once in 1,100: they seldom say more of themselves. With 9.7 half
  /// as many owners of FVC2002 fingers, enrolled from 25 guided patches of 88 pixels, were accepted
  /// as with 7, on a scale on which both were 1.6 higher.
  static let leastScoreOfSmall = 7.0

  private var minutiae = MinutiaSearch()
  private var confirmation = RidgeConfirmation()
  private var search = RidgeSearch()

  /// Where a touch lies on a mosaic, nil where nothing says so surely.
  mutating func place(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    touch.flow.isSmall ? placeSmall(touch, on: mosaic) : placeLarge(touch, on: mosaic)
  }

  /// Places a touch with minutiae enough, as surely from either side: joined touches have many, so
  /// that a stranger's is now and then alike to one of two mosaics looked at one way, and at
  /// another place or not at all the other way.
  private mutating func placeLarge(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    guard let back = score(of: mosaic, on: touch), back >= Self.leastScore,
      let score = score(of: touch, on: mosaic), score >= Self.leastScore,
      let registration = confirmation.best(probe: touch, gallery: mosaic)
    else { return nil }
    return Placed(registration: registration, score: min(score, back))
  }

  private mutating func score(of touch: PrintView, on mosaic: PrintView) -> Double? {
    let comparison = minutiae.best(probe: touch, gallery: mosaic)
    return confirmation.score(
      minutiae.pairings, probe: touch, gallery: mosaic, likeness: comparison?.likeness ?? 0)
  }

  private mutating func placeSmall(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    guard let ridges = touch.sheet, let known = mosaic.sheet else { return nil }
    let comparison = minutiae.best(probe: touch, gallery: mosaic)
    let likeness = comparison?.likeness ?? 0
    let score = ScoreScale.score(likeness: likeness, ridgeScore: nil)
    if let comparison, score >= Self.leastScoreOfSmall {
      var registration = RidgeRegistration()
      registration.refine(comparison.motion, probe: ridges, gallery: known, rounds: 3, every: 2)
      registration.stretch(probe: ridges, gallery: known)
      return Placed(registration: registration, score: score)
    }
    guard let match = search.best(probe: touch, gallery: mosaic, hint: comparison?.motion) else {
      return nil
    }
    let both = ScoreScale.score(likeness: likeness, ridgeScore: match.ridgeScore)
    guard both >= Self.leastScoreOfSmall else { return nil }
    return Placed(registration: match.registration, score: both)
  }

  /// A touch's place.
  struct Placed: Sendable {
    let registration: RidgeRegistration
    /// How rarely a stranger's touch gets as far, see ``ScoreScale``.
    let score: Double
  }
}
