/// Says whether the ridges of a small touch are those of a finger, from how they lie on it.
///
/// A net of three layers looks at each cell and two cells around it in every direction. It sees what
/// ``RidgeTestimony`` takes the mean of: how far each sample of the touch lies beside the finger's
/// ridges. So it can tell an owner's skin, which stretches smoothly, from a stranger's ridges, which
/// drift apart. It learned from touches of synthetic fingers alone (`scripts/train-ridge-judge`).
struct RidgeJudge: Sendable {
  /// Numbers that the net sees of a cell.
  static let inputs = 39

  /// What the net sees of each cell of the touch, cell after cell; zeros where both do not show
  /// ridges.
  private(set) var cells: [Float] = []
  /// The share of each cell that both show.
  private var shares: [Float] = []
  private var seen: [Float] = []
  private var combined: [Float] = []

  /// The natural logarithm of how much likelier an owner is than a stranger, by the net.
  ///
  /// - `match`: Where the touch lies on the finger.
  mutating func evidence(_ match: RidgeMatch, probe: PhaseField, gallery: PhaseField) -> Float {
    look(at: match.registration, probe: probe, gallery: gallery)
    let net = RidgeNet.learned
    net.see(cells, shares, &seen)
    net.combine(seen, shares, probe.grid, &combined)
    return net.evidence(combined, shares, probe.grid, paired: match.paired)
  }

  /// Collects what the net sees.
  private mutating func look(
    at registration: RidgeRegistration, probe: PhaseField, gallery: PhaseField
  ) {
    let grid = probe.grid
    let motion = registration.motion
    let (right, down) = (SIMD2(motion.cosine, motion.sine), SIMD2(-motion.sine, motion.cosine))
    let finger = GallerySurface(gallery)
    cells.fill(
      with: 0, count: grid.count * Self.inputs, room: OrientationField.smallCells * Self.inputs)
    shares.fill(with: 0, count: grid.count, room: OrientationField.smallCells)
    let side = Float(CellGrid.side)
    for cell in 0..<grid.count where probe.flow.clarity[cell] > 0 {
      let (row, column) = (cell / grid.columns, cell % grid.columns)
      let (x, y) = (Float(column) * side, Float(row) * side)
      let shift = registration.shifts.isEmpty ? .zero : registration.shifts[cell]
      let corner = motion.apply(x + 0.5, y + 0.5)
      let start = (SIMD2(corner.x, corner.y) + shift - 0.5) / PhaseField.step
      let normal = motion.turn(probe.normals[cell])
      let wavenumber = 2 * Float.pi * PhaseField.step / probe.periods[cell]
      let first = cell * Self.inputs + 7
      let samples = PhaseField.density * PhaseField.density
      var shown: Float = 0
      for sample in 0..<samples {
        let (j, i) = (sample / PhaseField.density, sample % PhaseField.density)
        let at = (row * PhaseField.density + j) * probe.width + column * PhaseField.density + i
        let own = probe.waves[at]
        let other = finger.wave(
          at: start + Float(j) * down + Float(i) * right, along: normal, wavenumber: wavenumber)
        cells[first + sample] = other.x * own.x + other.y * own.y
        cells[first + samples + sample] = other.y * own.x - other.x * own.y
        // Waves have length 1 or 0.
        if other != .zero && own != .zero { shown += 1 }
      }
      guard shown > 0 else { continue }
      shares[cell] = shown / Float(samples)
      let middle = motion.apply(x + side / 2, y + side / 2)
      let there = gallery.flow.cell(at: middle.x + shift.x, middle.y + shift.y)
      let across = probe.normals[cell]
      let about: [7 of Float] = [
        Float(probe.flow.clarity[cell]) / 255,
        there.map { Float(gallery.flow.clarity[$0]) / 255 } ?? 0,
        across.x * across.x - across.y * across.y, 2 * across.x * across.y,
        (probe.periods[cell] - RidgeWave.usualPeriod) / 8, probe.bends[cell], shares[cell],
      ]
      for index in about.indices { cells[cell * Self.inputs + index] = about[index] }
    }
  }

  /// Overwrites the remains of the ridges.
  mutating func wipe() {
    cells.wipe(with: 0)
    shares.wipe(with: 0)
    seen.wipe(with: 0)
    combined.wipe(with: 0)
  }
}

extension PrintMatcher {
  /// What ``RidgeJudge`` learns from: a comparison of a small touch with a finger, as numbers. Empty
  /// if the touch lies nowhere on it.
  ///
  /// The score without the judge, what the judge says, and what pairs of minutiae count; then
  /// ``RidgeJudge/inputs`` of each of `side` by `side` cells.
  package func judged(
    _ probe: PrintFeatures, on finger: FingerTemplate, side: Int,
    using storage: inout MatchingStorage
  ) -> [Float] {
    let touch = probe.view
    var best: (score: Double, values: [Float])?
    for part in finger.parts {
      let score = storage.scoreByCells(probe: touch, part: part)
      guard let own = touch.sheet, let other = part.sheet,
        let match = storage.match(of: touch, on: part)
      else { continue }
      guard score.sure > best?.score ?? -.infinity else { continue }
      let evidence = storage.judge.evidence(match, probe: own, gallery: other)
      var values = [Float(score.sure), evidence, match.paired]
      let grid = own.grid
      for row in 0..<side {
        for column in 0..<side {
          let cell = row < grid.rows && column < grid.columns ? row * grid.columns + column : nil
          for input in 0..<RidgeJudge.inputs {
            values.append(cell.map { storage.judge.cells[$0 * RidgeJudge.inputs + input] } ?? 0)
          }
        }
      }
      best = (score.sure, values)
    }
    return best?.values ?? []
  }
}
