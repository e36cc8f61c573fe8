internal import CCairo

/// Something drawn, which can be had as PNG and as SVG.
///
/// The same steps draw both, so that they show the same. Text needs a font: DejaVu Sans, from
/// Debian's package `fonts-dejavu-core`; in an SVG it is kept as outlines and needs none.
package struct Drawing {
  /// The greatest side of a drawing, in its own units and in pixels.
  package static let maximumSide = 16_384

  private let width: Double
  private let height: Double
  private let draw: (borrowing Canvas) -> Void

  /// - Parameters:
  ///   - width: Units from left to right, more than 0 and at most ``maximumSide``; a unit is a
  ///     pixel of a PNG at scale 1 and a point of an SVG.
  ///   - height: The same from top to bottom.
  ///   - draw: Draws onto a white canvas; called once for each file made.
  package init(width: Double, height: Double, draw: @escaping (borrowing Canvas) -> Void) {
    precondition(width > 0 && width <= Double(Self.maximumSide), "\(width) wide")
    precondition(height > 0 && height <= Double(Self.maximumSide), "\(height) high")
    self.width = width
    self.height = height
    self.draw = draw
  }

  /// The drawing as a PNG file.
  ///
  /// - Parameter scale: Pixels for a unit; sides are rounded up to whole pixels.
  /// - Returns: The file's bytes.
  /// - Throws: ``DrawingError`` where there is no memory for it.
  package func png(scale: Double = 1) throws(DrawingError) -> [UInt8] {
    let surface = Surface(
      pixelsWide: Int((width * scale).rounded(.up)), high: Int((height * scale).rounded(.up)))
    let canvas = Canvas(on: surface)
    canvas.scale(by: scale)
    paint(canvas)
    try canvas.check("draw a picture")
    return try surface.png()
  }

  /// The drawing as an SVG file.
  ///
  /// - Returns: The file's bytes.
  /// - Throws: ``DrawingError`` where there is no memory for it.
  package func svg() throws(DrawingError) -> [UInt8] {
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

/// Why a drawing could not be made into a file's bytes.
package struct DrawingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence with cairo's own words for it.
  package let description: String

  init(_ doing: String, reason: String) {
    description = "cannot \(doing): \(reason)"
  }
}

/// A place on a canvas, from its top left corner, x right and y down.
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }
}

/// A part of a canvas.
package struct Rectangle: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// How a line of text looks.
package struct TextStyle: Hashable, Sendable {
  /// Where the place of a text lies in it.
  package enum Anchor: Hashable, Sendable {
    case start, middle, end

    /// How much of the text's width is before the place.
    var share: Double {
      switch self {
      case .start: 0
      case .middle: 0.5
      case .end: 1
      }
    }
  }

  package enum Weight: Hashable, Sendable {
    case regular, bold
  }

  static let font = "DejaVu Sans"

  /// Units from one base line to about the next.
  package var size: Double
  package var color: Color
  package var anchor: Anchor
  package var weight: Weight

  package init(
    size: Double, color: Color = .black, anchor: Anchor = .start, weight: Weight = .regular
  ) {
    (self.size, self.color, self.anchor, self.weight) = (size, color, anchor, weight)
  }
}
