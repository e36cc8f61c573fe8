/// Pairs of minutiae of a probe and of a gallery print that are probably the same, grown from one
/// pair.
///
/// Skin stretches, so no single motion fits a whole print. From a first pair the pairing spreads to
/// the nearest minutiae. Each is expected where its already paired neighbor says, within a
/// tolerance that grows with the distance from that neighbor. Across the neighbor's ridges the
/// distance is taken to have changed as the ridge distance has.
struct MinutiaPairing {
  struct Pair {
    let probe: Int
    let gallery: Int
    /// How well place and direction fit, 0 (just tolerated) to 1.
    let fit: Float
    /// How alike the surroundings are, 0...1.
    let similarity: Float
  }

  /// Tolerance in pixels beside the neighbor, and its growth per pixel of distance.
  static let tolerance: Float = 6
  static let stretch: Float = 0.1
  /// Greatest difference of directions, in radians (29 degrees), and its cosine.
  static let turn: Float = 0.5
  static let leastCosine: Float = 0.8776
  /// A neighbor this far away, in pixels, says nothing. So no tolerance exceeds
  /// ``MinutiaPlaces/reach``.
  static let farthest: Float = 130

  /// If so many minutiae around the first pair have given no more than this many pairs, including
  /// the first, the first was not a pair.
  static let trial = 10
  static let trialPairs = 2

  /// The first one first.
  private(set) var pairs: [Pair] = []
  /// The motion that fits all pairs best.
  private(set) var motion = SkinMotion.none
  private var pairedInProbe = MinutiaSet()
  private var pairedInGallery = MinutiaSet()

  private var open = OpenMinutiae()

  var summary: PairingSummary {
    PairingSummary(
      seed: pairs.first.map { ($0.probe, $0.gallery) } ?? (0, 0), motion: motion,
      strength: pairs.reduce(0) { $0 + $1.fit.squareRoot() * $1.similarity },
      probe: pairedInProbe, gallery: pairedInGallery)
  }

  /// Starts anew from a pair; keeps its allocations.
  mutating func grow(from seed: (probe: Int, gallery: Int), probe: PrintView, gallery: PrintView) {
    pairs.removeAll(keepingCapacity: true)
    pairs.reserveCapacity(PrintView.mostMinutiae)
    pairedInProbe = MinutiaSet()
    pairedInGallery = MinutiaSet()
    open.open(probe.places)
    var fit = MotionFit()
    add(seed.probe, seed.gallery, fit: 1, to: &fit, probe, gallery)
    var tries = 0
    while let next = open.closest(Self.farthest * Self.farthest) {
      open.close(next.index)
      tries += 1
      if tries > Self.trial && pairs.count <= Self.trialPairs { return }
      guard let (best, cost) = partner(of: next, probe, gallery) else { continue }
      add(next.index, best, fit: 1 - cost, to: &fit, probe, gallery)
    }
  }

  private mutating func add(
    _ i: Int, _ j: Int, fit quality: Float, to fit: inout MotionFit, _ probe: PrintView,
    _ gallery: PrintView
  ) {
    let similarity = probe.similarity(of: i, to: j, in: gallery)
    pairs.append(Pair(probe: i, gallery: j, fit: quality, similarity: similarity))
    pairedInProbe.insert(i)
    pairedInGallery.insert(j)
    fit.add(probe.points[i], gallery.points[j])
    motion = fit.motion
    open.close(i)
    open.add(pair: pairs.count - 1, at: probe.points[i].place)
  }

  /// The free minutia of the gallery print that is best where one of the probe's is expected, and
  /// its cost.
  private func partner(
    of next: OpenMinutiae.Candidate, _ probe: PrintView, _ gallery: PrintView
  ) -> (index: Int, cost: Float)? {
    let neighbor = pairs[next.pair]
    let own = probe.points[next.index]
    let away = own.place - probe.points[neighbor.probe].place
    let place = gallery.points[neighbor.gallery].place + moved(away, neighbor, probe, gallery)
    var near = gallery.minutiaPlaces.near(place).subtracting(pairedInGallery)
    let direction = motion.rigid.turn(own.direction)
    let reach = Self.tolerance + Self.stretch * next.square.squareRoot()
    let area = 1 / (reach * reach)
    var best: (index: Int, cost: Float)?
    while let k = near.removeFirst() {
      let point = gallery.points[k]
      let off = point.place - place
      let square = (off * off).sum() * area
      guard square < 1 else { continue }
      let cosine = (point.direction * direction).sum()
      guard cosine > Self.leastCosine else { continue }
      // For small angles 2 (1 - cos a) is a squared.
      let cost = 0.5 * square + 0.5 * (1 - cosine) / (1 - Self.leastCosine)
      if cost < best?.cost ?? 1 { best = (k, cost) }
    }
    return best
  }

  /// Share of the change of the ridge distance at a pair that is expected around it, since it is
  /// measured with some error. Without it 4.3 %, with it 3.7 % were missed in the experiment of
  /// ``MotionFit/stiffness``, and a quarter less at a false match rate of 0.1 %.
  static let periodShare: Float = 0.8
  /// The range of that change.
  static let periodRatios: ClosedRange<Float> = 0.6...1.6

  /// Where a difference from a pair's minutia points, by the ridges around both.
  @inline(__always)
  private func moved(
    _ away: SIMD2<Float>, _ pair: Pair, _ probe: PrintView, _ gallery: PrintView
  ) -> SIMD2<Float> {
    let (own, other) = (probe.periods[pair.probe], gallery.periods[pair.gallery])
    guard own > 0, other > 0 else { return motion.stretch(away) }
    let ratio = 1 + Self.periodShare * (other / own - 1)
    let change = min(max(ratio, Self.periodRatios.lowerBound), Self.periodRatios.upperBound) - 1
    let direction = probe.points[pair.probe].direction
    let across = SIMD2(-direction.y, direction.x)
    return motion.rigid.turn(away + change * (away * across).sum() * across)
  }

  /// Overwrites the remains of the prints.
  mutating func wipe() {
    pairs.wipe(with: Pair(probe: 0, gallery: 0, fit: 0, similarity: 0))
    motion = .none
    pairedInProbe = MinutiaSet()
    pairedInGallery = MinutiaSet()
    open.wipe()
  }
}

/// The result of a ``MinutiaPairing``.
struct PairingSummary: Sendable {
  let seed: (probe: Int, gallery: Int)
  /// The motion that fits all pairs best.
  let motion: SkinMotion
  /// The pairs, weighted by how well they fit and how alike they are.
  let strength: Float
  /// Minutiae of the probe and of the gallery print that are in a pair.
  let probe: MinutiaSet
  let gallery: MinutiaSet

  static let none = PairingSummary(
    seed: (0, 0), motion: .none, strength: 0, probe: MinutiaSet(), gallery: MinutiaSet())
}

/// The minutiae of a probe that a growing pairing has not looked at, each with the pair nearest to
/// it; four at a time.
struct OpenMinutiae: Sendable {
  /// A minutia and the pair nearest to it.
  struct Candidate {
    let index: Int
    /// Squared distance in pixels to the pair's minutia of the probe.
    let square: Float
    let pair: Int
  }

  /// The places of four minutiae, in pixels; infinitely far away if there are fewer.
  struct Places: Sendable {
    var x = SIMD4<Float>(repeating: .infinity)
    var y = SIMD4<Float>(repeating: .infinity)
  }

  private struct Four: Sendable {
    /// Infinite if a minutia is closed.
    var places: Places
    var square = SIMD4<Float>(repeating: .infinity)
    var pair = SIMD4<Int32>.zero
  }

  private var fours: [Four] = []

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

  /// Opens all minutiae, without a pair.
  mutating func open(_ places: [Places]) {
    fours.removeAll(keepingCapacity: true)
    fours.reserveCapacity(PrintView.mostMinutiae / 4 + 1)
    for four in places { fours.append(Four(places: four)) }
  }

  mutating func close(_ index: Int) {
    fours[index / 4].places.x[index % 4] = .infinity
    fours[index / 4].square[index % 4] = .infinity
  }

  /// Adds a pair, for each minutia to which it is the nearest.
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

  /// Overwrites the remains of the places.
  mutating func wipe() { fours.wipe(with: Four(places: Places())) }
}
