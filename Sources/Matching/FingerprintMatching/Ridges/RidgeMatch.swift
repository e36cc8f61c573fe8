/// What the ridges of a small touch say about where on a finger it is, and whether it is there.
struct RidgeMatch: Sendable {
  /// Mean agreement that strangers' ridges reach at their best place, after registration.
  ///
  /// Of FVC2002 patches of 88 pixels at a false match rate of 0.1 %, 0.4, 0.5, 0.6 and 0.7 missed
  /// 71, 68, 61 and 54 %, at equal errors 17, 16, 16 and 18 %.
  static let chance: Float = 0.6
  /// Minutiae of probe and gallery closer than this are a pair, in pixels: a ridge period.
  static let pairDistance: Float = 9
  /// Cosine of the greatest angle between the directions of a pair (45 degrees).
  static let pairCosine: Float = 0.7

  /// What a barely matching pair of minutiae counts, and how much more an exact one; see
  /// ``RidgeTestimony`` for where the values come from.
  static let pairValue: (any: Float, exact: Float) = (1.08, 1.88)
  /// The most that ridges count without a pair of minutiae, and how much more per value of the
  /// pairs.
  ///
  /// Parallel ridges lie on any others, the smoother the better. No picture without minutiae comes
  /// near the threshold.
  static let mostTestimony: (alone: Float, vouched: Float) = (6.7, 2)

  /// What agreement counts less for a turned finger: for each 1 that the cosine is below 1, and the
  /// most. Of owners' touches of FVC2002 none is turned by more than 40 degrees; the best places of
  /// strangers are turned by any angle.
  private static let (turned, mostTurn) = (Float(5.3), Float(0.6))
  /// What pairs of minutiae count beside agreement, see ``RidgeTestimony/likelySum``.
  private static let likelyPair: Float = 0.47

  /// Clarity above which ridges that object count more, in proportion.
  ///
  /// The ridges of some owners object because they are unclear: of 311 touches at 88 pixels that pass
  /// on FVC, 15 pass so by their minutiae, with a clarity of 0.25 to 0.55, and still do. Of 204,000 of
  /// synthetic strangers two passed so, with 0.7 and more.
  private static let unclear: Float = 0.3

  var registration = RidgeRegistration()
  private(set) var testimony = RidgeTestimony()
  /// What the pairs of minutiae count.
  private(set) var paired: Float = 0
  /// The mean clarity of the touch where both show ridges, 0...1.
  private(set) var clarity: Float = 0

  /// How much speaks for the touch being of the finger: nearly the natural logarithm of the
  /// likelihood ratio of owner and stranger.
  var score: TouchScore {
    let most = Self.mostTestimony.alone + Self.mostTestimony.vouched * paired
    let ridges = testimony.sum < 0 ? testimony.sum * max(clarity / Self.unclear, 1) : testimony.sum
    let turned = Self.turned * min(1 - registration.motion.cosine, Self.mostTurn)
    return TouchScore(
      sure: Double(min(ridges, most) + paired),
      likely: Double(testimony.likelySum + Self.likelyPair * paired - turned))
  }

  /// Judges the place that ``registration`` has found.
  mutating func judge(probe: PrintView, gallery: PrintView) {
    testimony = registration.agreement.testimony(bends: probe.sheet?.bends ?? [])
    paired = paired(probe: probe, gallery: gallery)
    clarity = registration.agreement.excess(clarity: probe.flow.clarity).clarity
  }

  /// The minutiae that lie on each other at that place, judged as if they had been paired first.
  func comparison(probe: PrintView, gallery: PrintView) -> Comparison? {
    var fit = MotionFit()
    var strength: Float = 0
    var (own, others) = (MinutiaSet(), MinutiaSet())
    forEachPair(probe, gallery) { i, j, distance, cosine in
      let off = distance / Self.pairDistance
      let cost = 0.5 * off * off + 0.5 * (1 - cosine) / (1 - MinutiaPairing.leastCosine)
      guard cost < 1 else { return }
      strength += (1 - cost).squareRoot() * probe.similarity(of: i, to: j, in: gallery)
      fit.add(probe.points[i], gallery.points[j])
      own.insert(i)
      others.insert(j)
    }
    guard strength > 0 else { return nil }
    return Comparison(
      PairingSummary(
        seed: (0, 0), motion: fit.motion, strength: strength, probe: own, gallery: others),
      probe: probe, gallery: gallery, betterThan: -.infinity)
  }

  private func paired(probe: PrintView, gallery: PrintView) -> Float {
    var sum: Float = 0
    forEachPair(probe, gallery) { _, _, distance, cosine in
      let near = 1 - distance / Self.pairDistance
      let alike = (cosine - Self.pairCosine) / (1 - Self.pairCosine)
      sum += Self.pairValue.any + Self.pairValue.exact * near * alike
    }
    return sum
  }

  /// Visits the pairs of minutiae that lie on each other, with their distance in pixels and the
  /// cosine of the angle between them.
  private func forEachPair(
    _ probe: PrintView, _ gallery: PrintView, _ visit: (Int, Int, Float, Float) -> Void
  ) {
    var taken = MinutiaSet()
    for (i, point) in probe.points.enumerated() {
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
      visit(i, nearest.index, nearest.distance, nearest.cosine)
    }
  }
}

/// What the cells of a touch say for and against its ridges being those of a finger.
///
/// Strangers' parallel ridges lie on each other well enough once they may shift, turn and stretch,
/// so the mean agreement says little. Three things say more: cells whose ridges agree to a tenth of
/// a period, cells that are as clear but lie beside each other, and cells in which ridges bend,
/// since no shift brings a stranger's bend onto another.
///
/// All weights, including those of pairs of minutiae and of likeness (``ScoreScale``), were fitted
/// to owners of FVC2002 DB1_B to DB4_B and of 45 synthetic fingers: they let in the most where the
/// exponential tail of 24,000 comparisons of synthetic strangers ends at once in e to the 14. There
/// the mean agreement of these strangers is 0.7 to 0.9 and that of owners 0.93, so cells that lie
/// beside each other count much. Minutiae without a partner, the stretch that the skin needs, and
/// what the same touch in a mirror scores told no more.
struct RidgeTestimony: Sendable {
  /// Agreement above which a cell counts as the same.
  private static let sameAbove: Float = 0.9
  /// What a small touch's cells are worth: for each 1 of agreement above ``sameAbove``, for each 1
  /// that they lie beside each other, and for both if ridges bend.
  private static let small: Worth = (
    same: 1.58, beside: 0.71, bent: (agreement: 0.25, beside: 1.75)
  )
  /// The same for the mean over the cells of a larger touch. Its cells repeat what others say:
  /// fitted at 88, 128 and 160 pixels apart, the worth of a cell falls as their number grows.
  private static let mean: Worth = (same: 220, beside: 10, bent: (agreement: 50, beside: 180))

  private typealias Worth = (same: Float, beside: Float, bent: (agreement: Float, beside: Float))

  private var shown: Float = 0
  private var same: Float = 0
  private var beside: Float = 0
  private var bent = (agreement: Float(0), beside: Float(0))

  /// - Parameters:
  ///   - agreement: See ``RidgeAgreement/agreement(in:)``.
  ///   - beside: How much higher the agreement would be after shifting the ridges by the cell's own
  ///     offset.
  ///   - bend: See ``PhaseField/bends``.
  ///   - share: The share of the cell both show.
  mutating func add(agreement: Float, beside: Float, bend: Float, share: Float) {
    shown += share
    same += share * max(agreement - Self.sameAbove, 0)
    self.beside += share * beside
    bent.agreement += share * bend * agreement
    bent.beside += share * bend * beside
  }

  /// What a small touch's cells say.
  var sum: Float { sum(Self.small) }

  /// What a small touch's agreement says below ``TouchScore/sure``, by a logistic regression on the
  /// best places of FVC2002 DB1_B to DB4_B. The number of cells that both show tells much: owners'
  /// ridges agree all over.
  var likelySum: Float { 0.4 * same - 0.29 * beside + 0.078 * shown }

  /// What the cells of a larger touch say.
  ///
  /// - `cells`: How many it has, 1 or more; those that the finger does not show say nothing.
  func mean(of cells: Int) -> Float { sum(Self.mean) / Float(cells) }

  private func sum(_ worth: Worth) -> Float {
    worth.same * same - worth.beside * beside + worth.bent.agreement * bent.agreement
      - worth.bent.beside * bent.beside
  }
}
