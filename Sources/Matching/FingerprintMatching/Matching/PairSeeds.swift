/// The pairs of minutiae, one of each print, whose surroundings are most alike.
struct PairSeeds: Sendable {
  struct Seed: Sendable {
    /// How alike the surroundings are, 0...1.
    let similarity: Float
    let probe: Int
    let gallery: Int
  }

  /// The most pairs that are kept.
  static let most = 16
  /// Pairs whose surroundings are less alike than this are no start.
  static let leastSimilarity: Float = 0.25

  /// The best first.
  private(set) var seeds: [Seed] = []

  /// Looks through all pairs; what was allocated is used again.
  mutating func find(probe: PrintView, gallery: PrintView) {
    seeds.removeAll(keepingCapacity: true)
    seeds.reserveCapacity(Self.most + 1)
    var least = Self.leastSimilarity
    let (own, other) = (probe.signatures.span, gallery.signatures.span)
    let (ownMinutiae, otherMinutiae) = (probe.cylinders.span, gallery.cylinders.span)
    for i in own.indices {
      for j in other.indices {
        let flow = own[i].similarity(to: other[j])
        // The minutiae around can only make them less alike.
        guard flow >= least else { continue }
        let minutiae = ownMinutiae[i].mostSimilarity(to: otherMinutiae[j])
        guard PrintView.similarity(flow: flow, minutiae: minutiae) > least else { continue }
        let similarity = PrintView.similarity(
          flow: flow, minutiae: ownMinutiae[i].similarity(to: otherMinutiae[j]))
        guard similarity > least else { continue }
        insert(Seed(similarity: similarity, probe: i, gallery: j))
        if seeds.count == Self.most { least = seeds[Self.most - 1].similarity }
      }
    }
  }

  private mutating func insert(_ seed: Seed) {
    var place = seeds.count
    while place > 0, seeds[place - 1].similarity < seed.similarity { place -= 1 }
    seeds.insert(seed, at: place)
    if seeds.count > Self.most { seeds.removeLast() }
  }

  /// Overwrites what is left of the pairs.
  mutating func wipe() { seeds.wipe(with: Seed(similarity: 0, probe: 0, gallery: 0)) }
}
