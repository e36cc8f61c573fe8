internal import Glibc

/// A touch, or joined touches, prepared for comparing.
struct PrintView: Sendable {
  /// More minutiae than this are noise; the clearest are kept.
  static let mostMinutiae = 100

  let minutiae: [Minutia]
  let points: [OrientedPoint]
  /// The ridge distance around each minutia, in pixels; 0 if unknown.
  let periods: [Float]
  let flow: OrientationField
  /// Where the ridges lie, or nil if only minutiae and flow are compared.
  private(set) var sheet: PhaseField?
  /// The flow, and the other minutiae, around each minutia.
  let signatures: [FlowSignature]
  let cylinders: [MinutiaCylinder]
  /// The minutiae's places, in fours and by location.
  let places: [OpenMinutiae.Places]
  let minutiaPlaces: MinutiaPlaces

  init(minutiae: [Minutia], flow: OrientationField, sheet: PhaseField?) {
    self.sheet = sheet
    let kept = Array(minutiae.sorted { $0.quality > $1.quality }.prefix(Self.mostMinutiae))
    self.minutiae = kept
    self.flow = flow
    points = kept.map {
      OrientedPoint(
        place: SIMD2($0.x, $0.y), direction: SIMD2(cosf($0.direction), sinf($0.direction)))
    }
    periods = kept.map(\.period)
    signatures = kept.map { FlowSignature(of: $0, in: flow) }
    cylinders = kept.indices.map { MinutiaCylinder(of: $0, among: kept, flow: flow) }
    places = OpenMinutiae.places(of: points)
    minutiaPlaces = MinutiaPlaces(points)
  }

  /// How alike the surroundings of a minutia and of one of another print are, 0...1.
  func similarity(of index: Int, to other: Int, in gallery: PrintView) -> Float {
    Self.similarity(
      flow: signatures[index].similarity(to: gallery.signatures[other]),
      minutiae: cylinders[index].similarity(to: gallery.cylinders[other]))
  }

  @inline(__always)
  static func similarity(flow: Float, minutiae: Float) -> Float {
    flow * (0.35 + 0.65 * minutiae)
  }

  var withoutSheet: PrintView {
    var view = self
    view.sheet = nil
    return view
  }
}

/// A minutia as comparing needs it.
struct OrientedPoint: Hashable, Sendable {
  /// Pixels.
  let place: SIMD2<Float>
  /// Of length 1.
  let direction: SIMD2<Float>
}

/// Some of a print's minutiae, by their numbers: at most ``PrintView/mostMinutiae``.
struct MinutiaSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    (index < 64 ? low : high) >> UInt64(index & 63) & 1 != 0
  }

  @inline(__always)
  mutating func insert(_ index: Int) {
    let bit = UInt64(1) << UInt64(index & 63)
    if index < 64 { low |= bit } else { high |= bit }
  }

  @inline(__always)
  func subtracting(_ other: MinutiaSet) -> MinutiaSet {
    var rest = self
    rest.low &= ~other.low
    rest.high &= ~other.high
    return rest
  }

  /// Removes the one with the lowest number, or returns nil if the set is empty.
  @inline(__always)
  mutating func removeFirst() -> Int? {
    if low != 0 {
      defer { low &= low &- 1 }
      return low.trailingZeroBitCount
    }
    guard high != 0 else { return nil }
    defer { high &= high &- 1 }
    return 64 &+ high.trailingZeroBitCount
  }
}

/// Which minutiae of a print lie near a place, without looking at all of them.
struct MinutiaPlaces: Sendable {
  /// Minutiae this close, in pixels, are found, and some that are farther away.
  static let reach: Float = 20
  /// Side of the squares by which they are found, in pixels.
  private static let side: Float = 16

  /// Minutiae farther from the print's corner than this, in pixels, are never near: no print is so
  /// large.
  private static let farthest: Float = 4200

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

  /// All minutiae within ``reach`` of a place, and some others.
  @inline(__always)
  func near(_ place: SIMD2<Float>) -> MinutiaSet {
    let square = (place - origin) / Self.side
    guard square.x >= 0, square.y >= 0, square.x < Float(columns), square.y < Float(rows) else {
      return MinutiaSet()
    }
    return squares[Int(square.y) &* columns &+ Int(square.x)]
  }
}
