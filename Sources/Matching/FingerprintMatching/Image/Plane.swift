/// A rectangle of single-precision samples, row-major.
struct Plane: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]

  init(width: Int, height: Int, filledWith value: Float = 0) {
    (self.width, self.height) = (width, height)
    samples = [Float](repeating: value, count: width * height)
  }

  subscript(x: Int, y: Int) -> Float {
    get { samples[y * width + x] }
    set { samples[y * width + x] = newValue }
  }

  /// The sample at the nearest place inside the plane.
  func clamped(_ x: Int, _ y: Int) -> Float {
    samples[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
  }
}
