/// Arithmetic of directions, in radians.
enum Angle {
  /// A direction brought into -π...π.
  static func wrapped(_ angle: Float) -> Float {
    angle - (angle / (2 * .pi)).rounded() * 2 * .pi
  }

  /// The direction of an arrow of some length, in -π...π, to a thousandth.
  ///
  /// The arc tangent of at most 1 is the odd polynomial of three terms with the least error, the
  /// rest follows by symmetry.
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
