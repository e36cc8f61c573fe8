internal import Glibc

/// Brings a probe's ridges onto those of a gallery sheet: as a whole, then as skin stretches.
///
/// Ridges only say how far they are off across them, so each cell gives one equation and its
/// surroundings the other, as with the aperture of optical flow (Lucas and Kanade, "An iterative
/// image registration technique", 1981); here with the phase of the ridges in place of gray levels
/// (phase differences: Fleet and Jepson 1990).
struct RidgeRegistration: Sendable {
  /// Widths of the neighborhoods in which skin moves together, in cells, in the order of the
  /// rounds.
  ///
  /// Of FVC2002 patches of 88 pixels at a false match rate of 1 %, (6), (4), (4, 3) and (3, 2)
  /// missed 43, 42, 38 and 46 %.
  static let neighborhoods: [Float] = [4, 3]
  /// Keeps the skin in place if there are no ridges, and makes it stiff; in sure cells.
  static let stiffness: Float = 0.05
  /// The same for the motion as a whole.
  static let inertia: Float = 0.1
  /// A turn counts by how far it moves a point this many pixels away.
  private static let arm: Float = 30

  private(set) var agreement = RidgeAgreement()
  private(set) var motion = RigidMotion.none
  /// How much farther each cell of the probe lies, in pixels; empty before
  /// ``stretch(probe:gallery:)``.
  private(set) var shifts: [SIMD2<Float>] = []

  /// A minutia of the probe, and how far its own motion is from the common motion of all pairs.
  private struct Anchor: Sendable {
    let place: SIMD2<Float>
    let rest: SIMD2<Float>
  }

  /// How far a pair of minutiae moves the skin around it, in pixels, and how strongly that is held
  /// back, in pairs.
  private static let anchorReach: Float = 50
  private static let anchorInertia: Float = 0.3
  private var anchors: [Anchor] = []

  /// The sums of the normal equations of each cell: n nᵀ, three entries, and the weights; then n d.
  private var squares: [SIMD4<Float>] = []
  private var offsets: [SIMD4<Float>] = []
  private var smoothing = CellSmoothing()

  /// Improves a motion that is at most about a third of a ridge period off.
  mutating func refine(
    _ start: RigidMotion, probe: PhaseField, gallery: PhaseField, rounds: Int, every: Int
  ) {
    motion = start
    shifts.removeAll(keepingCapacity: true)
    agreement.measure(motion, shifts: shifts, probe: probe, gallery: gallery, every: every)
    for _ in 0..<rounds {
      guard let next = bettered(probe) else { return }
      motion = next
      agreement.measure(motion, shifts: shifts, probe: probe, gallery: gallery, every: every)
    }
  }

  /// The motion after the shift and turn that fit the offsets of all cells best.
  private func bettered(_ probe: PhaseField) -> RigidMotion? {
    var weights = SIMD2<Float>.zero
    var total: Float = 0
    for cell in 0..<probe.grid.count where agreement.counts[cell] > 0 {
      weights += agreement.counts[cell] * Self.middle(of: cell, probe.grid)
      total += agreement.counts[cell]
    }
    guard total > 0.1 else { return nil }
    let center = motion.apply(weights.x / total, weights.y / total)
    var fit = ShiftAndTurnFit(inertia: Self.inertia)
    for cell in 0..<probe.grid.count where agreement.counts[cell] > 0 {
      guard let offset = agreement.offset(in: cell, period: probe.periods[cell]) else { continue }
      let middle = Self.middle(of: cell, probe.grid)
      let place = motion.apply(middle.x, middle.y)
      let normal = agreement.normals[cell]
      let lever = ((place.x - center.x) * normal.y - (place.y - center.y) * normal.x) / Self.arm
      fit.add(SIMD3(normal.x, normal.y, lever), offset.pixels, weight: offset.weight)
    }
    guard let change = fit.solution else { return nil }
    let turn = change.z / Self.arm
    return RigidMotion(
      cosine: cosf(turn), sine: sinf(turn), taking: center.x, center.y, to: center.x + change.x,
      center.y + change.y
    ).after(motion)
  }

  /// Lets the skin stretch.
  mutating func stretch(probe: PhaseField, gallery: PhaseField) {
    let grid = probe.grid
    shifts.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    for sigma in Self.neighborhoods {
      relax(sigma: sigma, probe: probe)
      agreement.measure(motion, shifts: shifts, probe: probe, gallery: gallery, every: 1)
    }
  }

  /// Moves each cell as the offsets around it ask for.
  private mutating func relax(sigma: Float, probe: PhaseField) {
    let grid = probe.grid
    squares.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    offsets.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    for cell in 0..<grid.count where agreement.counts[cell] > 0 {
      guard let offset = agreement.offset(in: cell, period: probe.periods[cell]) else { continue }
      let n = agreement.normals[cell]
      squares[cell] = offset.weight * SIMD4(n.x * n.x, n.x * n.y, n.y * n.y, 1)
      offsets[cell] = offset.weight * offset.pixels * SIMD4(n.x, n.y, 0, 0)
    }
    smoothing.smooth(&squares, on: grid, sigma: sigma)
    smoothing.smooth(&offsets, on: grid, sigma: sigma)
    for cell in 0..<grid.count where probe.flow.clarity[cell] > 0 {
      let (a, b) = (squares[cell], offsets[cell])
      let (xx, xy, yy) = (a.x + Self.stiffness, a.y, a.z + Self.stiffness)
      let determinant = xx * yy - xy * xy
      shifts[cell] += SIMD2(yy * b.x - xy * b.y, xx * b.y - xy * b.x) / determinant
    }
  }

  /// Lays the skin as pairs of minutiae say, then lets it stretch.
  ///
  /// Between pairs, each cell follows their common motion and the rest of the pairs around it, the
  /// nearer the more.
  ///
  /// - `touch`: The probe's ridges.
  /// - `finger`: The gallery's ridges.
  mutating func follow(
    _ pairing: MinutiaPairing, probe: PrintView, gallery: PrintView, _ touch: PhaseField,
    _ finger: PhaseField
  ) {
    let (skin, grid) = (pairing.motion, touch.grid)
    motion = skin.rigid
    anchors.removeAll(keepingCapacity: true)
    anchors.reserveCapacity(PrintView.mostMinutiae)
    for pair in pairing.pairs {
      let own = probe.points[pair.probe].place
      let place = skin.apply(own.x, own.y)
      anchors.append(
        Anchor(place: own, rest: gallery.points[pair.gallery].place - SIMD2(place.x, place.y)))
    }
    shifts.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    for cell in 0..<grid.count where touch.flow.clarity[cell] > 0 {
      let middle = Self.middle(of: cell, grid)
      let (turned, moved) = (motion.apply(middle.x, middle.y), skin.apply(middle.x, middle.y))
      shifts[cell] = SIMD2(moved.x - turned.x, moved.y - turned.y) + rest(at: middle)
    }
    agreement.measure(motion, shifts: shifts, probe: touch, gallery: finger, every: 2)
    for sigma in Self.neighborhoods {
      relax(sigma: sigma, probe: touch)
      agreement.measure(motion, shifts: shifts, probe: touch, gallery: finger, every: 2)
    }
  }

  /// How far the pairs around a place are from their common motion, in pixels.
  private func rest(at place: SIMD2<Float>) -> SIMD2<Float> {
    var (sum, total) = (SIMD2<Float>.zero, Self.anchorInertia)
    for anchor in anchors {
      let off = anchor.place - place
      let near = 1 / (1 + (off * off).sum() / (Self.anchorReach * Self.anchorReach))
      sum += near * near * anchor.rest
      total += near * near
    }
    return sum / total
  }

  /// Where a point of the probe lies on the gallery sheet.
  func place(of x: Float, _ y: Float, in grid: CellGrid) -> SIMD2<Float> {
    let there = motion.apply(x, y)
    return SIMD2(there.x, there.y) + shift(at: x, y, in: grid)
  }

  /// The point of the probe that lies at a place of the gallery sheet, nearly: skin moves little
  /// more or less from cell to cell.
  func source(of place: SIMD2<Float>, in grid: CellGrid) -> SIMD2<Float> {
    let back = motion.inverse
    let near = back.apply(place.x, place.y)
    let shift = shift(at: near.x, near.y, in: grid)
    let exact = back.apply(place.x - shift.x, place.y - shift.y)
    return SIMD2(exact.x, exact.y)
  }

  private func shift(at x: Float, _ y: Float, in grid: CellGrid) -> SIMD2<Float> {
    guard !shifts.isEmpty else { return .zero }
    let side = Float(CellGrid.side)
    let column = Int(min(max(x / side, 0), Float(grid.columns - 1)))
    let row = Int(min(max(y / side, 0), Float(grid.rows - 1)))
    return shifts[row * grid.columns + column]
  }

  /// Overwrites the remains of the ridges.
  mutating func wipe() {
    agreement.wipe()
    motion = .none
    shifts.wipe(with: .zero)
    anchors.wipe(with: Anchor(place: .zero, rest: .zero))
    squares.wipe(with: .zero)
    offsets.wipe(with: .zero)
    smoothing.wipe()
  }

  private static func middle(of cell: Int, _ grid: CellGrid) -> SIMD2<Float> {
    let side = Float(CellGrid.side)
    return SIMD2(
      (Float(cell % grid.columns) + 0.5) * side, (Float(cell / grid.columns) + 0.5) * side)
  }
}

/// Weighted least squares for three unknowns, a shift in x and y and a turn, as equations come in.
private struct ShiftAndTurnFit {
  private var rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  private var right = SIMD3<Float>.zero

  /// - Parameter inertia: Weight of the wish that nothing moves, for what the equations leave open.
  init(inertia: Float) {
    rows = (SIMD3(inertia, 0, 0), SIMD3(0, inertia, 0), SIMD3(0, 0, inertia))
  }

  /// Adds the equation `coefficients` · unknowns = `value`.
  mutating func add(_ coefficients: SIMD3<Float>, _ value: Float, weight: Float) {
    let scaled = weight * coefficients
    rows.0 += scaled.x * coefficients
    rows.1 += scaled.y * coefficients
    rows.2 += scaled.z * coefficients
    right += value * scaled
  }

  /// The unknowns, by Cramer's rule.
  var solution: SIMD3<Float>? {
    let (a, b, c) = rows
    let bc = Self.cross(b, c)
    let determinant = (a * bc).sum()
    guard abs(determinant) > 1e-9 else { return nil }
    return (right.x * bc + right.y * Self.cross(c, a) + right.z * Self.cross(a, b)) / determinant
  }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
