internal import Glibc

/// How the ridges of a probe lie on those of a gallery sheet, for each cell of the probe.
///
/// The sum over a cell of one wave times the other's conjugate has a length that says whether both
/// run alike and a phase that says how far one lies beside the other, across the ridges.
struct RidgeAgreement: Sendable {
  /// For each cell of the probe, the sum of the products of the samples that both show.
  private(set) var sums: [SIMD2<Float>] = []
  /// How many samples of each cell both show.
  private(set) var counts: [Float] = []
  /// The probe's normal of each cell, turned into the gallery's frame; phases are counted along it.
  private(set) var normals: [SIMD2<Float>] = []

  /// Compares the ridges under a motion.
  ///
  /// - Parameters:
  ///   - motion: From the probe's pixels to the gallery's.
  ///   - shifts: How much farther each cell of the probe lies, in pixels; none if empty.
  ///   - probe: The ridges of a touch.
  ///   - gallery: The ridges of a finger.
  ///   - every: 1 takes every sample, 2 every second in both directions, 4 one of each cell.
  mutating func measure(
    _ motion: RigidMotion, shifts: [SIMD2<Float>], probe: RidgeSheet, gallery: RidgeSheet,
    every: Int
  ) {
    let grid = probe.grid
    sums.fill(with: .zero, count: grid.count, room: RidgeFlow.smallCells)
    counts.fill(with: 0, count: grid.count, room: RidgeFlow.smallCells)
    normals.fill(with: .zero, count: grid.count, room: RidgeFlow.smallCells)
    let density = RidgeSheet.density
    let (right, down) = (SIMD2(motion.cosine, motion.sine), SIMD2(-motion.sine, motion.cosine))
    let waves = probe.waves.span
    let finger = GallerySurface(gallery)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let cell = row * grid.columns + column
        guard probe.flow.clarity[cell] > 0 else { continue }
        let corner = motion.apply(
          Float(column * CellGrid.side) + 0.5, Float(row * CellGrid.side) + 0.5)
        let shift = shifts.isEmpty ? SIMD2<Float>.zero : shifts[cell]
        // In samples of the gallery; one sample of the probe on is one of the gallery's, turned.
        let start = (SIMD2(corner.x, corner.y) + shift - 0.5) / RidgeSheet.step + 0.5
        let normal = motion.turn(probe.normals[cell])
        let wavenumber = 2 * Float.pi / probe.periods[cell] * RidgeSheet.step
        var sum = SIMD2<Float>.zero
        var count: Float = 0
        var j = every / 2
        while j < density {
          var at = (row &* density &+ j) &* probe.width &+ column &* density &+ every / 2
          var place = start + Float(j) * down + Float(every / 2) * right
          var i = every / 2
          while i < density {
            let own = waves[at]
            let other = finger.wave(at: place, along: normal, wavenumber: wavenumber)
            sum += SIMD2(other.x * own.x + other.y * own.y, other.y * own.x - other.x * own.y)
            // Waves have length 1 or 0.
            if other.x * other.x + other.y * other.y > 0 && own != .zero { count += 1 }
            i &+= every
            at &+= every
            place += Float(every) * right
          }
          j &+= every
        }
        (sums[cell], counts[cell], normals[cell]) = (sum, count, normal)
      }
    }
  }

  /// The sum over the cells that both show of their agreement above ``RidgeMatch/chance``.
  var surplus: Float {
    var sum: Float = 0
    for cell in counts.indices {
      guard let agreement = agreement(in: cell) else { continue }
      sum += agreement - RidgeMatch.chance
    }
    return sum
  }

  /// How far the gallery's ridges lie beside the probe's in a cell, in pixels along its normal, and
  /// how surely, 0 for not at all to 1.
  func offset(in cell: Int, period: Float) -> (pixels: Float, weight: Float)? {
    guard counts[cell] > 0 else { return nil }
    let square = (sums[cell] * sums[cell]).sum()
    let samples = Float(RidgeSheet.density * RidgeSheet.density)
    guard square > 1e-4 else { return nil }
    return (
      -atan2f(sums[cell].y, sums[cell].x) * period / (2 * .pi), square / (counts[cell] * samples)
    )
  }

  /// How well the ridges of a cell lie on each other, -1 (ridges on valleys) to 1; nil where not
  /// both show ridges.
  @inline(__always)
  func agreement(in cell: Int) -> Float? {
    counts[cell] > 0 ? sums[cell].x / counts[cell] : nil
  }

  /// Overwrites what is left of the ridges.
  mutating func wipe() {
    sums.wipe(with: .zero)
    counts.wipe(with: 0)
    normals.wipe(with: .zero)
  }
}
