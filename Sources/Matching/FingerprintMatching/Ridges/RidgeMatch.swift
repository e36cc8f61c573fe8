/// What the ridges of a small touch say about where on a finger it is, and whether it is there.
struct RidgeMatch: Sendable {
  /// Mean agreement that strangers' ridges reach at their best place, once they were registered.
  ///
  /// Of FVC2002 patches of 88 pixels at a false match rate of 0.1 %, 0.4, 0.5, 0.6 and 0.7 missed
  /// 71, 68, 61 and 54 %, at equal errors 17, 16, 16 and 18 %.
  static let chance: Float = 0.6
  /// Minutiae of the probe and the gallery closer than this are a pair, in pixels: a ridge period.
  static let pairDistance: Float = 9
  /// Cosine of the angle by which directions of a pair may differ (45 degrees).
  static let pairCosine: Float = 0.7

  /// What a pair of minutiae is worth that is barely one, and how much more one whose places and
  /// directions are the same; see ``RidgeTestimony`` for where the values come from.
  static let pairValue: (any: Float, exact: Float) = (0.65, 1.13)
  /// The most that ridges count without a pair of minutiae, and how much more for what pairs count.
  ///
  /// Parallel ridges lie on any others, the smoother the better: of 2,760 comparisons of synthetic
  /// strangers 1 % scored above 9.5 when ridges counted up to 11 alone. Of owners' touches with
  /// less than two pairs none reached the threshold even so. No picture without minutiae comes near
  /// it.
  static let mostTestimony: (alone: Float, vouched: Float) = (7, 2)
  /// What is taken away, so that 0 means that it is as likely an owner's touch as a stranger's
  /// where one comparison in ten is an owner's.
  static let offset: Float = 5.76

  var registration = RidgeRegistration()
  /// What the cells say.
  private(set) var testimony = RidgeTestimony()
  /// What the pairs of minutiae say.
  private(set) var paired: Float = 0

  /// How much speaks for the touch being of the finger: nearly the natural logarithm of how much
  /// likelier it makes an owner than a stranger.
  var ridgeScore: Float {
    let most = Self.mostTestimony.alone + Self.mostTestimony.vouched * paired
    return min(testimony.value, most) + paired - Self.offset
  }

  /// Judges the place that ``registration`` has come to.
  mutating func judge(probe: PrintView, gallery: PrintView) {
    testimony = registration.agreement.testimony(bends: probe.sheet?.bends ?? [])
    paired = paired(probe: probe, gallery: gallery)
  }

  private func paired(probe: PrintView, gallery: PrintView) -> Float {
    var taken = MinutiaSet()
    var sum: Float = 0
    for point in probe.points {
      let place = registration.place(of: point.place.x, point.place.y, in: probe.flow.grid)
      let direction = registration.motion.turn(point.direction)
      var nearest: (index: Int, distance: Float, cosine: Float)?
      for (j, other) in gallery.points.enumerated() where !taken.contains(j) {
        let off = other.place - place
        let distance = (off * off).sum().squareRoot()
        guard distance < nearest?.distance ?? Self.pairDistance else { continue }
        let cosine = (other.direction * direction).sum()
        guard cosine > Self.pairCosine else { continue }
        nearest = (j, distance, cosine)
      }
      guard let nearest else { continue }
      taken.insert(nearest.index)
      let near = 1 - nearest.distance / Self.pairDistance
      let alike = (nearest.cosine - Self.pairCosine) / (1 - Self.pairCosine)
      sum += Self.pairValue.any + Self.pairValue.exact * near * alike
    }
    return sum
  }
}

/// What the cells of a touch say for and against its ridges being those of a finger.
///
/// Strangers' parallel ridges lie on each other well enough once they may shift, turn and stretch,
/// so that the mean agreement tells little. Three things tell more: cells whose ridges are the same
/// to a tenth of a period, cells that are as clear but lie beside each other, and what becomes of
/// cells in which ridges bend, since no shift brings a stranger's bend onto another.
///
/// All weights, those of pairs of minutiae and of likeness (``ScoreScale``) too, are those of a
/// logistic regression on the best places of FVC2002 DB1_B to DB4_B, patches of 88 pixels against
/// fingers of fifteen, in the order in which the features lowered its loss on the set left out.
/// At a false match rate of 1 and 0.1 % the sum of agreement above chance and of pairs by their
/// quality, which it replaces, missed 33 and 50 % there and 38 and 56 % of FVC2000 DB1_B and DB2_B
/// and FVC2004 DB1_B and DB2_B, on which nothing was fitted; this missed 26 and 37 %, 31 and 38 %.
/// Clarity, period, direction and bending of the skin, minutiae without a partner and boosted trees
/// over all of these gave no more.
struct RidgeTestimony: Sendable {
  /// Agreement above which a cell counts as the same, and its worth for each 1 above.
  private static let same: (above: Float, worth: Float) = (0.9, 1.6)
  /// How much more alike than they agree the ridges of a cell are before that counts against, and
  /// how much for each 1 above.
  private static let beside: (above: Float, worth: Float) = (0.3, 0.17)
  /// What agreement and lying beside count where ridges bend.
  private static let bent: (agreement: Float, beside: Float) = (0.33, 0.8)

  private(set) var value: Float = 0

  /// Takes a cell into account.
  ///
  /// - Parameters:
  ///   - agreement: See ``RidgeAgreement/agreement(in:)``.
  ///   - beside: By how much less that is than if the ridges were shifted by the cell's own offset.
  ///   - bend: See ``PhaseField/bends``.
  ///   - share: How much of the cell both show, 0...1.
  mutating func add(agreement: Float, beside: Float, bend: Float, share: Float) {
    let same = Self.same.worth * max(agreement - Self.same.above, 0)
    let apart = Self.beside.worth * max(beside - Self.beside.above, 0)
    let bent = bend * (Self.bent.agreement * agreement - Self.bent.beside * beside)
    value += share * (same - apart + bent)
  }
}
