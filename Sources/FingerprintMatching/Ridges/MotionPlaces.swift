/// Notes motions that were tried, so that none is tried that is nearly the same.
struct MotionPlaces {
  /// Motions that bring the middle of the probe into one square of this side, in pixels, and turn it
  /// alike are the same: what ``RidgeRegistration`` takes care of.
  static let side: Float = 4
  /// Steps of a turn within which motions turn alike: 6 degrees.
  static let turns: Float = 60

  private struct Place: Hashable {
    let x: Int
    let y: Int
    let turn: Int
  }

  private let middle: SIMD2<Float>
  private var places: Set<Place> = []

  /// - Parameter grid: The cells of the probe.
  init(of grid: CellGrid) {
    middle = SIMD2(Float(grid.columns), Float(grid.rows)) * Float(CellGrid.side) / 2
  }

  /// Whether no motion like it was asked about before.
  mutating func isNew(_ motion: RigidMotion) -> Bool {
    let place = motion.apply(middle.x, middle.y)
    let turn = motion.rotation / (2 * .pi) * Self.turns
    guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return false }
    return places.insert(
      Place(
        x: Int((place.x / Self.side).rounded()), y: Int((place.y / Self.side).rounded()),
        turn: Int(turn.rounded()))
    ).inserted
  }
}
