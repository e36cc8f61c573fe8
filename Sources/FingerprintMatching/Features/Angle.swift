/// Arithmetic of directions, in radians.
enum Angle {
  /// A direction brought into -π...π.
  static func wrapped(_ angle: Float) -> Float {
    angle - (angle / (2 * .pi)).rounded() * 2 * .pi
  }
}
