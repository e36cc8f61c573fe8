/// Finds how a probe lies on a gallery print by their minutiae. Keeps what it allocates.
struct MinutiaSearch: Sendable {
  /// Pairings less strong than this share of one before are not judged.
  static let leastStrength: Float = 0.7

  private var pairing = MinutiaPairing()
  private var seeds = PairSeeds()
  /// For each minutia of the probe, those of the gallery print that it was paired with.
  private var tried: [MinutiaSet] = []
  /// The pairings to judge, the strongest first.
  private(set) var pairings: [PairingSummary] = []

  /// The comparison under the best alignment that was found.
  ///
  /// - Parameters:
  ///   - probe: One impression.
  ///   - gallery: The other.
  /// - Returns: Nil where nothing is alike enough to try.
  mutating func best(probe: PrintView, gallery: PrintView) -> Comparison? {
    growPairings(probe: probe, gallery: gallery)
    var best: Comparison?
    for pairing in pairings {
      let least = best?.likeness ?? -.infinity
      // Likeness is never more than strength.
      guard pairing.strength > least else { break }
      best =
        Comparison(pairing, probe: probe, gallery: gallery, betterThan: least) ?? best
    }
    return best
  }

  private mutating func growPairings(probe: PrintView, gallery: PrintView) {
    tried.reserveCapacity(PrintView.mostMinutiae)
    tried.fill(with: MinutiaSet(), count: probe.points.count)
    pairings.removeAll(keepingCapacity: true)
    pairings.reserveCapacity(PairSeeds.most)
    var strongest: Float = 0
    seeds.find(probe: probe, gallery: gallery)
    for seed in seeds.seeds where !tried[seed.probe].contains(seed.gallery) {
      pairing.grow(from: (seed.probe, seed.gallery), probe: probe, gallery: gallery)
      for pair in pairing.pairs { tried[pair.probe].insert(pair.gallery) }
      let summary = pairing.summary
      guard summary.strength > Self.leastStrength * strongest else { continue }
      strongest = max(strongest, summary.strength)
      let place = pairings.firstIndex { $0.strength < summary.strength } ?? pairings.count
      pairings.insert(summary, at: place)
    }
  }

  /// Overwrites what is left of the prints that were compared.
  mutating func wipe() {
    pairing.wipe()
    seeds.wipe()
    tried.wipe(with: MinutiaSet())
    pairings.wipe(with: .none)
  }
}
