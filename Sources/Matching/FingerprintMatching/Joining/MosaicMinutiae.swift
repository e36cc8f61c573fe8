internal import Glibc

/// The minutiae of joined touches: each once, with how often it was found.
struct MosaicMinutiae: Sendable {
  /// Minutiae closer than this are the same, in pixels.
  static let distance: Float = 8
  /// Cosine of the angle by which their directions may differ (37 degrees).
  static let cosine: Float = 0.8

  private struct Spot: Sendable {
    var minutia: Minutia
    var found: Float
  }

  private var spots: [Spot]

  init(_ minutiae: [Minutia], found: Float = 1) {
    spots = minutiae.map { Spot(minutia: $0, found: found) }
  }

  /// Moves all, in pixels.
  mutating func move(_ way: SIMD2<Float>) {
    for k in spots.indices { spots[k].minutia = spots[k].minutia.moved(way.x, way.y) }
  }

  /// Takes in other minutiae: those that lie on one there is are averaged with it.
  mutating func join(
    _ others: MosaicMinutiae, _ registration: RidgeRegistration, moved: SIMD2<Float>,
    grid: CellGrid
  ) {
    var isFree = [Bool](repeating: true, count: spots.count)
    for other in others.spots {
      let place = registration.place(of: other.minutia.x, other.minutia.y, in: grid) + moved
      let direction = Angle.wrapped(other.minutia.direction + registration.motion.rotation)
      let there = Minutia(
        x: place.x, y: place.y, direction: direction, quality: other.minutia.quality,
        period: other.minutia.period)
      var nearest: (index: Int, square: Float)?
      for k in isFree.indices where isFree[k] {
        let own = spots[k].minutia
        let square = (own.x - there.x) * (own.x - there.x) + (own.y - there.y) * (own.y - there.y)
        guard square < nearest?.square ?? (Self.distance * Self.distance) else { continue }
        guard cosf(own.direction - there.direction) > Self.cosine else { continue }
        nearest = (k, square)
      }
      guard let nearest else {
        spots.append(Spot(minutia: there, found: other.found))
        continue
      }
      isFree[nearest.index] = false
      average(nearest.index, with: there, found: other.found)
    }
  }

  private mutating func average(_ index: Int, with other: Minutia, found: Float) {
    let share = found / (spots[index].found + found)
    var own = spots[index].minutia
    own.x += share * (other.x - own.x)
    own.y += share * (other.y - own.y)
    own.direction = Angle.wrapped(
      own.direction + share * Angle.wrapped(other.direction - own.direction))
    // A finger enrolled as version 2 does not say how far apart its ridges are.
    let isKnown = own.period > 0 && other.period > 0
    own.period =
      isKnown ? own.period + share * (other.period - own.period) : max(own.period, other.period)
    own.quality = max(own.quality, other.quality)
    spots[index].minutia = own
    spots[index].found += found
  }

  /// The minutiae, those that most touches of their place do not show with less quality.
  ///
  /// - Parameters:
  ///   - depths: How many touches show each cell.
  ///   - flow: The flow with these cells.
  /// - Returns: All minutiae, in no particular order.
  func weighed(by depths: [Float], on flow: OrientationField) -> [Minutia] {
    spots.map { spot in
      let cell = flow.cell(at: spot.minutia.x, spot.minutia.y)
      let depth = cell.map { depths[$0] } ?? spot.found
      var minutia = spot.minutia
      // One touch in two misses a minutia that is there; half of the touches are enough.
      minutia.quality *= min(1, (spot.found + 0.5) / (0.6 * depth + 0.5))
      return minutia
    }
  }
}
