/// Finds where a touch lies on what is known of a finger.
struct TouchPlacing: Sendable {
  /// Likeness from which on minutiae are taken to be aligned: chance reaches it once in several
  /// thousand comparisons, and a touch that is offered is most likely of the finger.
  static let leastLikeness: Float = 1.2
  /// Evidence from which on ridges are taken to be aligned.
  ///
  /// Of FVC2002 patches of 88 pixels, strangers' reach it once in fifteen comparisons with a finger;
  /// asking for less joins what does not belong together, asking for more leaves parts of the
  /// finger unknown where they meet.
  static let leastEvidence: Float = 20

  private var minutiae = MinutiaSearch()
  private var search = RidgeSearch()

  /// Where a touch lies on a mosaic, nil where nothing says so.
  ///
  /// - Returns: How it lies, and its likeness by minutiae.
  mutating func place(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    let comparison = minutiae.best(probe: touch, gallery: mosaic)
    let likeness = comparison?.likeness ?? 0
    guard let ridges = touch.sheet, let known = mosaic.sheet else { return nil }
    if let comparison, likeness >= Self.leastLikeness {
      var registration = RidgeRegistration()
      registration.refine(comparison.motion, probe: ridges, gallery: known, rounds: 3, every: 2)
      registration.stretch(probe: ridges, gallery: known)
      return Placed(registration: registration, rank: 1000 + likeness)
    }
    guard touch.flow.isSmall,
      let match = search.best(probe: touch, gallery: mosaic, hint: comparison?.motion),
      match.evidence >= Self.leastEvidence
    else { return nil }
    return Placed(registration: match.registration, rank: match.evidence)
  }

  /// A touch's place.
  struct Placed: Sendable {
    let registration: RidgeRegistration
    /// The higher the surer; minutiae are surer than ridges.
    let rank: Float
  }
}
