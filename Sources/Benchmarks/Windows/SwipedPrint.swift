import FrameAssembly
import GreyImage
import MatchStatistics

/// A finger drawn over a swipe sensor, and its stripes put together on a wider picture.
struct SwipedPrint: Sendable {
  /// Pixels of a stripe, at the picture's resolution.
  static let stripe = (width: 176, height: 16)

  let name: String
  /// Whether the margins, which the assembler leaves 0, end up white: that of a sensor whose stripes
  /// show ridges bright.
  let isInverted: Bool

  static let every = [
    SwipedPrint(name: "swipe-black", isInverted: false),
    SwipedPrint(name: "swipe-white", isInverted: true),
  ]

  /// Draws the finger of a picture over the sensor.
  ///
  /// - Parameters:
  ///   - picture: The finger, at least as wide as a stripe.
  ///   - touch: Which swipe it is; the same number gives the same speed and the same way.
  /// - Returns: The swipe upright with dark ridges, as wide as `picture`.
  /// - Throws: ``BenchmarkFailure`` for a picture that is smaller than a stripe.
  func drawn(_ picture: GreyImage, touch: UInt64) throws -> SensorPicture {
    let (width, height) = Self.stripe
    guard picture.width >= width, picture.height >= 2 * height else {
      throw BenchmarkFailure(
        "a picture of \(picture.width)x\(picture.height) pixels is too small to be swiped: it needs "
          + "\(width)x\(2 * height)")
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
    var orientation = swipe.orientation
    if isInverted { orientation.formUnion(.inverted) }
    let pixels = try orientation.applied(to: swipe.pixels, width: swipe.width)
    return SensorPicture(
      image: GreyImage(width: swipe.width, height: swipe.height, pixels: pixels), extents: nil)
  }
}
