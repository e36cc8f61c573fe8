/// A place where the ridges of one side are one more than those of the other: a ridge ends or forks.
package struct Minutia: Hashable, Sendable {
  /// Pixels at 500 per inch from the image's left edge.
  package var x: Float
  /// Pixels at 500 per inch from the image's top edge.
  package var y: Float
  /// Direction along the ridges to the side with one ridge more, radians in -π...π, x right, y down.
  package var direction: Float
  /// How clear the ridges around it are, 0...1.
  package var quality: Float

  /// Steps of a pixel, of a turn and of quality that a template keeps.
  static let placeSteps: Float = 16
  static let directionSteps: Float = 256
  static let qualitySteps: Float = 255

  /// The minutia as a template keeps it, so that touches and templates are compared alike.
  var rounded: Minutia {
    let turn = (direction / (2 * .pi) * Self.directionSteps).rounded()
    return Minutia(
      x: (x * Self.placeSteps).rounded() / Self.placeSteps,
      y: (y * Self.placeSteps).rounded() / Self.placeSteps,
      direction: Angle.wrapped(turn / Self.directionSteps * 2 * .pi),
      quality: (quality * Self.qualitySteps).rounded() / Self.qualitySteps)
  }

  /// The minutia somewhere else.
  func moved(_ dx: Float, _ dy: Float) -> Minutia {
    Minutia(x: x + dx, y: y + dy, direction: direction, quality: quality)
  }
}
