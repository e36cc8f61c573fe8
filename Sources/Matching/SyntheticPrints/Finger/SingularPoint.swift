/// Where the direction of ridges is undefined: the middle of a loop or of a delta.
struct SingularPoint: Sendable {
  /// The place, in pixels from the middle of the canvas, y up.
  let x: Double
  let y: Double

  /// How much more of a loop's turn happens on its far side than on its open side, 0...1.
  var turning = 0.0
  /// The direction from the loop's middle to its far side, in radians.
  var farSide = 0.0

  /// Height in radians and phase of a small correction that no two points share.
  private let unevenness: Double
  private let unevennessPhase: Double

  init(x: Double, y: Double, from random: inout RandomStream) {
    self.x = x
    self.y = y
    unevenness = random.bell(deviation: 0.08)
    unevennessPhase = random.uniform(in: -.pi ... .pi)
  }

  /// The corrected angle from this point to another, in radians; it grows by 2π in one turn.
  func angle(toX px: Double, y py: Double) -> Double {
    let angle = Trigonometry.direction(x: px - x, y: py - y)
    return angle + turning * Trigonometry.sine(angle - farSide)
      + unevenness * Trigonometry.sine(2 * (angle - unevennessPhase))
  }
}
