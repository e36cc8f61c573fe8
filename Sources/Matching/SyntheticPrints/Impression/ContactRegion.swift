/// The part of the skin that touches the sensor: an egg whose edge presses less firmly.
struct ContactRegion: Sendable {
  private let centerX: Double
  private let centerY: Double
  private let halfWidth: Double
  private let upperHeight: Double
  private let lowerHeight: Double

  init(finger: RandomStream, conditions: ImpressionConditions, from random: inout RandomStream) {
    var anatomy = finger
    let share = random.uniform(in: conditions.contact)
    halfWidth = anatomy.uniform(in: 128...152) * share
    upperHeight = anatomy.uniform(in: 170...200) * share
    lowerHeight = anatomy.uniform(in: 190...225) * share
    // What does not touch is missing on one side rather than all around.
    let slack = 1 - share
    centerX = random.uniform(in: -1...1) * 110 * slack
    centerY = random.uniform(in: -1...1) * 170 * slack
  }

  /// How far outward a point lies: 0 in the middle, 1 on the edge, more beyond it. In pixels from
  /// the middle of the canvas, y down.
  func reach(x: Double, y: Double) -> Double {
    let across = (x - centerX) / halfWidth
    let down = y - centerY
    let along = down / (down < 0 ? upperHeight : lowerHeight)
    // Between an ellipse and a rectangle: fingertips are blunter than ellipses.
    let square = across * across
    let other = along * along
    return (square + other - 0.25 * square * other).squareRoot()
  }
}
