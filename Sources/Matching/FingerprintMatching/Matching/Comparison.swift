/// What speaks for and against two impressions being of one finger, under their best alignment.
struct Comparison: Sendable {
  /// Flow that differs by this much does not agree at all: 42 degrees, 256 steps for half a turn.
  static let flowLimit = 60

  /// The pair that the pairing grew from.
  let seed: (probe: Int, gallery: Int)
  /// From the probe's pixels to the gallery view's.
  let skin: SkinMotion
  /// Sum over the pairs of fit times likeness of surroundings.
  let strength: Float
  /// Minutiae of each print that should have a partner, weighed by their quality.
  let expectedInProbe: Float
  let expectedInGallery: Float
  let pairedInProbe: Float
  let pairedInGallery: Float
  /// Mean agreement of the ridge flow where both show ridges, 0...1.
  private(set) var flowAgreement: Float

  /// The turn and shift alone.
  var motion: RigidMotion { skin.rigid }

  /// Judges a pairing.
  ///
  /// - Returns: Nil where its ``likeness`` is not more than `least`.
  init?(
    _ pairing: PairingSummary, probe: PrintView, gallery: PrintView, betterThan least: Float
  ) {
    seed = pairing.seed
    skin = pairing.motion
    strength = pairing.strength
    (expectedInProbe, pairedInProbe) = Self.quality(
      of: probe, paired: pairing.probe, under: skin, on: gallery)
    (expectedInGallery, pairedInGallery) = Self.quality(
      of: gallery, paired: pairing.gallery, under: skin.inverse, on: probe)
    flowAgreement = 1
    // The flow can only make it less.
    guard likeness > least else { return nil }
    flowAgreement = Self.flowAgreement(skin, probe: probe.flow, gallery: gallery.flow)
    guard likeness > least else { return nil }
  }

  /// The quality of a print's minutiae that should have a partner, and of those that have one.
  private static func quality(
    of print: PrintView, paired: MinutiaSet, under motion: SkinMotion, on other: PrintView
  ) -> (expected: Float, paired: Float) {
    var (expected, found) = (Float(0), Float(0))
    for (k, minutia) in print.minutiae.enumerated() {
      let isPaired = paired.contains(k)
      if !isPaired {
        let place = motion.apply(minutia.x, minutia.y)
        guard other.flow.cell(at: place.x, place.y) != nil else { continue }
      }
      expected += minutia.quality
      if isPaired { found += minutia.quality }
    }
    return (expected, found)
  }

  /// How well the flow agrees where both show ridges, on every second cell of every second row.
  private static func flowAgreement(
    _ motion: SkinMotion, probe: OrientationField, gallery: OrientationField
  ) -> Float {
    var (agreement, weight) = (0, 0)
    probe.compare(with: gallery, under: motion) { own, other, angle in
      let clear = Int(min(probe.clarity[own], gallery.clarity[other]))
      agreement += clear * (Self.flowLimit - min(angle, Self.flowLimit))
      weight += clear
    }
    return weight > 0 ? Float(agreement) / Float(weight * Self.flowLimit) : 0
  }

  /// One figure for all of it, 0 where nothing is alike; ``ScoreScale`` says what it means.
  ///
  /// The strength of the pairing, less where minutiae that should have a partner have none, and
  /// much less where the ridges run differently. The exponents are those with the fewest misses at
  /// a false match rate of 1/50,000 over the 51,040 pairs of FVC2002 DB1_B to DB4_B; from 1 to 1.5
  /// and from 2 to 4 they change little.
  var likeness: Float {
    let expected = max(expectedInProbe * expectedInGallery, 1e-3)
    let share = (pairedInProbe * pairedInGallery / expected).squareRoot()
    return strength * share * flowAgreement * flowAgreement * flowAgreement
  }
}
