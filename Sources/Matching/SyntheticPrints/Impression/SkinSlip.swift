/// How the skin stretches when the finger is dragged and turned after it has touched.
///
/// The middle of the contact stays put, what lies far from it moves with the finger, and the skin
/// between stretches (Cappelli, Maio and Maltoni, "Modeling Plastic Distortion in Fingerprint
/// Images", 2001).
struct SkinSlip: Sendable {
  private let centerX: Double
  private let centerY: Double
  private let dragX: Double
  private let dragY: Double
  private let turnCosine: Double
  private let turnSine: Double
  /// Half axes of the part that stays put, in pixels, and the width of the part that stretches as a
  /// share of them.
  private let halfWidth: Double
  private let halfHeight: Double
  private let transition: Double

  init(conditions: ImpressionConditions, from random: inout RandomStream) {
    centerX = random.bell(deviation: 14)
    centerY = random.bell(deviation: 18)
    dragX = random.bell(deviation: conditions.slip)
    dragY = random.bell(deviation: conditions.slip)
    // A drag of one pixel comes with a turn of about half a degree.
    let turn = random.bell(deviation: conditions.slip) * 0.5 * .pi / 180
    turnCosine = Trigonometry.cosine(turn)
    turnSine = Trigonometry.sine(turn)
    halfWidth = random.uniform(in: 30...60)
    halfHeight = random.uniform(in: 40...75)
    transition = random.uniform(in: 1...2)
  }

  /// Where the skin is that would be at (`x`, `y`) had nothing slipped; pixels from the middle of
  /// the canvas, y down.
  func moved(x: Double, y: Double) -> (x: Double, y: Double) {
    let fromX = x - centerX
    let fromY = y - centerY
    let across = fromX / halfWidth
    let along = fromY / halfHeight
    let distance = (across * across + along * along).squareRoot() - 1
    guard distance > 0 else { return (x, y) }
    let brake =
      distance >= transition ? 1 : Trigonometry.smoothStep(distance, from: 0, to: transition)
    let turnedX = fromX * turnCosine - fromY * turnSine + dragX
    let turnedY = fromX * turnSine + fromY * turnCosine + dragY
    return (x + (turnedX - fromX) * brake, y + (turnedY - fromY) * brake)
  }
}
