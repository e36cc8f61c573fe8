/// Where each pixel of the sensor lies on the finger, for one touch.
struct Placement: Sendable {
  private let cosine: Double
  private let sine: Double
  private let shiftX: Double
  private let shiftY: Double
  private let windowWidth: Double
  private let windowHeight: Double

  init(conditions: ImpressionConditions, from random: inout RandomStream) {
    let angle = random.bell(deviation: conditions.rotation) * .pi / 180
    cosine = Trigonometry.cosine(angle)
    sine = Trigonometry.sine(angle)
    shiftX = random.bell(deviation: conditions.shift)
    shiftY = random.bell(deviation: conditions.shift)
    windowWidth = Double(conditions.width)
    windowHeight = Double(conditions.height)
  }

  /// The point of the skin, in pixels from the middle of the canvas (y down), over a pixel.
  func skinPoint(column: Int, row: Int) -> (x: Double, y: Double) {
    let x = Double(column) - windowWidth / 2 - shiftX
    let y = Double(row) - windowHeight / 2 - shiftY
    return (x * cosine + y * sine, y * cosine - x * sine)
  }
}
