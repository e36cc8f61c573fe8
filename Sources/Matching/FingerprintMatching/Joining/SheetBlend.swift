internal import Glibc

/// Ridges of several touches averaged where they lie over each other.
struct SheetBlend {
  /// How many touches each cell is the average of.
  private(set) var depths: [Float]

  private let base: PhaseField
  private var orientation: [UInt8]
  private var clarity: [UInt8]
  private var periods: [Float]
  private var waves: [SIMD2<Float>]

  init(_ base: PhaseField, depths: [Float]) {
    (self.base, self.depths) = (base, depths)
    orientation = base.flow.orientation
    clarity = base.flow.clarity
    periods = base.periods
    waves = base.waves
  }

  var sheet: PhaseField {
    let flow = OrientationField(grid: base.grid, orientation: orientation, clarity: clarity)
    return PhaseField(flow: flow, waves: waves, periods: periods)
  }

  /// Lays ridges over the base.
  ///
  /// - `other`: How many touches each cell of `touch` is the average of.
  /// - `registration`: How `touch` lies on the base as it was before it was moved.
  /// - `moved`: How far the base was moved since, in pixels.
  mutating func add(
    _ touch: PhaseField, depths other: [Float], _ registration: RidgeRegistration,
    moved: SIMD2<Float>
  ) {
    let side = Float(CellGrid.side)
    let turn = OrientationField.steps(ofTurn: registration.motion)
    for cell in 0..<base.grid.count {
      let corner = SIMD2(Float(cell % base.grid.columns), Float(cell / base.grid.columns)) * side
      let from = registration.source(of: corner + 0.5 * side - moved, in: touch.grid)
      guard let source = touch.flow.cell(at: from.x, from.y) else { continue }
      let turned = UInt8(truncatingIfNeeded: Int(touch.flow.orientation[source]) + turn)
      let share = other[source] / (depths[cell] + other[source])
      blend(cell, with: turned, of: touch, source, share: share)
      blendWaves(cell, corner - moved, touch, registration, share: share)
      depths[cell] += other[source]
    }
  }

  private mutating func blend(
    _ cell: Int, with turned: UInt8, of touch: PhaseField, _ source: Int, share: Float
  ) {
    guard depths[cell] > 0 else {
      orientation[cell] = turned
      clarity[cell] = touch.flow.clarity[source]
      periods[cell] = touch.periods[source]
      return
    }
    let change = share * Float(Int8(bitPattern: turned &- orientation[cell]))
    orientation[cell] = UInt8(truncatingIfNeeded: Int(orientation[cell]) + Int(change.rounded()))
    let clear = Float(clarity[cell])
    clarity[cell] = UInt8(
      min(max(clear + share * (Float(touch.flow.clarity[source]) - clear), 1), 255))
    periods[cell] += share * (touch.periods[source] - periods[cell])
  }

  private mutating func blendWaves(
    _ cell: Int, _ corner: SIMD2<Float>, _ touch: PhaseField, _ registration: RidgeRegistration,
    share: Float
  ) {
    let normal = PhaseField.normal(orientation[cell])
    // Phases count along the normal, which averaging may have turned to the other side.
    let isOpposite = (normal * base.normals[cell]).sum() < 0
    let density = PhaseField.density
    let (row, column) = (cell / base.grid.columns, cell % base.grid.columns)
    for j in 0..<density {
      for i in 0..<density {
        let at = (row * density + j) * base.width + column * density + i
        if isOpposite { waves[at].y = -waves[at].y }
        let place = corner + 0.5 + PhaseField.step * SIMD2(Float(i), Float(j))
        let source = registration.source(of: place, in: touch.grid)
        guard var other = touch.wave(at: source) else { continue }
        if (registration.motion.turn(other.normal) * normal).sum() < 0 {
          other.wave.y = -other.wave.y
        }
        let sum = (1 - share) * waves[at] + share * other.wave
        let length = (sum * sum).sum().squareRoot()
        if length > 1e-3 { waves[at] = sum / length }
      }
    }
  }
}
