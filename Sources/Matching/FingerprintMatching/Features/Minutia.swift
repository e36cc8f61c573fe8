/// A place where a ridge ends or forks: one side has one ridge more than the other.
package struct Minutia: Hashable, Sendable {
  /// Pixels at 500 per inch from the image's top left corner.
  package var x: Float
  package var y: Float
  /// Direction along the ridges to the side with one ridge more, radians in -π...π, x right, y
  /// down.
  package var direction: Float
  /// How clear the ridges around it are, 0...1.
  package var quality: Float
  /// Distance from ridge to ridge around it, in pixels; 0 if the template does not say.
  var period: Float

  /// The range of ``stretch``, by skin and by person.
  private static let stretches: ClosedRange<Float> = 0.55...1.8

  /// How much farther apart ridges are than usual; 1 if unknown. In these units the surroundings of
  /// a minutia look alike however much the skin was stretched across its ridges.
  var stretch: Float {
    guard period > 0 else { return 1 }
    let stretch = period / RidgeWave.usualPeriod
    return min(max(stretch, Self.stretches.lowerBound), Self.stretches.upperBound)
  }

  /// Steps of a pixel, of a turn, of quality and of a pixel of ridge distance in a template.
  static let placeSteps: Float = 16
  static let directionSteps: Float = 256
  static let qualitySteps: Float = 255
  static let periodSteps: Float = 15

  /// The minutia as a template keeps it, so that touches and templates are compared alike.
  var rounded: Minutia {
    let turn = (direction / (2 * .pi) * Self.directionSteps).rounded()
    return Minutia(
      x: (x * Self.placeSteps).rounded() / Self.placeSteps,
      y: (y * Self.placeSteps).rounded() / Self.placeSteps,
      direction: Angle.wrapped(turn / Self.directionSteps * 2 * .pi),
      quality: (quality * Self.qualitySteps).rounded() / Self.qualitySteps,
      period: (period * Self.periodSteps).rounded() / Self.periodSteps)
  }

  func moved(_ dx: Float, _ dy: Float) -> Minutia {
    Minutia(x: x + dx, y: y + dy, direction: direction, quality: quality, period: period)
  }
}

/// Arithmetic of directions, in radians.
enum Angle {
  static func wrapped(_ angle: Float) -> Float {
    angle - (angle / (2 * .pi)).rounded() * 2 * .pi
  }

  /// The direction of an arrow, in -π...π, to a thousandth.
  ///
  /// The arc tangent of a slope of at most 1 is the odd polynomial of three terms with the least
  /// error; the rest follows by symmetry.
  @inline(__always)
  static func nearly(of arrow: SIMD2<Float>) -> Float {
    let (x, y) = (abs(arrow.x), abs(arrow.y))
    let slope = min(x, y) / max(x, y)
    let square = slope * slope
    let flat = slope * (0.99535 + square * (-0.28869 + square * 0.07934))
    let steep = y > x ? .pi / 2 - flat : flat
    let turned = arrow.x < 0 ? .pi - steep : steep
    return arrow.y < 0 ? -turned : turned
  }
}
