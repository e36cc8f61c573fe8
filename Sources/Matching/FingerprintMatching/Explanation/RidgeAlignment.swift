/// How a probe's ridges lie on a gallery print's once the skin was let stretch: what joining
/// touches and the evidence of small ones rest on.
package struct RidgeAlignment: Sendable {
  /// A cell of the probe that shows ridges.
  package struct Cell: Hashable, Sendable {
    /// Where its middle comes to lie on the gallery's working image, in pixels, by turning and
    /// moving the probe alone.
    package let place: SIMD2<Float>
    /// How much farther stretching takes it, in pixels.
    package let shift: SIMD2<Float>
    /// How well the ridges lie on each other then, -1 (ridges on valleys) to 1; nil where the
    /// gallery print shows none.
    package let agreement: Float?
  }

  package let cells: [Cell]
  /// Agreement that strangers' ridges reach; what is above it is evidence.
  package let chance = RidgeMatch.chance

  /// Brings the ridges of a probe onto those of a gallery print, from where the minutiae say that
  /// it lies; a small probe is searched for by its ridges too.
  ///
  /// Nil where nothing says where it lies.
  init?(probe: PrintFeatures, gallery: PrintFeatures) {
    let (a, b) = (probe.view, gallery.view)
    guard let own = a.sheet, let other = b.sheet else { return nil }
    var minutiae = MinutiaSearch()
    let comparison = minutiae.best(probe: a, gallery: b)
    var registration = RidgeRegistration()
    if a.flow.isSmall {
      var search = RidgeSearch()
      let found = search.best(probe: a, gallery: b, hint: comparison?.motion)
      guard let match = found else { return nil }
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
