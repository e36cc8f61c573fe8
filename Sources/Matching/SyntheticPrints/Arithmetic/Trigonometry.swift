/// Elementary functions made of additions, multiplications and divisions alone.
///
/// IEEE 754 fixes their results to the last bit, but not those of a system's own sine. So a seed
/// gives the same pixels on every machine. Angles are in radians, errors below 1e-6.
enum Trigonometry {
  static func sine(_ angle: Double) -> Double {
    let turns = (angle / (2 * .pi)).rounded()
    var x = angle - turns * (2 * .pi)
    if x > .pi / 2 { x = .pi - x }
    if x < -.pi / 2 { x = -.pi - x }
    let s = x * x
    let tail = 1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362_880 - s / 39_916_800))
    return x * (1 - s * (1.0 / 6 - s * tail))
  }

  static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

  /// The direction of (`x`, `y`) in -π...π, counterclockwise from the x axis; 0 for the origin.
  static func direction(x: Double, y: Double) -> Double {
    let width = abs(x)
    let height = abs(y)
    guard width > 0 || height > 0 else { return 0 }
    var angle = width >= height ? arctangent(height / width) : .pi / 2 - arctangent(width / height)
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// The angle in -π/2...π/2 of a line with this slope.
  static func angle(ofSlope slope: Double) -> Double { direction(x: 1, y: slope) }

  /// e to the power of `-x`.
  ///
  /// - Precondition: `x` is in 0...100.
  static func decay(_ x: Double) -> Double {
    let part = -x / 1024
    var power = 1 + part * (1 + part * (0.5 + part * (1.0 / 6 + part / 24)))
    for _ in 0..<10 { power *= power }
    return power
  }

  /// 0 at or below `start`, 1 at or above `end`, smooth between.
  static func smoothStep(_ x: Double, from start: Double, to end: Double) -> Double {
    let t = min(max((x - start) / (end - start), 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// The arctangent of a ratio in 0...1.
  private static func arctangent(_ ratio: Double) -> Double {
    // Beyond tan(π/8) the series converges slowly, so an eighth of a turn is subtracted.
    guard ratio <= 0.414_213_562_373_095 else { return .pi / 4 + series((ratio - 1) / (ratio + 1)) }
    return series(ratio)
  }

  private static func series(_ x: Double) -> Double {
    let s = x * x
    let tail = 1.0 / 9 - s * (1.0 / 11 - s / 13)
    return x * (1 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * tail))))
  }
}
