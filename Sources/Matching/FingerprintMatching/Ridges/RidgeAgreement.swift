/// How the ridges of a probe lie on those of a gallery sheet, for each cell of the probe.
///
/// The sum over a cell of one wave times the other's conjugate has a length that says whether both
/// run alike, and a phase that says how far one lies beside the other, across the ridges.
struct RidgeAgreement: Sendable {
  /// The mean agreement of strangers' ridges after they followed their minutiae and stretched.
  private static let chance: Float = 0.08

  /// For each cell of the probe, the sum of the products of the samples both show.
  private(set) var sums: [SIMD2<Float>] = []
  /// The number of these samples.
  private(set) var counts: [Float] = []
  /// The probe's normal of each cell in the gallery's frame; phases count along it.
  private(set) var normals: [SIMD2<Float>] = []
  /// The number of samples taken of each cell.
  private var samples: Float = 1

  /// Compares the ridges under a motion.
  ///
  /// - `motion`: From the probe's pixels to the gallery's.
  /// - `shifts`: How much farther each cell of the probe lies, in pixels; none if empty.
  /// - `every`: 1 takes every sample, 2 every second in both directions, 4 one of each cell.
  mutating func measure(
    _ motion: RigidMotion, shifts: [SIMD2<Float>], probe: PhaseField, gallery: PhaseField,
    every: Int
  ) {
    let grid = probe.grid
    let side = PhaseField.density / every
    samples = Float(side * side)
    sums.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    counts.fill(with: 0, count: grid.count, room: OrientationField.smallCells)
    normals.fill(with: .zero, count: grid.count, room: OrientationField.smallCells)
    Self.measure(motion, shifts.span, probe, gallery, every: every, &sums, &counts, &normals)
  }

  private static func measure(
    _ motion: RigidMotion, _ shifts: Span<SIMD2<Float>>, _ probe: PhaseField,
    _ gallery: PhaseField, every: Int, _ sums: inout [SIMD2<Float>], _ counts: inout [Float],
    _ normals: inout [SIMD2<Float>]
  ) {
    var sums = sums.mutableSpan
    var counts = counts.mutableSpan
    var normals = normals.mutableSpan
    let grid = probe.grid
    let density = PhaseField.density
    let (right, down) = (SIMD2(motion.cosine, motion.sine), SIMD2(-motion.sine, motion.cosine))
    let first = every / 2
    let (onward, downward) = (Float(every) * right, Float(every) * down)
    let (waves, clarity) = (probe.waves.span, probe.flow.clarity.span)
    let (periods, across) = (probe.periods.span, probe.normals.span)
    let width = probe.width
    let finger = GallerySurface(gallery)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let cell = row &* grid.columns &+ column
        guard clarity[cell] > 0 else { continue }
        let corner = motion.apply(
          Float(column &* CellGrid.side) + 0.5, Float(row &* CellGrid.side) + 0.5)
        let shift = shifts.isEmpty ? SIMD2<Float>.zero : shifts[cell]
        // In samples of the gallery: a step to the next sample of the probe is one of the
        // gallery's, turned.
        let start = (SIMD2(corner.x, corner.y) + shift - 0.5) / PhaseField.step
        let normal = motion.turn(across[cell])
        let wavenumber = 2 * Float.pi * PhaseField.step / periods[cell]
        var sum = SIMD2<Float>.zero
        var count: Float = 0
        var line = start + Float(first) * (right + down)
        var j = first
        while j < density {
          var at = (row &* density &+ j) &* width &+ column &* density &+ first
          var place = line
          var i = first
          while i < density {
            let own = waves[at]
            let other = finger.wave(at: place, along: normal, wavenumber: wavenumber)
            sum += SIMD2(other.x * own.x + other.y * own.y, other.y * own.x - other.x * own.y)
            // Waves have length 1 or 0.
            if other != .zero && own != .zero { count += 1 }
            i &+= every
            at &+= every
            place += onward
          }
          j &+= every
          line += downward
        }
        sums[cell] = sum
        counts[cell] = count
        normals[cell] = normal
      }
    }
  }

  /// The sum over the cells both show of their agreement above ``RidgeMatch/chance``.
  var surplus: Float {
    var sum: Float = 0
    for cell in counts.indices {
      guard let agreement = agreement(in: cell) else { continue }
      sum += agreement - RidgeMatch.chance
    }
    return sum
  }

  /// The mean agreement, each cell weighted by the clarity of the probe's ridges (0...255), above
  /// what strangers' reach, in units that shrink as the root of the number of cells both show.
  /// About 0 where strangers' ridges lie, and if nothing is seen in both. Second, the mean clarity
  /// of these cells, 0...1.
  func excess(clarity: [UInt8]) -> (excess: Float, clarity: Float) {
    var (sum, total, cells) = (Float(0), Float(0), Float(0))
    for cell in counts.indices {
      guard let agreement = agreement(in: cell) else { continue }
      let weight = Float(clarity[cell])
      sum += weight * agreement
      total += weight
      cells += 1
    }
    guard total > 0 else { return (0, 0) }
    return ((sum / total - Self.chance) * cells.squareRoot(), total / (255 * cells))
  }

  /// What the cells that both show say for and against the ridges being the same.
  ///
  /// - `bends`: See ``PhaseField/bends``, of the probe.
  func testimony(bends: [Float]) -> RidgeTestimony {
    var sum = RidgeTestimony()
    for cell in counts.indices where counts[cell] > 0 {
      let agreement = sums[cell].x / counts[cell]
      let length = (sums[cell] * sums[cell]).sum().squareRoot() / counts[cell]
      let share = counts[cell] / samples
      sum.add(agreement: agreement, beside: length - agreement, bend: bends[cell], share: share)
    }
    return sum
  }

  /// How far the gallery's ridges lie beside the probe's in a cell, in pixels along its normal, and
  /// how surely, 0...1.
  func offset(in cell: Int, period: Float) -> (pixels: Float, weight: Float)? {
    guard counts[cell] > 0 else { return nil }
    let square = (sums[cell] * sums[cell]).sum()
    let samples = Float(PhaseField.density * PhaseField.density)
    guard square > 1e-4 else { return nil }
    return (-Angle.nearly(of: sums[cell]) * period / (2 * .pi), square / (counts[cell] * samples))
  }

  /// How well the ridges of a cell lie on each other, -1 (ridges on valleys) to 1; nil unless both
  /// show ridges.
  @inline(__always)
  func agreement(in cell: Int) -> Float? {
    counts[cell] > 0 ? sums[cell].x / counts[cell] : nil
  }

  /// Overwrites the remains of the ridges.
  mutating func wipe() {
    sums.wipe(with: .zero)
    counts.wipe(with: 0)
    normals.wipe(with: .zero)
  }
}
