/// Minutiae of a probe and of a gallery print taken for the same, grown from one pair.
///
/// Skin stretches, so no single motion fits a whole print. From a first pair the pairing spreads
/// to the nearest minutiae, each expected where its already paired neighbour says, within a
/// tolerance that grows with the distance from that neighbour.
struct MinutiaPairing {
  struct Pair {
    let probe: Int
    let gallery: Int
    /// How well the place and direction fit, 0 (just tolerated) to 1.
    let fit: Float
    /// How alike the surroundings are, 0...1.
    let similarity: Float
  }

  /// Tolerance in pixels beside the neighbour, and its growth per pixel of distance.
  static let tolerance: Float = 6
  static let stretch: Float = 0.1
  /// Directions may differ by this much, in radians (29 degrees).
  static let turn: Float = 0.5
  /// Cosine of ``turn``.
  static let leastCosine: Float = 0.8776
  /// A neighbour this far away, in pixels, says nothing.
  static let farthest: Float = 130

  /// When so many minutiae around the first pair have given no more than this many pairs, the first
  /// one among them, it was no pair.
  static let trial = 10
  static let trialPairs = 2

  /// The pairs, the first one first.
  private(set) var pairs: [Pair] = []
  /// The motion that fits all pairs best.
  private(set) var motion = RigidMotion(cosine: 1, sine: 0, dx: 0, dy: 0)
  /// Whether each minutia of the probe and of the gallery print is in a pair.
  private(set) var isPairedInProbe: [Bool] = []
  private(set) var isPairedInGallery: [Bool] = []

  private var isOpen: [Bool] = []
  /// Of each open minutia of the probe: squared distance to the nearest pair, and that pair.
  private var distance: [Float] = []
  private var nearest: [Int] = []

  /// Pairs weighed by how well they fit and how alike they are.
  var strength: Float { pairs.reduce(0) { $0 + $1.fit.squareRoot() * $1.similarity } }

  /// Starts anew from a pair; what was allocated is used again.
  mutating func grow(
    from seed: (probe: Int, gallery: Int), probe: PrintView, gallery: PrintView
  ) {
    let count = probe.points.count
    pairs.removeAll(keepingCapacity: true)
    Self.reset(&isPairedInProbe, to: false, count: count)
    Self.reset(&isPairedInGallery, to: false, count: gallery.points.count)
    Self.reset(&isOpen, to: true, count: count)
    Self.reset(&distance, to: .infinity, count: count)
    Self.reset(&nearest, to: 0, count: count)
    var fit = MotionFit()
    add(seed.probe, seed.gallery, fit: 1, to: &fit, probe, gallery)
    var tries = 0
    while let next = closestOpen() {
      isOpen[next] = false
      tries += 1
      if tries > Self.trial && pairs.count <= Self.trialPairs { return }
      guard let (best, cost) = partner(of: next, probe, gallery) else { continue }
      add(next, best, fit: 1 - cost, to: &fit, probe, gallery)
    }
  }

  private static func reset<T>(_ array: inout [T], to value: T, count: Int) {
    array.removeAll(keepingCapacity: true)
    for _ in 0..<count { array.append(value) }
  }

  private mutating func add(
    _ i: Int, _ j: Int, fit quality: Float, to fit: inout MotionFit, _ probe: PrintView,
    _ gallery: PrintView
  ) {
    let similarity = probe.descriptors[i].similarity(to: gallery.descriptors[j])
    pairs.append(Pair(probe: i, gallery: j, fit: quality, similarity: similarity))
    isOpen[i] = false
    isPairedInProbe[i] = true
    isPairedInGallery[j] = true
    fit.add(probe.points[i], gallery.points[j])
    motion = fit.motion
    let origin = probe.points[i].place
    for k in isOpen.indices where isOpen[k] {
      let away = probe.points[k].place - origin
      let square = (away * away).sum()
      if square < distance[k] {
        distance[k] = square
        nearest[k] = pairs.count - 1
      }
    }
  }

  private func closestOpen() -> Int? {
    var next: Int?
    var least = Self.farthest * Self.farthest
    for k in isOpen.indices where isOpen[k] && distance[k] < least {
      next = k
      least = distance[k]
    }
    return next
  }

  /// The free minutia of the gallery print that is best where `index` is expected, and its cost.
  private func partner(
    of index: Int, _ probe: PrintView, _ gallery: PrintView
  ) -> (index: Int, cost: Float)? {
    let neighbour = pairs[nearest[index]]
    let own = probe.points[index]
    let away = own.place - probe.points[neighbour.probe].place
    let place = gallery.points[neighbour.gallery].place + motion.turn(away)
    let direction = motion.turn(own.direction)
    let reach = Self.tolerance + Self.stretch * distance[index].squareRoot()
    let area = 1 / (reach * reach)
    var best: (index: Int, cost: Float)?
    for (k, point) in gallery.points.enumerated() where !isPairedInGallery[k] {
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
}
