import FrameAssembly
import GrayImage

/// A finger drawn over a swipe sensor, and its stripes put together on a wider picture.
struct SwipedPrint: Sendable {
  /// Rows of a stripe.
  static let height = 16
  /// How wide a stripe is, as a share of the picture it is put together on.
  static let share = 0.6

  let name: String
  /// Whether the margins, which the assembler leaves 0, end up white: that of a sensor whose
  /// stripes show ridges bright.
  let isInverted: Bool

  static let every = [
    SwipedPrint(name: "swipe-black", isInverted: false),
    SwipedPrint(name: "swipe-white", isInverted: true),
  ]

  /// Draws the finger of a picture over the sensor.
  ///
  /// - Parameters:
  ///   - picture: The finger, at least two stripes high.
  ///   - touch: Which swipe it is; the same number gives the same speed and the same way.
  /// - Returns: The swipe upright with dark ridges, as wide as `picture`.
  /// - Throws: ``BenchmarkFailure`` for a picture of fewer rows.
  func drawn(_ picture: GrayImage, touch: UInt64) throws -> SensorPicture {
    let (width, height) = (Int(Double(picture.width) * Self.share), Self.height)
    guard width >= 1, picture.height >= 2 * height else {
      throw BenchmarkFailure(
        "a picture of \(picture.width)x\(picture.height) pixels is too small to be swiped: it needs "
          + "\(2 * height) rows")
    }
    var numbers = RandomNumbers(seed: touch)
    let free = picture.width - width
    var (x, way, y) = (Double(free) / 2, 0.0, 0.0)
    var stripes: [UInt8] = []
    var count = 0
    let speed = Double.random(in: 5...9, using: &numbers)
    while y <= Double(picture.height - height) {
      let part = picture.cropped(x: Int(x), y: Int(y), width: width, height: height).pixels
      stripes += isInverted ? part.map { 255 - $0 } : part
      count += 1
      y += speed * Double.random(in: 0.8...1.2, using: &numbers)
      way = 0.8 * way + Double.random(in: -0.6...0.6, using: &numbers)
      x = min(max(x + way, 0), Double(free))
    }
    let series = try StripeSeries(width: width, height: height, count: count, pixels: stripes)
    let swipe = try series.assembled(imageWidth: picture.width, heights: 1...4096)
    var layout = swipe.layout
    if isInverted { layout.formUnion(.inverted) }
    let pixels = try layout.applied(to: swipe.pixels, width: swipe.width)
    let shape = try FrameShape(
      width: swipe.width, height: swipe.height, pixelsPerInch: 500, layout: layout,
      pixelCount: pixels.count
    ).showing(swipe.extents.count) { (swipe.extents[$0].lowerBound, swipe.extents[$0].upperBound) }
    return SensorPicture(
      image: GrayImage(width: swipe.width, height: swipe.height, pixels: pixels),
      extents: shape.uprightExtents)
  }
}
