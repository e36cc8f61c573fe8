/// Finds where a touch lies on what is known of a finger.
struct TouchPlacing: Sendable {
  /// The score from which on a touch is joined, on the scale of ``ScoreScale``: a stranger's gets as
  /// far once in 16,000 comparisons.
  ///
  /// Of 920 strangers' patches of 88 and as many of 160 pixels, each compared with a finger of
  /// FVC2002 of fifteen, none reached 8 and three reached 6.
  static let leastScore = 9.7
  /// The same for touches of less than ``tinyArea``, once in 1,100: they seldom say more of
  /// themselves. With 9.7 half as many owners of FVC2002 fingers, enrolled from 25 guided patches of
  /// 88 pixels, were accepted as with this; with less than this not more were.
  static let leastScoreOfTiny = 7.0
  /// Area in mm² below which a touch is tiny; 112 pixels a side have 32.
  static let tinyArea = 30.0

  private var minutiae = MinutiaSearch()
  private var search = RidgeSearch()

  /// Where a touch lies on a mosaic, nil where nothing says so surely.
  mutating func place(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    guard let ridges = touch.sheet, let known = mosaic.sheet else { return nil }
    let isTiny = Double(touch.flow.ridgeCells) * CellGrid.cellArea < Self.tinyArea
    let leastScore = isTiny ? Self.leastScoreOfTiny : Self.leastScore
    let comparison = minutiae.best(probe: touch, gallery: mosaic)
    let likeness = comparison?.likeness ?? 0
    let score = ScoreScale.score(likeness: likeness, evidence: nil)
    if let comparison, score >= leastScore {
      var registration = RidgeRegistration()
      registration.refine(comparison.motion, probe: ridges, gallery: known, rounds: 3, every: 2)
      registration.stretch(probe: ridges, gallery: known)
      return Placed(registration: registration, score: score)
    }
    guard touch.flow.isSmall,
      let match = search.best(probe: touch, gallery: mosaic, hint: comparison?.motion)
    else { return nil }
    let both = ScoreScale.score(likeness: likeness, evidence: match.evidence)
    return both >= leastScore ? Placed(registration: match.registration, score: both) : nil
  }

  /// A touch's place.
  struct Placed: Sendable {
    let registration: RidgeRegistration
    /// How rarely a stranger's touch gets as far, see ``ScoreScale``.
    let score: Double
  }
}
