internal import Glibc

/// The bytes of a template. All numbers are big-endian.
///
/// `"ACFT"`, version (1 byte), number of parts (1 byte); then for each part: columns and rows of
/// cells (1 each), number of minutiae (1), whether there are ridges (1, 0 or 1). For each minutia x
/// and y (2 each, 16ths of a pixel), direction (1, 256 steps a turn), quality (1), and since
/// version 3 the ridge distance (1, 15ths of a pixel, 0 if unknown). For each cell its clarity (1,
/// 0 if empty); then for each cell that is not empty its orientation (1, 256 steps for half a
/// turn). If there are ridges, for each such cell also the period (1, 15ths of a pixel) and the
/// phases of its 16 samples, row by row, four bits each: 0 none, 1...15 in steps of a 15th of a
/// turn.
enum TemplateCoding {
  static let magic: [UInt8] = [0x41, 0x43, 0x46, 0x54]
  static let version: UInt8 = 3
  /// The versions that are read. Version 2 has no ridge distances at minutiae, and ridges only for
  /// small sensors.
  static let versions: ClosedRange<UInt8> = 2...version
  static let headerSize = 6

  static func size(of view: PrintView) -> Int {
    let cells = view.flow.ridgeCells
    return 4 + 7 * view.minutiae.count + view.flow.grid.count + cells
      + (view.sheet != nil ? cells * PhaseCoding.bytesInCell : 0)
  }

  /// The template, or as many of its first parts as fit into ``FingerTemplate/mostBytes``.
  static func bytes(of parts: [PrintView]) -> [UInt8] {
    var bytes = magic + [version, 0]
    var count: UInt8 = 0
    for part in parts.prefix(FingerTemplate.mostParts) {
      let room = FingerTemplate.mostBytes - bytes.count
      // A finger seen far beyond its tip is kept by its minutiae alone.
      let view = size(of: part) <= room ? part : part.withoutSheet
      guard size(of: view) <= room else { break }
      append(view, to: &bytes)
      count += 1
    }
    bytes[headerSize - 1] = count
    return bytes
  }

  private static func append(_ view: PrintView, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: view.flow.grid.columns))
    bytes.append(UInt8(truncatingIfNeeded: view.flow.grid.rows))
    bytes.append(UInt8(truncatingIfNeeded: view.minutiae.count))
    bytes.append(view.sheet == nil ? 0 : 1)
    for minutia in view.minutiae {
      append(Int((minutia.x * Minutia.placeSteps).rounded()), bytes: 2, to: &bytes)
      append(Int((minutia.y * Minutia.placeSteps).rounded()), bytes: 2, to: &bytes)
      let turn = minutia.direction / (2 * .pi) * Minutia.directionSteps
      bytes.append(UInt8(truncatingIfNeeded: Int(turn.rounded())))
      append(Int((minutia.quality * Minutia.qualitySteps).rounded()), bytes: 1, to: &bytes)
      append(Int((minutia.period * Minutia.periodSteps).rounded()), bytes: 1, to: &bytes)
    }
    bytes += view.flow.clarity
    for (cell, clarity) in view.flow.clarity.enumerated() where clarity > 0 {
      bytes.append(view.flow.orientation[cell])
    }
    guard let sheet = view.sheet else { return }
    for (cell, clarity) in view.flow.clarity.enumerated() where clarity > 0 {
      PhaseCoding.append(cell, of: sheet, to: &bytes)
    }
  }

  private static func append(_ value: Int, bytes count: Int, to bytes: inout [UInt8]) {
    let value = min(max(value, 0), 1 << (8 * count) - 1)
    for k in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * k))) }
  }

  static func parts(in bytes: [UInt8]) throws(TemplateDecodingError) -> [PrintView] {
    guard bytes.count >= headerSize, Array(bytes[..<4]) == magic else { throw .notATemplate }
    guard versions.contains(bytes[4]) else { throw .unsupportedVersion(Int(bytes[4])) }
    guard bytes.count <= FingerTemplate.mostBytes else { throw .damaged }
    let count = Int(bytes[5])
    guard count <= FingerTemplate.mostParts else { throw .damaged }
    var reader = TemplateReader(bytes, from: headerSize)
    var parts: [PrintView] = []
    for _ in 0..<count { parts.append(try part(from: &reader, version: bytes[4])) }
    guard reader.isAtEnd else { throw .damaged }
    return parts
  }

  private static func part(
    from reader: inout TemplateReader, version: UInt8
  ) throws(TemplateDecodingError) -> PrintView {
    let grid = CellGrid(columns: try reader.unsigned(1), rows: try reader.unsigned(1))
    let count = try reader.unsigned(1)
    let ridges = try reader.unsigned(1)
    guard (1...CellGrid.mostCells).contains(grid.columns),
      (1...CellGrid.mostCells).contains(grid.rows),
      count <= PrintView.mostMinutiae, ridges <= 1
    else { throw .damaged }
    var minutiae: [Minutia] = []
    for _ in 0..<count {
      minutiae.append(
        Minutia(
          x: Float(try reader.unsigned(2)) / Minutia.placeSteps,
          y: Float(try reader.unsigned(2)) / Minutia.placeSteps,
          direction: Float(try reader.signed(1)) / Minutia.directionSteps * 2 * .pi,
          quality: Float(try reader.unsigned(1)) / Minutia.qualitySteps,
          period: version < 3 ? 0 : Float(try reader.unsigned(1)) / Minutia.periodSteps))
    }
    let clarity = try reader.bytes(grid.count)
    var orientation = [UInt8](repeating: 0, count: grid.count)
    for cell in 0..<grid.count where clarity[cell] > 0 {
      orientation[cell] = UInt8(truncatingIfNeeded: try reader.unsigned(1))
    }
    let flow = OrientationField(grid: grid, orientation: orientation, clarity: clarity)
    let sheet = ridges == 1 ? try PhaseCoding.sheet(on: flow, from: &reader) : nil
    return PrintView(minutiae: minutiae, flow: flow, sheet: sheet)
  }
}

/// The ridges of a cell as bytes: its period and sixteen phases of four bits.
enum PhaseCoding {
  static let samples = PhaseField.density * PhaseField.density
  static let bytesInCell = 1 + samples / 2
  /// Steps of a turn for a phase; its error, at most 12 degrees, is a thirtieth of a ridge period.
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

  private static func index(of cell: Int, in grid: CellGrid) -> Int {
    let (row, column) = (cell / grid.columns, cell % grid.columns)
    return (row * grid.columns * PhaseField.density + column) * PhaseField.density
  }

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

struct TemplateReader {
  private let source: [UInt8]
  private var position: Int

  init(_ source: [UInt8], from position: Int) {
    self.source = source
    self.position = position
  }

  var isAtEnd: Bool { position == source.count }

  mutating func bytes(_ count: Int) throws(TemplateDecodingError) -> [UInt8] {
    guard source.count - position >= count else { throw .damaged }
    defer { position += count }
    return Array(source[position..<position + count])
  }

  /// A number of 1 to 4 bytes, big-endian.
  mutating func unsigned(_ count: Int) throws(TemplateDecodingError) -> Int {
    guard source.count - position >= count else { throw .damaged }
    defer { position += count }
    return source[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A two's complement number of 1 to 4 bytes, big-endian.
  mutating func signed(_ count: Int) throws(TemplateDecodingError) -> Int {
    let value = try unsigned(count)
    let half = 1 << (8 * count - 1)
    return value < half ? value : value - 2 * half
  }
}

package enum TemplateDecodingError: Error, Equatable, Sendable {
  case notATemplate
  case unsupportedVersion(Int)
  /// The bytes end early, are too many, or hold an impossible value.
  case damaged

  package var message: String {
    switch self {
    case .notATemplate: "The stored finger is not a fingerprint template."
    case .unsupportedVersion(let version):
      "The stored finger has template format \(version), which this version does not know."
    case .damaged: "The stored finger's template is damaged."
    }
  }

  package var hint: String {
    switch self {
    case .unsupportedVersion:
      "Use the version of authcore that enrolled the finger, or enroll it again."
    case .notATemplate, .damaged: "Remove the finger and enroll it again."
    }
  }
}
