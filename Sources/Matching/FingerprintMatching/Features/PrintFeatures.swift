/// What is kept of one touch: minutiae, ridge flow and how good they are.
///
/// As secret as the print itself: an image much like the print's can be made from it.
package struct PrintFeatures: Sendable {
  /// Ridge area under which a frame shows practically no ridges, mm².
  package static let leastRidgeArea = 4.0

  /// Evidence of a touch of middling quality: half way up the scale.
  static let middlingEvidence = 8.0

  /// How much matching can expect of the touch, 0...1; grows with its clear minutiae.
  ///
  /// A pair of minutiae says as much as both are clear, so that two like touches can say as much as
  /// the sum of the squares of their minutiae's qualities; ridges that are strong in parts only
  /// leave less in common. Spurious minutiae, which are many in unclear ridges, hardly count. The
  /// rank correlation of the lower quality of two touches with their score (Grother and Tabassi,
  /// "Performance of biometric quality measures", 2007, section 4) is 0.58 on average over FVC2002
  /// DB1_B to DB4_B, where that of the mean clarity is 0.35.
  package let quality: Double
  /// Area that shows ridges, mm².
  package let ridgeArea: Double
  /// Middle of the ridge area.
  package let centroid: PrintPoint
  /// Mean darkness where the finger touches, 0 (white) to 1 (black): high when wet, low when dry.
  package let darkness: Double
  /// How the ridges look.
  package let condition: RidgeCondition

  let view: PrintView

  /// Where the view's first pixel lies in the image.
  let origin: (x: Float, y: Float)

  /// Where ridges end or fork, the clearest first.
  package var minutiae: [Minutia] { view.minutiae.map { $0.moved(origin.x, origin.y) } }

  /// Whether there is anything to compare. A frame without ridges is refused, not compared.
  package var hasRidges: Bool { ridgeArea >= Self.leastRidgeArea }

  init(minutiae: [Minutia], sheet: PhaseField, darkness: Double, condition: RidgeCondition) {
    let flow = sheet.flow
    let part = flow.shownPart
    let shown = sheet.placed(on: part.grid, columns: -part.columns, rows: -part.rows)
    let corner = (x: Float(part.columns * CellGrid.side), y: Float(part.rows * CellGrid.side))
    view = PrintView(
      minutiae: minutiae.map { $0.rounded.moved(-corner.x, -corner.y) }, flow: shown.flow,
      sheet: shown)
    origin = corner
    (self.darkness, self.condition) = (darkness, condition)
    let side = Double(CellGrid.side)
    let cells = flow.ridgeCells
    ridgeArea = Double(cells) * CellGrid.cellArea
    var (x, y) = (0.0, 0.0)
    for cell in 0..<flow.grid.count where flow.clarity[cell] > 0 {
      x += Double(cell % flow.grid.columns)
      y += Double(cell / flow.grid.columns)
    }
    let count = Double(max(cells, 1))
    centroid = PrintPoint(x: (x / count + 0.5) * side, y: (y / count + 0.5) * side)
    let clear = minutiae.reduce(0) { $0 + Double($1.quality * $1.quality) }
    let evidence = clear * condition.evenness * condition.evenness
    quality = evidence / (evidence + Self.middlingEvidence)
  }
}
