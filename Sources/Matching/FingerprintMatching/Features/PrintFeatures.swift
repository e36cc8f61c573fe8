/// The features of one touch: minutiae, ridge flow, and how good they are.
///
/// As secret as the print itself: they give an image much like the print's.
package struct PrintFeatures: Sendable {
  /// Ridge area in mm² below which a frame shows practically no ridges.
  package static let leastRidgeArea = 4.0

  /// Evidence of a touch of quality 0.5.
  static let middlingEvidence = 8.0

  /// How much matching can expect of the touch, 0...1; grows with its clear minutiae.
  ///
  /// A pair of minutiae counts as much as both are clear, so two like touches can score the sum of
  /// the squares of their minutiae's qualities. Ridges that are strong only in parts have less in
  /// common. Spurious minutiae, which are many in unclear ridges, hardly count. The rank
  /// correlation of the lower quality of two touches with their score (Grother and Tabassi,
  /// "Performance of biometric quality measures", 2007, section 4) is 0.89 over synthetic touches
  /// from careful to poor. Over FVC2002 DB1_B to DB4_B it is 0.20 on average, because scores of large
  /// prints judge unclear ridges by what can be expected of them, and 0.58 if they do not.
  package let quality: Double
  /// Area that shows ridges, mm².
  package let ridgeArea: Double
  /// Mean darkness where the finger touches, 0 (white) to 1 (black): high if wet, low if dry.
  package let darkness: Double
  package let condition: RidgeCondition

  let view: PrintView

  /// Where the view's top left corner lies in the image.
  let origin: (x: Float, y: Float)

  /// The clearest first.
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
    ridgeArea = Double(flow.ridgeCells) * CellGrid.cellArea
    let clear = minutiae.reduce(0) { $0 + Double($1.quality * $1.quality) }
    let evidence = clear * condition.evenness * condition.evenness
    quality = evidence / (evidence + Self.middlingEvidence)
  }
}
