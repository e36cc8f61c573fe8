/// How skin lies that is pressed flat, dragged and twisted in place.
struct SkinStretch: Sendable {
  /// Half of the way over which the stretch grows, in pixels.
  private static let halfWay = 120
  /// How far the table of ``along`` reaches from the middle, in pixels.
  private static let reach = 800
  /// How far from the middle skin does not turn, in pixels: about the contact's edge.
  private static let radius = 160.0

  private let enlargement: Double
  private let directionX: Double
  private let directionY: Double
  /// For each pixel along the drag, from -``reach``, where its skin was before.
  private let along: [Double]
  private let narrowing: Double
  /// In radians.
  private let twist: Double

  init(pressing: Double, treatment: SkinTreatment, from random: inout RandomStream) {
    enlargement = 1 + pressing / 12
    let most = random.uniform(in: treatment.stretch)
    twist = random.uniform(in: treatment.twist) * .pi / 180
    // Fingers are dragged along rather than to a side, and mostly towards the person: the tip is
    // stretched.
    let angle = random.bell(deviation: 0.35)
    let isTip: Double = random.uniform(in: 0...1) < 0.8 ? -1 : 1
    directionX = Trigonometry.sine(angle)
    directionY = Trigonometry.cosine(angle) * isTip
    narrowing = 1 + (most - 1) / 4
    let middle = random.bell(deviation: 25)
    let least = 1 - (most - 1) / 5
    let halfWay = Double(Self.halfWay)
    let rates = (-Self.reach...Self.reach).map { step -> Double in
      let share = Trigonometry.smoothStep(
        Double(step), from: middle - halfWay, to: middle + halfWay)
      return 1 / (least + (most - least) * share)
    }
    var table = [Double](repeating: 0, count: rates.count)
    for step in 0..<Self.reach {
      let (up, down) = (Self.reach + step, Self.reach - step)
      table[up + 1] = table[up] + (rates[up] + rates[up + 1]) / 2
      table[down - 1] = table[down] - (rates[down] + rates[down - 1]) / 2
    }
    along = table
  }

  /// Where the skin at (`x`, `y`) lies at rest; pixels from the middle of the canvas, y down.
  func moved(x: Double, y: Double) -> (x: Double, y: Double) {
    let (flatX, flatY) = (x / enlargement, y / enlargement)
    let distance = (flatX * flatX + flatY * flatY).squareRoot()
    let turn = twist * (1 - Trigonometry.smoothStep(distance, from: 0, to: Self.radius))
    let (cosine, sine) = (Trigonometry.cosine(turn), Trigonometry.sine(turn))
    let turnedX = flatX * cosine - flatY * sine
    let turnedY = flatX * sine + flatY * cosine
    let across = (turnedX * directionY - turnedY * directionX) * narrowing
    let before = place(turnedX * directionX + turnedY * directionY)
    return (before * directionX + across * directionY, before * directionY - across * directionX)
  }

  private func place(_ position: Double) -> Double {
    let most = Double(Self.reach)
    let inTable = min(max(position + most, 0), 2 * most)
    let index = min(Int(inTable), 2 * Self.reach - 1)
    return along[index] + (along[index + 1] - along[index]) * (inTable - Double(index))
  }
}

/// How the skin stretches when the finger is dragged and turned after it has touched.
///
/// The middle of the contact stays put, the skin far from it moves with the finger, and the skin
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
