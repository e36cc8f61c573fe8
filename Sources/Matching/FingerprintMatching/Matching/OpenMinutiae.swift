/// The minutiae of a probe that were not yet looked at while a pairing grows, each with the pair
/// that is nearest to it; four at a time.
struct OpenMinutiae: Sendable {
  /// A minutia and the pair nearest to it.
  struct Candidate {
    let index: Int
    /// Squared distance to the pair's minutia of the probe, in pixels.
    let square: Float
    let pair: Int
  }

  /// The places of four minutiae, in pixels; infinitely far away where there is none.
  struct Places: Sendable {
    var x = SIMD4<Float>(repeating: .infinity)
    var y = SIMD4<Float>(repeating: .infinity)
  }

  private struct Four: Sendable {
    /// Infinite where a minutia is closed.
    var places: Places
    var square = SIMD4<Float>(repeating: .infinity)
    var pair = SIMD4<Int32>.zero
  }

  private var fours: [Four] = []

  /// The places of minutiae in fours.
  static func places(of points: [OrientedPoint]) -> [Places] {
    stride(from: 0, to: points.count, by: 4).map { first in
      var places = Places()
      for (lane, point) in points[first..<min(first + 4, points.count)].enumerated() {
        places.x[lane] = point.place.x
        places.y[lane] = point.place.y
      }
      return places
    }
  }

  /// Opens all minutiae; there is no pair yet.
  mutating func open(_ places: [Places]) {
    fours.removeAll(keepingCapacity: true)
    fours.reserveCapacity(PrintView.mostMinutiae / 4 + 1)
    for four in places { fours.append(Four(places: four)) }
  }

  /// Takes a minutia out.
  mutating func close(_ index: Int) {
    fours[index / 4].places.x[index % 4] = .infinity
    fours[index / 4].square[index % 4] = .infinity
  }

  /// Notes a pair wherever it is the nearest one.
  mutating func add(pair: Int, at place: SIMD2<Float>) {
    let number = SIMD4(repeating: Int32(truncatingIfNeeded: pair))
    var fours = fours.mutableSpan
    for k in fours.indices {
      let (dx, dy) = (fours[k].places.x - place.x, fours[k].places.y - place.y)
      let square = dx * dx + dy * dy
      let isNearer = square .< fours[k].square
      fours[k].square.replace(with: square, where: isNearer)
      fours[k].pair.replace(with: number, where: isNearer)
    }
  }

  /// The minutia closest to a pair, if it is closer than the root of `most`.
  func closest(_ most: Float) -> Candidate? {
    let fours = fours.span
    var least = SIMD4<Float>(repeating: .infinity)
    for k in fours.indices {
      least = least.replacing(with: fours[k].square, where: fours[k].square .< least)
    }
    let square = min(min(least.x, least.y), min(least.z, least.w))
    guard square < most else { return nil }
    var k = 0
    while k < fours.count - 1, !any(fours[k].square .== square) { k &+= 1 }
    var lane = 0
    while lane < 3, fours[k].square[lane] != square { lane &+= 1 }
    return Candidate(index: 4 * k + lane, square: square, pair: Int(fours[k].pair[lane]))
  }

  /// Overwrites what is left of the places.
  mutating func wipe() { fours.wipe(with: Four(places: Places())) }
}
