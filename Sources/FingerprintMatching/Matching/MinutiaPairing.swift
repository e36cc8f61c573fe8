/// Minutiae of a probe and of a gallery print taken for the same, grown from one pair.
///
/// Skin stretches, so no single motion fits a whole print. From a first pair the pairing spreads
/// to the nearest minutiae, each expected where its already paired neighbour says, within a
/// tolerance that grows with the distance from that neighbour.
struct MinutiaPairing: Sendable {
  struct Pair: Sendable {
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
  /// A neighbour this far away, in pixels, says nothing.
  static let farthest: Float = 130

  private(set) var pairs: [Pair] = []
  private(set) var motion: RigidMotion

  init(growingFrom seed: (probe: Int, gallery: Int), probe: PrintView, gallery: PrintView) {
    let (a, b) = (probe.minutiae, gallery.minutiae)
    let (first, second) = (a[seed.probe], b[seed.gallery])
    motion = RigidMotion(
      rotation: Angle.wrapped(second.direction - first.direction),
      taking: first.x, first.y, to: second.x, second.y)
    pairs.append(
      Pair(
        probe: seed.probe, gallery: seed.gallery, fit: 1,
        similarity: probe.descriptors[seed.probe].similarity(to: gallery.descriptors[seed.gallery]))
    )

    var isOpen = [Bool](repeating: true, count: a.count)
    var isFree = [Bool](repeating: true, count: b.count)
    var distance = [Float](repeating: .infinity, count: a.count)
    var neighbour = [Int](repeating: seed.gallery, count: a.count)
    var origin = [Int](repeating: seed.probe, count: a.count)
    isOpen[seed.probe] = false
    isFree[seed.gallery] = false
    func spread(from i: Int, to j: Int) {
      for k in a.indices where isOpen[k] {
        let (dx, dy) = (a[k].x - a[i].x, a[k].y - a[i].y)
        let square = dx * dx + dy * dy
        if square < distance[k] {
          distance[k] = square
          neighbour[k] = j
          origin[k] = i
        }
      }
    }
    spread(from: seed.probe, to: seed.gallery)
    while true {
      var next = -1
      for k in a.indices where isOpen[k] && (next < 0 || distance[k] < distance[next]) { next = k }
      guard next >= 0, distance[next] < Self.farthest * Self.farthest else { break }
      isOpen[next] = false
      let far = distance[next].squareRoot()
      let (ox, oy) = (a[next].x - a[origin[next]].x, a[next].y - a[origin[next]].y)
      let x = b[neighbour[next]].x + motion.cosine * ox - motion.sine * oy
      let y = b[neighbour[next]].y + motion.sine * ox + motion.cosine * oy
      let reach = Self.tolerance + Self.stretch * far
      var best = -1
      var least: Float = 1
      for k in b.indices where isFree[k] {
        let (dx, dy) = (b[k].x - x, b[k].y - y)
        let square = dx * dx + dy * dy
        guard square < reach * reach else { continue }
        let turned = Angle.wrapped(b[k].direction - a[next].direction - motion.rotation) / Self.turn
        let cost = 0.5 * square / (reach * reach) + 0.5 * turned * turned
        guard abs(turned) < 1, cost < least else { continue }
        least = cost
        best = k
      }
      guard best >= 0 else { continue }
      isFree[best] = false
      pairs.append(
        Pair(
          probe: next, gallery: best, fit: 1 - least,
          similarity: probe.descriptors[next].similarity(to: gallery.descriptors[best])))
      motion = RigidMotion(pairs: pairs.map { (from: a[$0.probe], to: b[$0.gallery]) })
      spread(from: next, to: best)
    }
  }

  /// Pairs weighed by how well they fit and how alike they are.
  var strength: Float { pairs.reduce(0) { $0 + $1.fit.squareRoot() * $1.similarity } }
}
