/// Which part of a picture a sensor's pad fills, row by row.
///
/// Places are shares of the picture's width and height, from its top left corner, so that one pad
/// can be laid over pictures of any size.
enum PadOutline: Sendable {
  /// A straight border: inside is where `across * x + down * y <= limit`.
  struct Border: Sendable {
    let across: Double
    let down: Double
    let limit: Double
  }

  /// What lies inside of all borders.
  case straight([Border])
  /// What lies inside of an ellipse about (`x`, `y`).
  case round(x: Double, y: Double, halfWidth: Double, halfHeight: Double)
  /// A strip of a share of the width that wanders sideways by up to `drift` of the width, as swipes
  /// do that were put together on a wider picture; each touch wanders on its own.
  case wandering(share: Double, drift: Double)

  /// Between which columns the pad lies in each row.
  ///
  /// - Parameters:
  ///   - width: The picture's width in pixels.
  ///   - height: Its height.
  ///   - numbers: What the touch draws from.
  /// - Returns: For each row where the pad begins and ends, in pixels; nil where it is not.
  func rows(
    width: Int, height: Int, from numbers: inout some RandomNumberGenerator
  ) -> [ClosedRange<Double>?] {
    let whole = Double(width)
    switch self {
    case .straight(let borders):
      return (0..<height).map { row in
        let y = (Double(row) + 0.5) / Double(height)
        return Self.span(of: borders, y: y).map { $0.lowerBound * whole...$0.upperBound * whole }
      }
    case .round(let x, let y, let halfWidth, let halfHeight):
      return (0..<height).map { row in
        let away = ((Double(row) + 0.5) / Double(height) - y) / halfHeight
        guard abs(away) < 1 else { return nil }
        let half = halfWidth * (1 - away * away).squareRoot()
        return max(0, x - half) * whole...min(1, x + half) * whole
      }
    case .wandering(let share, let drift):
      return Self.wander(
        height: height, free: whole * (1 - share), reach: whole * drift, from: &numbers
      ).map { Double($0)...Double($0) + (whole * share).rounded() }
    }
  }

  private static func span(of borders: [Border], y: Double) -> ClosedRange<Double>? {
    var (left, right) = (0.0, 1.0)
    for border in borders {
      let rest = border.limit - border.down * y
      if border.across > 0 {
        right = min(right, rest / border.across)
      } else if border.across < 0 {
        left = max(left, rest / border.across)
      } else if rest < 0 {
        return nil
      }
    }
    return left < right ? left...right : nil
  }

  /// Stripes of a few rows, each a pixel or two beside the one before it.
  private static func wander(
    height: Int, free: Double, reach: Double, from numbers: inout some RandomNumberGenerator
  ) -> [Int] {
    let middle = free / 2
    var (left, way) = (middle, 0.0)
    var lefts: [Int] = []
    while lefts.count < height {
      way = 0.7 * way + Double.random(in: -1...1, using: &numbers)
      left = min(max(left + way, max(0, middle - reach)), min(free, middle + reach))
      let rows = Int.random(in: 5...11, using: &numbers)
      lefts += [Int](repeating: Int(left.rounded()), count: min(rows, height - lefts.count))
    }
    return lefts
  }
}
