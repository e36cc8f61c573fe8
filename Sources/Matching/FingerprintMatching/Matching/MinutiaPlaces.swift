/// Which minutiae of a print lie near a place, without looking at all of them.
struct MinutiaPlaces: Sendable {
  /// Minutiae are found that are this close, in pixels, and some that are farther away.
  static let reach: Float = 20
  /// Side of the squares for which they are noted, in pixels.
  private static let side: Float = 16

  /// Minutiae farther from the print's corner than this, in pixels, are never near: no print
  /// reaches as far.
  private static let farthest: Float = 4200

  /// Where the first square begins.
  private let origin: SIMD2<Float>
  private let columns: Int
  private let rows: Int
  private var squares: [MinutiaSet]

  init(_ points: [OrientedPoint]) {
    var (first, last) = (SIMD2<Float>.zero, SIMD2<Float>.zero)
    for point in points where Self.isNear(point.place) {
      first.replace(with: point.place, where: point.place .< first)
      last.replace(with: point.place, where: point.place .> last)
    }
    origin = first - Self.reach
    let size = (last + Self.reach - origin) / Self.side
    columns = Int(size.x) + 1
    rows = Int(size.y) + 1
    squares = Array(repeating: MinutiaSet(), count: columns * rows)
    for (index, point) in points.enumerated() where Self.isNear(point.place) {
      let from = (point.place - Self.reach - origin) / Self.side
      let to = (point.place + Self.reach - origin) / Self.side
      for row in Int(from.y)...min(Int(to.y), rows - 1) {
        for column in Int(from.x)...min(Int(to.x), columns - 1) {
          squares[row * columns + column].insert(index)
        }
      }
    }
  }

  private static func isNear(_ place: SIMD2<Float>) -> Bool {
    abs(place.x) < farthest && abs(place.y) < farthest
  }

  /// All minutiae within ``reach`` of a place, and others not far away.
  @inline(__always)
  func near(_ place: SIMD2<Float>) -> MinutiaSet {
    let square = (place - origin) / Self.side
    guard square.x >= 0, square.y >= 0, square.x < Float(columns), square.y < Float(rows) else {
      return MinutiaSet()
    }
    return squares[Int(square.y) &* columns &+ Int(square.x)]
  }
}
