internal import Glibc

extension Canvas {
  /// Draws an arrow.
  ///
  /// - Parameters:
  ///   - tail: Where it begins.
  ///   - tip: Where it points.
  ///   - line: How its line looks.
  ///   - head: Length of the strokes of its head, in units.
  package func arrow(from tail: Point, to tip: Point, _ line: Line, head: Double) {
    stroke([tail, tip], line)
    let back = atan2(tail.y - tip.y, tail.x - tip.x)
    let ends = [back - .pi / 6, back + .pi / 6].map {
      Point(tip.x + head * cos($0), tip.y + head * sin($0))
    }
    stroke([ends[0], tip, ends[1]], line)
  }

  /// Draws a print's mark for a minutia: a ring where it is, a stroke the way it points.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - direction: Radians from x towards y, which is clockwise.
  ///   - radius: Of the ring, in units; the stroke is two and a half times as long.
  ///   - line: How both look.
  package func mark(at place: Point, direction: Double, radius: Double, _ line: Line) {
    stroke(circleAt: place, radius: radius, line)
    let (x, y) = (cos(direction), sin(direction))
    stroke(
      [
        Point(place.x + radius * x, place.y + radius * y),
        Point(place.x + 3.5 * radius * x, place.y + 3.5 * radius * y),
      ], line)
  }
}
