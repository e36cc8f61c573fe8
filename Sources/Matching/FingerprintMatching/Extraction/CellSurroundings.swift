/// A cell and what the filters reach around it, repeated from the edge where the image ends.
struct CellSurroundings {
  static let side = CellGrid.side + 2 * GaborEnvelope.reach

  private(set) var samples = [Float](repeating: 0, count: side * side)

  /// Whether all of a cell's surroundings are inside the image, so that no copy is needed.
  static func areInside(_ column: Int, _ row: Int, of image: Plane) -> Bool {
    let (x, y) = (column * CellGrid.side, row * CellGrid.side)
    let after = CellGrid.side + GaborEnvelope.reach
    return x >= GaborEnvelope.reach && x + after <= image.width && y >= GaborEnvelope.reach
      && y + after <= image.height
  }

  /// Copies a cell's surroundings.
  mutating func copy(_ column: Int, _ row: Int, of image: Plane) {
    let left = column * CellGrid.side - GaborEnvelope.reach
    let above = row * CellGrid.side - GaborEnvelope.reach
    let inside = max(-left, 0)..<min(Self.side, image.width - left)
    let source = image.samples.span
    var target = samples.mutableSpan
    for y in 0..<Self.side {
      let from = min(max(above + y, 0), image.height - 1) * image.width
      let to = y * Self.side
      for x in inside { target[to &+ x] = source[from &+ left &+ x] }
      for x in 0..<inside.lowerBound { target[to + x] = source[from] }
      for x in inside.upperBound..<Self.side { target[to + x] = source[from + image.width - 1] }
    }
  }
}
