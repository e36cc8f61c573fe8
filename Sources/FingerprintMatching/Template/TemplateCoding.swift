/// The bytes of a template.
///
/// All numbers are big-endian. `"ACFT"`, version (1 byte), number of impressions (1 byte); then for
/// each impression: group (1), rotation (2, signed, 65,536 steps a turn), shift right and down (4
/// each, signed, 16ths of a pixel), columns and rows of cells (1 each), number of minutiae (1); for
/// each minutia x and y (2 each, 16ths of a pixel), direction (1, 256 steps a turn), quality (1);
/// then for each cell its clarity (1, 0 where there are no ridges), and for each cell with ridges
/// its orientation (1, 256 steps for half a turn).
enum TemplateCoding {
  static let magic: [UInt8] = [0x41, 0x43, 0x46, 0x54]
  static let version: UInt8 = 1
  static let mostCells = WorkingImage.maximumSide / CellGrid.side

  /// The bytes one impression takes.
  static func size(of view: PrintView) -> Int {
    14 + 6 * view.minutiae.count + view.flow.grid.count + view.flow.ridgeCells
  }

  /// The bytes of the fields before the first impression.
  static let headerSize = 6

  static func bytes(of impressions: [FingerTemplate.Impression]) -> [UInt8] {
    var bytes = magic + [version, UInt8(truncatingIfNeeded: impressions.count)]
    for impression in impressions {
      let (view, placement) = (impression.view, impression.placement)
      bytes.append(UInt8(truncatingIfNeeded: impression.group))
      append(Int((placement.rotation / (2 * .pi) * 65536).rounded()), bytes: 2, to: &bytes)
      append(Int((placement.dx * 16).rounded()), bytes: 4, to: &bytes)
      append(Int((placement.dy * 16).rounded()), bytes: 4, to: &bytes)
      bytes.append(UInt8(truncatingIfNeeded: view.flow.grid.columns))
      bytes.append(UInt8(truncatingIfNeeded: view.flow.grid.rows))
      bytes.append(UInt8(truncatingIfNeeded: view.minutiae.count))
      for minutia in view.minutiae {
        append(Int((minutia.x * Minutia.placeSteps).rounded()), bytes: 2, to: &bytes)
        append(Int((minutia.y * Minutia.placeSteps).rounded()), bytes: 2, to: &bytes)
        let turn = minutia.direction / (2 * .pi) * Minutia.directionSteps
        append(Int(turn.rounded()), bytes: 1, to: &bytes)
        append(Int((minutia.quality * Minutia.qualitySteps).rounded()), bytes: 1, to: &bytes)
      }
      bytes += view.flow.clarity
      for (cell, clarity) in view.flow.clarity.enumerated() where clarity > 0 {
        bytes.append(view.flow.orientation[cell])
      }
    }
    return bytes
  }

  private static func append(_ value: Int, bytes count: Int, to bytes: inout [UInt8]) {
    for k in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * k))) }
  }

  static func impressions(
    in bytes: [UInt8]
  ) throws(TemplateDecodingError) -> [FingerTemplate.Impression] {
    guard bytes.count >= headerSize, Array(bytes[..<4]) == magic else { throw .notATemplate }
    guard bytes[4] == version else { throw .unsupportedVersion(Int(bytes[4])) }
    guard bytes.count <= FingerTemplate.mostBytes else { throw .damaged }
    let count = Int(bytes[5])
    guard count <= FingerTemplate.mostImpressions else { throw .damaged }
    var reader = TemplateReader(bytes, from: headerSize)
    var impressions: [FingerTemplate.Impression] = []
    for _ in 0..<count { impressions.append(try impression(from: &reader)) }
    guard reader.isAtEnd else { throw .damaged }
    return impressions
  }

  private static func impression(
    from reader: inout TemplateReader
  ) throws(TemplateDecodingError) -> FingerTemplate.Impression {
    let group = try reader.unsigned(1)
    let rotation = Float(try reader.signed(2)) / 65536 * 2 * .pi
    let placement = RigidMotion(
      rotation: rotation, dx: Float(try reader.signed(4)) / 16, dy: Float(try reader.signed(4)) / 16
    )
    let grid = CellGrid(columns: try reader.unsigned(1), rows: try reader.unsigned(1))
    let count = try reader.unsigned(1)
    guard (1...mostCells).contains(grid.columns), (1...mostCells).contains(grid.rows),
      count <= PrintView.mostMinutiae
    else { throw .damaged }
    var minutiae: [Minutia] = []
    for _ in 0..<count {
      minutiae.append(
        Minutia(
          x: Float(try reader.unsigned(2)) / Minutia.placeSteps,
          y: Float(try reader.unsigned(2)) / Minutia.placeSteps,
          direction: Float(try reader.signed(1)) / Minutia.directionSteps * 2 * .pi,
          quality: Float(try reader.unsigned(1)) / Minutia.qualitySteps))
    }
    let clarity = try reader.bytes(grid.count)
    var orientation = [UInt8](repeating: 0, count: grid.count)
    for cell in 0..<grid.count where clarity[cell] > 0 {
      orientation[cell] = UInt8(truncatingIfNeeded: try reader.unsigned(1))
    }
    let flow = RidgeFlow(grid: grid, orientation: orientation, clarity: clarity)
    return FingerTemplate.Impression(
      view: PrintView(minutiae: minutiae, flow: flow), placement: placement, group: group)
  }
}
