internal import CCairo

/// A drawing, as PNG or as SVG.
///
/// The same steps draw both, so they show the same. Text needs a font: DejaVu Sans, from Debian's
/// package `fonts-dejavu-core`; an SVG keeps it as outlines and needs none.
struct Drawing {
  /// In its own units and in pixels.
  static let maximumSide = 16_384

  private let width: Double
  private let height: Double
  private let draw: (borrowing Canvas) -> Void

  /// A unit is a pixel of a PNG at scale 1 and a point of an SVG. `draw` draws onto a white canvas,
  /// once for each file made.
  init(width: Double, height: Double, draw: @escaping (borrowing Canvas) -> Void) {
    precondition(width > 0 && width <= Double(Self.maximumSide), "\(width) wide")
    precondition(height > 0 && height <= Double(Self.maximumSide), "\(height) high")
    self.width = width
    self.height = height
    self.draw = draw
  }

  /// A PNG file with `scale` pixels per unit; sides are rounded up to whole pixels.
  func png(scale: Double = 1) throws(DrawingError) -> [UInt8] {
    let surface = Surface(
      pixelsWide: Int((width * scale).rounded(.up)), high: Int((height * scale).rounded(.up)))
    let canvas = Canvas(on: surface)
    canvas.scale(by: scale)
    paint(canvas)
    try canvas.check("draw a picture")
    return try surface.png()
  }

  func svg() throws(DrawingError) -> [UInt8] {
    let surface = Surface(vectorsWide: width, high: height)
    let canvas = Canvas(on: surface)
    paint(canvas)
    try canvas.check("draw a chart")
    return try surface.svg()
  }

  private func paint(_ canvas: borrowing Canvas) {
    canvas.fill(Rectangle(x: 0, y: 0, width: width, height: height), .white)
    draw(canvas)
  }
}

struct DrawingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence with cairo's own words.
  let description: String

  init(_ doing: String, reason: String) { description = "cannot \(doing): \(reason)" }
}

/// From the top left corner of a canvas, x right and y down.
struct Point: Hashable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

struct Rectangle: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

struct TextStyle: Hashable, Sendable {
  enum Anchor: Hashable, Sendable {
    case start, middle, end

    /// The share of the text's width before the place.
    var share: Double {
      switch self {
      case .start: 0
      case .middle: 0.5
      case .end: 1
      }
    }
  }

  enum Weight: Hashable, Sendable {
    case regular, bold
  }

  static let font = "DejaVu Sans"

  /// Units from one base line to about the next.
  var size: Double
  var color = Color.black
  var anchor = Anchor.start
  var weight = Weight.regular
}
