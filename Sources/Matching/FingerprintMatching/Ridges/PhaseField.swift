internal import Glibc

/// The ridges of a touch, or of a finger, as a wave: where each ridge lies.
///
/// Each cell has four by four samples, two pixels apart. A sample is a complex number of length 1,
/// or zero if there are no ridges. Its phase says where between two ridges the sample lies (0 on a
/// ridge) and grows along the cell's normal. (A print as a phase: Larkin and Fletcher, "A coherent
/// framework for fingerprint analysis: are fingerprints holograms?", 2007.)
struct PhaseField: Sendable {
  /// Samples a side of a cell.
  static let density = 4
  /// Pixels from sample to sample.
  static let step = Float(CellGrid.side / density)
  /// Spread of directions above which ridges bend as much as counts.
  private static let fullBend: Float = 0.1

  let flow: OrientationField
  /// Row by row over the whole sheet, ``width`` by ``height``.
  let waves: [SIMD2<Float>]
  /// From ridge to ridge in each cell, in pixels.
  let periods: [Float]
  /// The direction across the ridges of each cell, of length 1: its orientation plus a quarter
  /// turn.
  let normals: [SIMD2<Float>]
  /// How much the ridges of each cell and its neighbors turn: 0 if they are parallel, 1 if they
  /// bend as around a core.
  let bends: [Float]

  var grid: CellGrid { flow.grid }
  var width: Int { grid.columns * Self.density }
  var height: Int { grid.rows * Self.density }

  init(flow: OrientationField, waves: [SIMD2<Float>], periods: [Float]) {
    (self.flow, self.waves, self.periods) = (flow, waves, periods)
    normals = flow.orientation.map(Self.normal)
    bends = Self.bends(normals, flow)
  }

  /// The spread of the directions of a cell and its up to eight neighbors, as a share of
  /// ``fullBend``: 1 minus the length of their mean as doubled angles.
  private static func bends(_ normals: [SIMD2<Float>], _ flow: OrientationField) -> [Float] {
    let shown = normals.indices.map { cell in
      let (n, isRidges) = (normals[cell], flow.clarity[cell] > 0)
      return isRidges ? SIMD4(n.x * n.x - n.y * n.y, 2 * n.x * n.y, 1, 0) : SIMD4<Float>.zero
    }
    return flow.grid.summedWithNeighbors(shown).map { sum in
      let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
      return min((1 - length / max(sum.z, 1)) / fullBend, 1)
    }
  }

  /// The direction across ridges of an orientation in 256 steps for half a turn.
  static func normal(_ orientation: UInt8) -> SIMD2<Float> {
    let angle = Float(orientation) / 256 * .pi
    return SIMD2(-sinf(angle), cosf(angle))
  }

  init(_ response: RidgeResponse, wave: RidgeWave, flow: OrientationField) {
    let grid = flow.grid
    let width = grid.columns * Self.density
    var waves = [SIMD2<Float>](repeating: .zero, count: width * grid.rows * Self.density)
    for cell in 0..<grid.count where flow.clarity[cell] > 0 {
      let (row, column) = (cell / grid.columns, cell % grid.columns)
      // The filters' phase falls across their tuning, which may be the opposite of the rounded one.
      let turned = cosf(Float(flow.orientation[cell]) / 256 * .pi - response.tuning[cell])
      let sign: Float = turned < 0 ? 1 : -1
      for j in 0..<Self.density {
        for i in 0..<Self.density {
          let x = column * CellGrid.side + i * Int(Self.step)
          let y = row * CellGrid.side + j * Int(Self.step)
          guard x < response.width, y < response.height else { continue }
          let at = y * response.width + x
          let value = SIMD2(response.even[at], sign * response.odd[at])
          let length = (value * value).sum().squareRoot()
          guard length > 1e-3 else { continue }
          waves[(row * Self.density + j) * width + column * Self.density + i] = value / length
        }
      }
    }
    self.init(flow: flow, waves: waves, periods: wave.period)
  }

  /// The same ridges on another grid of cells, without those beyond it.
  ///
  /// - `columns`: How many columns are added at the left; negative to remove.
  /// - `rows`: How many rows are added at the top.
  func placed(on grid: CellGrid, columns: Int, rows: Int) -> PhaseField {
    var orientation = [UInt8](repeating: 0, count: grid.count)
    var clarity = orientation
    var periods = [Float](repeating: RidgeWave.usualPeriod, count: grid.count)
    var waves = [SIMD2<Float>](repeating: .zero, count: grid.count * Self.density * Self.density)
    let length = grid.columns * Self.density
    for row in max(0, rows)..<max(0, rows, min(grid.rows, self.grid.rows + rows)) {
      for column in max(
        0, columns)..<max(0, columns, min(grid.columns, self.grid.columns + columns))
      {
        let from = (row - rows) * self.grid.columns + column - columns
        let to = row * grid.columns + column
        orientation[to] = flow.orientation[from]
        clarity[to] = flow.clarity[from]
        periods[to] = self.periods[from]
        for j in 0..<Self.density {
          let source = ((row - rows) * Self.density + j) * width + (column - columns) * Self.density
          let target = (row * Self.density + j) * length + column * Self.density
          for i in 0..<Self.density { waves[target + i] = self.waves[source + i] }
        }
      }
    }
    let flow = OrientationField(grid: grid, orientation: orientation, clarity: clarity)
    return PhaseField(flow: flow, waves: waves, periods: periods)
  }

  /// The wave at a place in pixels, from the nearest sample, and that sample's normal; nil if there
  /// are no ridges.
  func wave(at place: SIMD2<Float>) -> (wave: SIMD2<Float>, normal: SIMD2<Float>)? {
    let spot = (place - 0.5) / Self.step + 0.5
    guard spot.x >= 0, spot.y >= 0, spot.x < Float(width), spot.y < Float(height) else {
      return nil
    }
    let (x, y) = (Int(spot.x), Int(spot.y))
    let wave = waves[y * width + x]
    guard wave != .zero else { return nil }
    let cell = y / Self.density * grid.columns + x / Self.density
    let normal = normals[cell]
    let off = (SIMD2(spot.x - Float(x), spot.y - Float(y)) - 0.5) * Self.step
    return (wave.turned(by: 2 * .pi / periods[cell] * (off * normal).sum()), normal)
  }
}

extension SIMD2<Float> {
  /// The complex number times e to the i `phase`, to 1 % for phases below 1.
  @inline(__always)
  func turned(by phase: Float) -> SIMD2<Float> {
    let square = phase * phase
    let (real, imaginary) = (1 - 0.48 * square, phase * (1 - 0.16 * square))
    return SIMD2(x * real - y * imaginary, y * real + x * imaginary)
  }
}
