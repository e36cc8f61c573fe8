import FrameAssembly
import GrayImage
import SyntheticPrints

/// A sensor whose pictures show where it ends.
enum WindowedSensor: Sendable {
  case pad(PadShape)
  case swipe(SwipedPrint)

  static func every(seed: UInt64) -> [WindowedSensor] {
    PadShape.every(seed: seed).map { .pad($0) } + SwipedPrint.every.map { .swipe($0) }
  }

  var name: String {
    switch self {
    case .pad(let shape): shape.name
    case .swipe(let swipe): swipe.name
    }
  }

  /// What it delivers of the picture of a sensor without borders, with dark ridges on a light
  /// ground. The same touch gives the same picture.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that is too small for it.
  func picture(of picture: GrayImage, touch: UInt64) throws -> SensorPicture {
    switch self {
    case .pad(let shape): shape.laid(over: picture, touch: touch)
    case .swipe(let swipe): try swipe.drawn(picture, touch: touch)
    }
  }
}

/// A finger drawn over a swipe sensor, its stripes assembled on a wider picture.
struct SwipedPrint: Sendable {
  /// Of a stripe.
  static let height = 16
  /// Width of a stripe as a share of the picture.
  static let share = 0.6

  let name: String
  /// Whether the margins, which the assembler leaves 0, end up white, as for a sensor whose stripes
  /// show ridges bright.
  let isInverted: Bool

  static let every = [
    SwipedPrint(name: "swipe-black", isInverted: false),
    SwipedPrint(name: "swipe-white", isInverted: true),
  ]

  /// Draws the finger of a picture, at least two stripes high, over the sensor. The same touch
  /// gives the same speed and way.
  ///
  /// - Returns: The swipe upright with dark ridges, as wide as `picture`.
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

extension PadShape {
  /// A pad of every kind, each drawn within what such sensors have and named. Another seed gives
  /// the same kinds with other sides, slants and places.
  static func every(seed: UInt64) -> [PadShape] {
    var numbers = RandomNumbers(seed: seed)
    func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &numbers) }
    let middle = (x: draw(0.48...0.52), y: draw(0.47...0.53))
    let top = draw(0.1...0.16)
    let trapezoid = PadOutline.straight([
      .left(at: top, leaning: -top), .right(at: 1 - top, leaning: top),
    ])
    let lean = draw(0.16...0.26)
    let (left, right) = (draw(0.1...0.17), draw(0.83...0.9))
    let slanted = PadOutline.straight([
      .left(at: left - lean / 2, leaning: lean), .right(at: right - lean / 2, leaning: lean),
    ])
    let corner = draw(0.42...0.52)
    let corners = PadOutline.straight([
      .init(across: -1, down: -1, limit: -corner), .init(across: 1, down: 1, limit: 2 - corner),
    ])
    let round = PadOutline.round(
      x: middle.x, y: middle.y, halfWidth: draw(0.36...0.41), halfHeight: draw(0.38...0.43))
    let sides = (left: draw(0.14...0.2), right: draw(0.8...0.86))
    let ends = (top: draw(0.14...0.2), bottom: draw(0.78...0.84))
    let box = PadOutline.box(
      left: draw(0.1...0.16), right: draw(0.84...0.9), top: draw(0.1...0.16),
      bottom: draw(0.82...0.88))
    let strip = draw(0.4...0.44)
    let swipe = PadOutline.wandering(share: draw(0.6...0.66), drift: draw(0.04...0.08))
    let (x, y) = (draw(0.38...0.52), draw(0.42...0.52))
    func block(light: Double) -> Block {
      Block(x: x, y: y, width: 0.14, height: 0.12, light: light)
    }
    let whole = PadOutline.straight([])
    return [
      PadShape("whole", whole, level: 255),
      PadShape("trapezoid", trapezoid, level: 255),
      PadShape("trapezoid-block", trapezoid, level: 255, block: block(light: 0.7)),
      PadShape("sides", .box(left: sides.left, right: sides.right, top: 0, bottom: 1), level: 255),
      PadShape("ends", .box(left: 0, right: 1, top: ends.top, bottom: ends.bottom), level: 230),
      PadShape("slanted", slanted, level: 128),
      PadShape("corners", corners, level: 0),
      PadShape("round-white", round, level: 255),
      PadShape("round-gray", round, level: 140, grain: 3),
      PadShape("round-black", round, level: 0),
      PadShape("margins-black", swipe, level: 0),
      PadShape("margins-white", swipe, level: 255),
      PadShape("black-surround", box, level: 4, grain: 4),
      PadShape("dark-block", whole, level: 255, block: block(light: 0.7)),
      PadShape("black-block", whole, level: 255, block: block(light: 0)),
      PadShape(
        "strip", .box(left: 0.5 - strip / 2, right: 0.5 + strip / 2, top: 0, bottom: 1), level: 255),
    ]
  }
}

extension PadOutline {
  fileprivate static func box(
    left: Double, right: Double, top: Double, bottom: Double
  ) -> PadOutline {
    .straight([
      .left(at: left, leaning: 0), .right(at: right, leaning: 0),
      .init(across: 0, down: -1, limit: -top), .init(across: 0, down: 1, limit: bottom),
    ])
  }
}

extension PadOutline.Border {
  /// Inside is the right of a line from `x` in the first row to `x + leaning` in the last.
  fileprivate static func left(at x: Double, leaning: Double) -> Self {
    Self(across: -1, down: leaning, limit: -x)
  }

  /// Inside is the left of such a line.
  fileprivate static func right(at x: Double, leaning: Double) -> Self {
    Self(across: 1, down: -leaning, limit: x)
  }
}
