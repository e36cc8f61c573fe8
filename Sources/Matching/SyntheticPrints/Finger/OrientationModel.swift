/// The direction of the ridges at each point of a finger.
///
/// Around loops and deltas directions turn by half a turn, in opposite senses (Sherlock and Monro,
/// "A Model for Interpreting Fingerprint Topology", 1993). Each singular point's angle is corrected
/// by a periodic function of its own (Vizcaya and Gerhardt, "A Nonlinear Orientation Model for
/// Global Description of Fingerprints", 1996; theirs is piecewise linear, this one is smooth).
/// Beneath them lies the dome in which every fingertip ends, and for the arch a bump.
struct OrientationModel: Sendable {
  private var loops: [SingularPoint] = []
  private var deltas: [SingularPoint] = []
  private let domeRadius: Double
  private var bumpHeight = 0.0
  private var bumpWidth = 60.0
  private var bumpCenter = 0.0

  init(pattern: RidgePattern, from random: inout RandomStream) {
    domeRadius = random.uniform(in: 190...280)
    switch pattern {
    case .arch:
      bumpHeight = random.uniform(in: 40...75)
      bumpWidth = random.uniform(in: 50...70)
      bumpCenter = random.uniform(in: -25...10)
    case .tentedArch:
      let x = random.uniform(in: -12...12)
      addLoop(x: x, y: random.uniform(in: 5...30), from: &random)
      addDelta(x: x + random.uniform(in: -8...8), y: random.uniform(in: -85 ... -60), from: &random)
    case .leftLoop: addLoopPattern(deltaSide: 1, from: &random)
    case .rightLoop: addLoopPattern(deltaSide: -1, from: &random)
    case .whorl:
      let half = random.uniform(in: 8...26)
      let lean = random.uniform(in: -0.5...0.5)
      addWhorl(half: half, lean: lean * half, from: &random)
    case .doubleLoop:
      let half = random.uniform(in: 24...38)
      let side: Double = random.uniform(in: -1...1) < 0 ? -1 : 1
      addWhorl(half: half, lean: side * random.uniform(in: 0.8...1.2) * half, from: &random)
    }
    turnLoops(from: &random)
  }

  /// The angle of the ridges at a point in pixels from the middle of the canvas, y up;
  /// counterclockwise from the x axis, plus any multiple of π.
  func angle(x: Double, y: Double) -> Double {
    let steepness = Trigonometry.smoothStep(y, from: -150, to: 30)
    let dome = Trigonometry.angle(ofSlope: -x / domeRadius) * steepness
    let distance = x / bumpWidth
    let envelope = Trigonometry.decay(min(distance * distance / 2, 100))
    let rise = (y - bumpCenter) / 110
    let bump =
      -bumpHeight * distance / bumpWidth * envelope
      * Trigonometry.decay(min(rise * rise / 2, 100))
    var angle = dome + Trigonometry.angle(ofSlope: bump)
    for loop in loops { angle += loop.angle(toX: x, y: y) / 2 }
    for delta in deltas { angle -= delta.angle(toX: x, y: y) / 2 }
    return angle
  }

  /// The height of the northernmost loop and the southernmost delta, in pixels from the middle of
  /// the canvas; beyond them ridges lie farther apart.
  var core: (top: Double, bottom: Double) {
    (loops.map(\.y).max() ?? bumpCenter + 40, deltas.map(\.y).min() ?? bumpCenter - 90)
  }

  private mutating func addLoopPattern(deltaSide side: Double, from random: inout RandomStream) {
    addLoop(x: -side * random.uniform(in: -6...14), y: random.uniform(in: 15...50), from: &random)
    addDelta(
      x: side * random.uniform(in: 62...100), y: random.uniform(in: -125 ... -80), from: &random)
  }

  private mutating func addWhorl(half: Double, lean: Double, from random: inout RandomStream) {
    let x = random.uniform(in: -10...10)
    let y = random.uniform(in: 0...25)
    addLoop(x: x + lean, y: y + half, from: &random)
    addLoop(x: x - lean, y: y - half, from: &random)
    for side in [-1.0, 1.0] {
      addDelta(
        x: side * random.uniform(in: 90...125), y: random.uniform(in: -115 ... -75), from: &random)
    }
  }

  private mutating func addLoop(x: Double, y: Double, from random: inout RandomStream) {
    loops.append(SingularPoint(x: x, y: y, from: &random))
  }

  private mutating func addDelta(x: Double, y: Double, from random: inout RandomStream) {
    deltas.append(SingularPoint(x: x, y: y, from: &random))
  }

  /// Makes the ridges around each loop turn on its far side and run side by side on its open side,
  /// as on fingers; uncorrected they would fan out from the loop's middle like parabolas.
  private mutating func turnLoops(from random: inout RandomStream) {
    let uncorrected = self
    for index in loops.indices {
      var others = uncorrected
      let loop = others.loops.remove(at: index)
      let openSide = 2 * others.angle(x: loop.x, y: loop.y)
      loops[index].turning = random.uniform(in: 0.5...0.8)
      loops[index].farSide = openSide + .pi
    }
  }
}

/// Where the direction of ridges is undefined: the middle of a loop or of a delta, in pixels from
/// the middle of the canvas, y up.
private struct SingularPoint: Sendable {
  let x: Double
  let y: Double

  /// How much more of a loop's turn happens on its far side than on its open side, 0...1.
  var turning = 0.0
  /// The direction from the loop's middle to its far side, in radians.
  var farSide = 0.0

  /// Height in radians and phase of a small correction that differs from point to point.
  private let unevenness: Double
  private let unevennessPhase: Double

  init(x: Double, y: Double, from random: inout RandomStream) {
    (self.x, self.y) = (x, y)
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

/// The classes of Henry's system.
package enum RidgePattern: Sendable, CaseIterable {
  case arch, tentedArch, leftLoop, rightLoop, whorl, doubleLoop

  /// Draws a pattern as often as it is found on people's fingers: Wilson, Candela and Watson,
  /// "Neural Network Fingerprint Classification" (1994), with the whorls split in two.
  init(from random: inout RandomStream) {
    let draw = random.uniform(in: 0...1)
    self =
      if draw < 0.037 { .arch } else if draw < 0.066 { .tentedArch } else if draw < 0.404 {
        .leftLoop
      } else if draw < 0.721 { .rightLoop } else if draw < 0.93 { .whorl } else { .doubleLoop }
  }
}
