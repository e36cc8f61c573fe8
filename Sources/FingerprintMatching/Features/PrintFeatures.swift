/// What is kept of one touch: minutiae, ridge flow and how good they are.
///
/// As secret as the print itself: an image much like the print's can be made from it.
package struct PrintFeatures: Sendable {
  /// Ridge area under which a frame shows practically no ridges, mm².
  package static let leastRidgeArea = 4.0

  /// How much matching can expect of the touch, 0...1; grows with area and clarity.
  package let quality: Double
  /// Area that shows ridges, mm².
  package let ridgeArea: Double
  /// Middle of the ridge area.
  package let centroid: PrintPoint
  /// Share of the ridge area's surroundings that is dark, 0...1: high when wet, low when dry.
  package let darkness: Double

  let view: PrintView

  /// Where ridges end or fork, the clearest first.
  package var minutiae: [Minutia] { view.minutiae }

  /// Whether there is anything to compare. A frame without ridges is refused, not compared.
  package var hasRidges: Bool { ridgeArea >= Self.leastRidgeArea }

  init(minutiae: [Minutia], flow: RidgeFlow, darkness: Double) {
    view = PrintView(minutiae: minutiae.map(\.rounded), flow: flow)
    self.darkness = darkness
    let side = Double(CellGrid.side)
    let millimetres = 25.4 / Double(WorkingImage.pixelsPerInch)
    let cells = flow.ridgeCells
    ridgeArea = Double(cells) * (side * millimetres) * (side * millimetres)
    var (x, y, clarity) = (0.0, 0.0, 0.0)
    for cell in 0..<flow.grid.count where flow.clarity[cell] > 0 {
      x += Double(cell % flow.grid.columns)
      y += Double(cell / flow.grid.columns)
      clarity += Double(flow.clarity[cell]) / 255
    }
    let count = Double(max(cells, 1))
    centroid = PrintPoint(x: (x / count + 0.5) * side, y: (y / count + 0.5) * side)
    quality = cells == 0 ? 0 : clarity / count
  }
}
