/// How a probe lies on a gallery print, and what agrees there. Explanations use ``Comparison`` and
/// ``MinutiaPairing`` only here.
package struct PrintAlignment: Sendable {
  /// Two paired minutiae, by their numbers in ``PrintFeatures/minutiae``.
  package struct Pair: Hashable, Sendable {
    package let probe: Int
    package let gallery: Int
    /// How well place and direction fit, 0...1.
    package let fit: Double
    /// How alike the surroundings are, 0...1.
    package let similarity: Double
  }

  package let pairs: [Pair]
  /// What the score is made of.
  package let parts: [MatchExplanation.Part]
  /// How well the directions of both prints' ridges agree, 0...1, in each cell of the gallery
  /// image; -1 unless both show ridges.
  package let flowAgreement: SampleField

  private let motion: SkinMotion

  /// The turn of the probe, radians from x towards y.
  package var rotation: Double { Double(motion.rigid.rotation) }

  /// Where a place of the probe's working image lies on the gallery's.
  package func placeInGallery(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    motion.apply(x, y)
  }

  /// The place of the probe's working image that lies here on the gallery's.
  package func placeInProbe(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    motion.inverse.apply(x, y)
  }

  /// - `cells`: Any field with the cells of the gallery's working image.
  init?(probe: PrintFeatures, gallery: PrintFeatures, cells: SampleField) {
    let (a, b) = (probe.view, gallery.view)
    var search = MinutiaSearch()
    guard let best = search.best(probe: a, gallery: b) else { return nil }
    var pairing = MinutiaPairing()
    pairing.grow(from: best.seed, probe: a, gallery: b)
    pairs = pairing.pairs.map {
      Pair(
        probe: $0.probe, gallery: $0.gallery, fit: Double($0.fit),
        similarity: Double($0.similarity))
    }
    parts = Self.parts(of: best, pairs: pairs.count)
    // Views count from the corner of the ridges, explanations from that of the image.
    let (from, to) = (probe.origin, gallery.origin)
    motion = best.skin.counted(from: SIMD2(from.x, from.y), to: SIMD2(to.x, to.y))
    flowAgreement = Self.flowAgreement(best.skin, a.flow, b.flow, corner: to, cells: cells)
  }

  private static func parts(of best: Comparison, pairs: Int) -> [MatchExplanation.Part] {
    [
      .init(name: "pairs", value: Double(pairs), meaning: "minutiae taken for the same"),
      .init(
        name: "strength", value: Double(best.strength),
        meaning: "the pairs, weighed by fit and by how alike their surroundings are"),
      .init(
        name: "paired in A", value: Double(best.pairedInProbe / max(best.expectedInProbe, 1e-3)),
        meaning: "share of A's minutiae where B shows ridges that have a partner, by quality"),
      .init(
        name: "paired in B",
        value: Double(best.pairedInGallery / max(best.expectedInGallery, 1e-3)),
        meaning: "share of B's minutiae where A shows ridges that have a partner, by quality"),
      .init(
        name: "flow agreement", value: Double(best.flowAgreement),
        meaning: "mean agreement of the ridges' directions where both show ridges"),
      .init(
        name: "likeness", value: Double(best.likeness),
        meaning: "all of it; what the score grows with"),
    ]
  }

  private static func flowAgreement(
    _ motion: SkinMotion, _ probe: OrientationField, _ gallery: OrientationField,
    corner: (x: Float, y: Float), cells: SampleField
  ) -> SampleField {
    let back = motion.inverse
    let turn = OrientationField.steps(ofTurn: motion.rigid)
    let side = Float(CellGrid.side)
    var samples: [Float] = []
    for row in 0..<cells.height {
      for column in 0..<cells.width {
        let x = (Float(column) + 0.5) * side - corner.x
        let y = (Float(row) + 0.5) * side - corner.y
        let place = back.apply(x, y)
        guard let own = gallery.cell(at: x, y), let other = probe.cell(at: place.x, place.y) else {
          samples.append(-1)
          continue
        }
        let angle = OrientationField.angle(
          probe.orientation[other], turnedBy: turn, gallery.orientation[own])
        let away = Float(min(angle, Comparison.flowLimit))
        samples.append(1 - away / Float(Comparison.flowLimit))
      }
    }
    return SampleField(width: cells.width, height: cells.height, samples: samples)
  }
}

/// How a probe's ridges lie on a gallery print's once the skin may stretch: the basis for joining
/// touches and for the evidence of small ones.
package struct RidgeAlignment: Sendable {
  /// A cell of the probe that shows ridges.
  package struct Cell: Hashable, Sendable {
    /// Where its middle lies on the gallery's working image, in pixels, after only turning and
    /// moving the probe.
    package let place: SIMD2<Float>
    /// How much farther stretching takes it, in pixels.
    package let shift: SIMD2<Float>
    /// How well the ridges then lie on each other, -1 (ridges on valleys) to 1; nil if the gallery
    /// print shows none.
    package let agreement: Float?
  }

  package let cells: [Cell]
  /// Agreement that strangers' ridges reach; only more is evidence.
  package let chance = RidgeMatch.chance

  /// Brings the ridges of a probe onto those of a gallery print, starting where the minutiae place
  /// it; a small probe is also searched for by its ridges. Nil if its place is unknown.
  init?(probe: PrintFeatures, gallery: PrintFeatures) {
    let (a, b) = (probe.view, gallery.view)
    guard let own = a.sheet, let other = b.sheet else { return nil }
    var minutiae = MinutiaSearch()
    let comparison = minutiae.best(probe: a, gallery: b)
    var registration = RidgeRegistration()
    if a.flow.isSmall {
      var search = RidgeSearch()
      _ = search.score(probe: a, gallery: b, hint: comparison?.motion)
      guard let match = search.found else { return nil }
      registration = match.registration
    } else {
      guard let comparison else { return nil }
      var pairing = MinutiaPairing()
      pairing.grow(from: comparison.seed, probe: a, gallery: b)
      registration.follow(pairing, probe: a, gallery: b, own, other)
    }
    // Views count from the corner of the ridges, explanations from that of the image.
    let corner = SIMD2(gallery.origin.x, gallery.origin.y)
    let grid = own.grid
    let side = Float(CellGrid.side)
    cells = (0..<grid.count).filter { own.flow.clarity[$0] > 0 }.map { cell in
      let x = (Float(cell % grid.columns) + 0.5) * side
      let y = (Float(cell / grid.columns) + 0.5) * side
      let moved = registration.motion.apply(x, y)
      let place = SIMD2(moved.x, moved.y)
      return Cell(
        place: place + corner, shift: registration.place(of: x, y, in: grid) - place,
        agreement: registration.agreement.agreement(in: cell))
    }
  }
}
