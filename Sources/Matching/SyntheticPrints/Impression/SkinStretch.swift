/// How skin lies that is pressed flat, dragged and twisted while it stays where it touched.
struct SkinStretch: Sendable {
  /// Half of the way over which the stretch grows, in pixels.
  private static let halfWay = 120
  /// As far as the table of ``along`` goes from the middle, in pixels.
  private static let reach = 800
  /// How far from the middle skin lies that does not turn, in pixels: about the contact's edge.
  private static let radius = 160.0

  /// How much larger everything is for being pressed flat.
  private let enlargement: Double
  private let directionX: Double
  private let directionY: Double
  /// For each pixel along the drag, from -``reach`` on, where its skin was before.
  private let along: [Double]
  /// By how much skin is drawn together across the drag.
  private let narrowing: Double
  /// In radians.
  private let twist: Double

  /// - Parameters:
  ///   - pressing: How hard the finger is pressed, see ``SkinTreatment``.
  ///   - treatment: What else is done.
  ///   - random: Draws how far, in which direction and about which place skin is stretched.
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

  /// Where the skin is at rest that lies at (`x`, `y`); pixels from the middle of the canvas, y
  /// down.
  func moved(x: Double, y: Double) -> (x: Double, y: Double) {
    let (flatX, flatY) = (x / enlargement, y / enlargement)
    let distance = (flatX * flatX + flatY * flatY).squareRoot()
    let turn = twist * (1 - Trigonometry.smoothStep(distance, from: 0, to: Self.radius))
    let (cosine, sine) = (Trigonometry.cosine(turn), Trigonometry.sine(turn))
    let turnedX = flatX * cosine - flatY * sine
    let turnedY = flatX * sine + flatY * cosine
    let across = (turnedX * directionY - turnedY * directionX) * narrowing
    let before = place(turnedX * directionX + turnedY * directionY)
    return (
      before * directionX + across * directionY, before * directionY - across * directionX
    )
  }

  private func place(_ position: Double) -> Double {
    let most = Double(Self.reach)
    let inTable = min(max(position + most, 0), 2 * most)
    let index = min(Int(inTable), 2 * Self.reach - 1)
    return along[index] + (along[index + 1] - along[index]) * (inTable - Double(index))
  }
}
