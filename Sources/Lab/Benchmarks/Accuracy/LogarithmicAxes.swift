import Glibc

/// A square of two logarithmic scales with their grid, for rates shown in percent.
struct LogarithmicAxes {
  /// Where the square is.
  let frame: Rectangle
  /// Powers of ten of the shares shown on both axes.
  let decades: ClosedRange<Int>

  /// Where two shares are; those too small for the scale lie just beyond its end.
  func point(_ across: Double, _ up: Double) -> Point {
    Point(
      frame.x + frame.width * place(across), frame.y + frame.height * (1 - place(up)))
  }

  /// 0 at the lower end, 1 at the upper.
  private func place(_ share: Double) -> Double {
    let length = Double(decades.upperBound - decades.lowerBound)
    guard share > 0 else { return -0.02 }
    return max((log10(share) - Double(decades.lowerBound)) / length, -0.02)
  }

  /// Draws the grid, its numbers and what the axes mean.
  func drawGrid(on canvas: borrowing Canvas, across: String, up: String) {
    for decade in decades {
      let share = pow(10, Double(decade))
      if decade < decades.upperBound {
        for step in 2...9 { drawLines(at: share * Double(step), width: 0.35, on: canvas) }
      }
      drawLines(at: share, width: 0.9, on: canvas)
      let label = Self.percent(decade)
      let (x, y) = (point(share, 1).x, point(1, share).y)
      canvas.write(
        label, at: Point(x, frame.y + frame.height + 17), TextStyle(size: 12, anchor: .middle))
      canvas.write(label, at: Point(frame.x - 7, y + 4), TextStyle(size: 12, anchor: .end))
    }
    canvas.stroke(frame, Canvas.Line(.black, width: 1))
    canvas.write(
      across, at: Point(frame.x + frame.width / 2, frame.y + frame.height + 38),
      TextStyle(size: 13, anchor: .middle))
    canvas.write(
      up, at: Point(frame.x - 54, frame.y + frame.height / 2), TextStyle(size: 13, anchor: .middle),
      quarterTurns: -1)
  }

  private func drawLines(at share: Double, width: Double, on canvas: borrowing Canvas) {
    let line = Canvas.Line(.gray(0.82), width: width)
    let place = point(share, share)
    canvas.stroke([Point(place.x, frame.y), Point(place.x, frame.y + frame.height)], line)
    canvas.stroke([Point(frame.x, place.y), Point(frame.x + frame.width, place.y)], line)
  }

  /// A power of ten as a number of percent: -3 is "0.1".
  private static func percent(_ decade: Int) -> String {
    decade >= -2
      ? "1" + String(repeating: "0", count: decade + 2)
      : "0." + String(repeating: "0", count: -decade - 3) + "1"
  }
}
