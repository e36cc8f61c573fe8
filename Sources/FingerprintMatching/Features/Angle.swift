/// Arithmetic of directions, in radians.
enum Angle {
  /// A direction brought into -π...π.
  static func wrapped(_ angle: Float) -> Float {
    angle - (angle / (2 * .pi)).rounded() * 2 * .pi
  }

  /// How far two directions lie apart, 0...π.
  static func distance(_ a: Float, _ b: Float) -> Float { abs(wrapped(a - b)) }
}
