/// Numbers in a rectangle, one for each pixel or one for each cell, row-major.
package struct SampleField: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let samples: [Float]

  package init(width: Int, height: Int, samples: [Float]) {
    precondition(samples.count == width * height, "\(samples.count) samples for \(width)x\(height)")
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  init(_ plane: Plane) {
    self.init(width: plane.width, height: plane.height, samples: plane.samples)
  }

  init(_ samples: [Float], of grid: CellGrid) {
    self.init(width: grid.columns, height: grid.rows, samples: samples)
  }

  package subscript(x: Int, y: Int) -> Float { samples[y * width + x] }

  /// The value between the four samples around a place; 0 where one of them is outside.
  ///
  /// - Parameters:
  ///   - x: Columns from the left edge; the first sample's middle is at 0.5.
  ///   - y: Rows from the top edge, likewise.
  /// - Returns: The bilinear interpolation.
  package func value(at x: Float, _ y: Float) -> Float {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    guard left >= 0, top >= 0, left < Float(width - 1), top < Float(height - 1) else { return 0 }
    let (u, v) = (x - 0.5 - left, y - 0.5 - top)
    let at = Int(top) * width + Int(left)
    let above = samples[at] * (1 - u) + samples[at + 1] * u
    let below = samples[at + width] * (1 - u) + samples[at + width + 1] * u
    return above * (1 - v) + below * v
  }
}
