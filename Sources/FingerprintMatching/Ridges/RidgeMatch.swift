/// What the ridges of a small touch say about where on a finger it is, and whether it is there.
struct RidgeMatch: Sendable {
  /// Mean agreement that strangers' ridges reach at their best place, once they were registered.
  ///
  /// Of FVC2002 patches of 88 pixels at a false match rate of 0.1 %, 0.4, 0.5, 0.6 and 0.7 missed 71,
  /// 68, 61 and 54 %, at equal errors 17, 16, 16 and 18 %.
  static let chance: Float = 0.6
  /// What a pair of clear minutiae is worth, in cells that agree fully.
  static let pairValue: Float = 15
  /// Minutiae of the probe and the gallery closer than this are a pair, in pixels: a ridge period.
  static let pairDistance: Float = 9
  /// Cosine of the angle by which directions of a pair may differ (45 degrees).
  static let pairCosine: Float = 0.7

  /// The most that agreement without a minutia counts.
  ///
  /// Parallel ridges lie on any others, and the strangers that came highest had nothing else: of
  /// 12,480 the highest seven had a surplus of 26 to 28 and no pair. At 28 the limit costs owners
  /// nothing, and no picture without minutiae reaches ``PrintMatcher/threshold``.
  static let mostSurplus: Float = 30

  var registration = RidgeRegistration()
  /// See ``RidgeAgreement/surplus``.
  private(set) var surplus: Float = 0
  /// Sum over the pairs of minutiae of their quality, less the farther apart they are.
  private(set) var paired: Float = 0

  /// How much speaks for the touch being of the finger; about 0 where nothing does.
  var evidence: Float { min(surplus, Self.mostSurplus) + Self.pairValue * paired }

  /// Judges the place that ``registration`` has come to.
  mutating func judge(probe: PrintView, gallery: PrintView) {
    surplus = registration.agreement.surplus
    paired = paired(probe: probe, gallery: gallery)
  }

  private func paired(probe: PrintView, gallery: PrintView) -> Float {
    var taken = MinutiaSet()
    var sum: Float = 0
    for (k, point) in probe.points.enumerated() {
      let place = registration.place(of: point.place.x, point.place.y, in: probe.flow.grid)
      let direction = registration.motion.turn(point.direction)
      var nearest: (index: Int, distance: Float)?
      for (j, other) in gallery.points.enumerated() where !taken.contains(j) {
        let off = other.place - place
        let distance = (off * off).sum().squareRoot()
        guard distance < nearest?.distance ?? Self.pairDistance else { continue }
        guard (other.direction * direction).sum() > Self.pairCosine else { continue }
        nearest = (j, distance)
      }
      guard let nearest else { continue }
      taken.insert(nearest.index)
      let quality = min(probe.minutiae[k].quality, gallery.minutiae[nearest.index].quality)
      sum += quality * (1 - 0.75 * nearest.distance / Self.pairDistance)
    }
    return sum
  }
}
