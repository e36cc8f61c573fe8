import FingerprintMatching

/// A picture with a title above and a legend below; places are pixels of the working image.
struct PictureFrame {
  enum Legend {
    case none
    /// Numbers from left to right on a scale of colors.
    case scale(ColorScale, numbers: [String], meaning: String)
    /// Colors with one meaning each.
    case keys([(color: Color, meaning: String)])
  }

  /// Titles and legends need this many units across, however small an image is.
  static let leastWidth = 560.0
  private static let titleHeight = 34.0
  private static let legendHeight = 44.0

  let title: String
  let legend: Legend
  /// Of the shown part of the working image.
  let width: Int
  let height: Int

  /// About how many units the longer side should have.
  var wantedLength = 900.0

  /// Units per pixel, in halves: small patches are enlarged.
  var scale: Double {
    min(max((2 * wantedLength / Double(max(width, height))).rounded(.down) / 2, 1), 8)
  }

  private var canvasWidth: Double { max(Double(width) * scale, Self.leastWidth) + 24 }

  func place(_ x: Float, _ y: Float) -> Point {
    Point(
      (canvasWidth - Double(width) * scale) / 2 + Double(x) * scale,
      Self.titleHeight + Double(y) * scale)
  }

  /// Fills a cell of the working image, given by its corner.
  func fillCell(_ x: Float, _ y: Float, _ color: Color, on canvas: borrowing Canvas) {
    let corner = place(x, y)
    let length = Double(PrintExplanation.cellSide) * scale
    canvas.fill(Rectangle(x: corner.x, y: corner.y, width: length, height: length), color)
  }

  /// The part of the canvas with the image.
  var frame: Rectangle {
    let corner = place(0, 0)
    return Rectangle(
      x: corner.x, y: corner.y, width: Double(width) * scale, height: Double(height) * scale)
  }

  /// `content` draws the inside of the frame.
  func drawing(_ content: @escaping (borrowing Canvas, PictureFrame) -> Void) -> Drawing {
    let bottom = Self.titleHeight + Double(height) * scale
    return Drawing(width: canvasWidth, height: bottom + Self.legendHeight) { canvas in
      canvas.write(title, at: Point(12, 22), TextStyle(size: 15, weight: .bold))
      canvas.clipped(to: frame) { content(canvas, self) }
      canvas.stroke(frame, Canvas.Line(.gray(0.6), width: 1))
      drawLegend(on: canvas, y: bottom + 16)
    }
  }

  private func drawLegend(on canvas: borrowing Canvas, y: Double) {
    let style = TextStyle(size: 12)
    switch legend {
    case .none: break
    case .scale(let colors, let numbers, let meaning):
      let bar = Rectangle(x: 16, y: y - 6, width: 220, height: 11)
      let samples = Raster(width: 220, height: 1) { x, _ in colors.color(Double(x) / 219) }
      canvas.draw(samples, in: bar)
      canvas.stroke(bar, Canvas.Line(.gray(0.4), width: 0.8))
      for (index, number) in numbers.enumerated() {
        let x = bar.x + bar.width * Double(index) / Double(max(numbers.count - 1, 1))
        canvas.stroke(
          [Point(x, bar.y + 11), Point(x, bar.y + 14)], Canvas.Line(.black, width: 0.8))
        canvas.write(number, at: Point(x, bar.y + 25), TextStyle(size: 10.5, anchor: .middle))
      }
      canvas.write(meaning, at: Point(bar.x + bar.width + 16, y + 4), style)
    case .keys(let keys):
      var x = 12.0
      for key in keys {
        canvas.fill(circleAt: Point(x + 6, y), radius: 5, key.color)
        canvas.write(key.meaning, at: Point(x + 16, y + 4), style)
        x += 16 + canvas.width(of: key.meaning, style) + 18
      }
    }
  }
}

/// A picture of an explanation and the file it goes to.
struct Picture {
  /// Without extension; files sort in the order of the steps.
  let name: String
  let caption: String
  let drawing: Drawing
}
