internal import Glibc

/// The ridges of a cell as bytes: its period and sixteen phases of four bits.
enum PhaseCoding {
  static let samples = PhaseField.density * PhaseField.density
  static let bytesInCell = 1 + samples / 2
  /// Steps of a turn that a phase is kept in; its error, 12 degrees at most, is a thirtieth of a
  /// ridge period.
  static let phaseSteps: Float = 15

  private static let waves: [SIMD2<Float>] =
    [.zero]
    + (0..<Int(phaseSteps)).map { step in
      let phase = Float(step) / phaseSteps * 2 * .pi
      return SIMD2(cosf(phase), sinf(phase))
    }

  /// Appends ``bytesInCell`` bytes.
  static func append(_ cell: Int, of sheet: PhaseField, to bytes: inout [UInt8]) {
    let period = (sheet.periods[cell] * Minutia.periodSteps).rounded()
    bytes.append(UInt8(min(max(period, 1), 255)))
    let first = index(of: cell, in: sheet.grid)
    for k in stride(from: 0, to: samples, by: 2) {
      let at = first + k / PhaseField.density * sheet.width + k % PhaseField.density
      bytes.append(code(sheet.waves[at]) << 4 | code(sheet.waves[at + 1]))
    }
  }

  private static func code(_ wave: SIMD2<Float>) -> UInt8 {
    guard wave != .zero else { return 0 }
    let turn = atan2f(wave.y, wave.x) / (2 * .pi)
    let step = Int(((turn < 0 ? turn + 1 : turn) * phaseSteps).rounded()) % Int(phaseSteps)
    return UInt8(step + 1)
  }

  /// The index of a cell's first sample.
  private static func index(of cell: Int, in grid: CellGrid) -> Int {
    let (row, column) = (cell / grid.columns, cell % grid.columns)
    return (row * grid.columns * PhaseField.density + column) * PhaseField.density
  }

  /// The ridges of all cells that are not empty.
  static func sheet(
    on flow: OrientationField, from reader: inout TemplateReader
  ) throws(TemplateDecodingError) -> PhaseField {
    let grid = flow.grid
    let width = grid.columns * PhaseField.density
    var periods = [Float](repeating: RidgeWave.usualPeriod, count: grid.count)
    var waves = [SIMD2<Float>](repeating: .zero, count: grid.count * samples)
    for cell in 0..<grid.count where flow.clarity[cell] > 0 {
      let period = Float(try reader.unsigned(1)) / Minutia.periodSteps
      guard RidgeWave.periods.contains(period) else { throw .damaged }
      periods[cell] = period
      let first = index(of: cell, in: grid)
      for k in stride(from: 0, to: samples, by: 2) {
        let both = try reader.unsigned(1)
        let at = first + k / PhaseField.density * width + k % PhaseField.density
        waves[at] = Self.waves[both >> 4]
        waves[at + 1] = Self.waves[both & 15]
      }
    }
    return PhaseField(flow: flow, waves: waves, periods: periods)
  }
}
