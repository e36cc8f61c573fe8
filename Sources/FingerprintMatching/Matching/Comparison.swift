/// What speaks for and against two impressions being of one finger, under their best alignment.
struct Comparison: Sendable {
  /// Alignments tried in full.
  static let hypotheses = 24
  /// Pairs whose surroundings are less alike than this are no start.
  static let leastSimilarity: Float = 0.25

  /// From the probe's pixels to the gallery view's.
  let motion: RigidMotion
  /// Number of pairs of minutiae.
  let pairs: Int
  /// Sum over the pairs of fit times likeness of surroundings.
  let strength: Float
  /// Minutiae of each print that should have a partner, weighed by their quality.
  let expectedInProbe: Float
  let expectedInGallery: Float
  let pairedInProbe: Float
  let pairedInGallery: Float
  /// Cells in which both show ridges.
  let overlap: Int
  /// Mean agreement of the ridge flow there, 0...1.
  let flowAgreement: Float

  /// - Returns: Nil where nothing is alike enough to try.
  static func best(probe: PrintView, gallery: PrintView) -> Comparison? {
    var seeds: [(similarity: Float, probe: Int, gallery: Int)] = []
    for i in probe.minutiae.indices {
      for j in gallery.minutiae.indices {
        let similarity = probe.descriptors[i].similarity(to: gallery.descriptors[j])
        if similarity >= leastSimilarity { seeds.append((similarity, i, j)) }
      }
    }
    seeds.sort { $0.similarity > $1.similarity }
    var best: Comparison?
    var tried = Set<Int>()
    var left = hypotheses
    for seed in seeds {
      guard left > 0 else { break }
      guard !tried.contains(seed.probe * 256 + seed.gallery) else { continue }
      left -= 1
      let pairing = MinutiaPairing(
        growingFrom: (seed.probe, seed.gallery), probe: probe, gallery: gallery)
      for pair in pairing.pairs { tried.insert(pair.probe * 256 + pair.gallery) }
      guard pairing.strength > 0.5 * (best?.strength ?? 0) else { continue }
      let comparison = Comparison(pairing, probe: probe, gallery: gallery)
      if comparison.score > best?.score ?? -.infinity { best = comparison }
    }
    return best
  }

  init(_ pairing: MinutiaPairing, probe: PrintView, gallery: PrintView) {
    motion = pairing.motion
    pairs = pairing.pairs.count
    strength = pairing.strength
    let back = motion.inverse
    var (expected, found) = (Float(0), Float(0))
    let pairedProbe = Set(pairing.pairs.map(\.probe))
    for (k, minutia) in probe.minutiae.enumerated() {
      let place = motion.apply(minutia.x, minutia.y)
      let isPaired = pairedProbe.contains(k)
      guard isPaired || gallery.flow.cell(at: place.x, place.y) != nil else { continue }
      expected += minutia.quality
      if isPaired { found += minutia.quality }
    }
    (expectedInProbe, pairedInProbe) = (expected, found)
    (expected, found) = (0, 0)
    let pairedGallery = Set(pairing.pairs.map(\.gallery))
    for (k, minutia) in gallery.minutiae.enumerated() {
      let place = back.apply(minutia.x, minutia.y)
      let isPaired = pairedGallery.contains(k)
      guard isPaired || probe.flow.cell(at: place.x, place.y) != nil else { continue }
      expected += minutia.quality
      if isPaired { found += minutia.quality }
    }
    (expectedInGallery, pairedInGallery) = (expected, found)

    let turn = Int((motion.rotation / .pi * 256).rounded())
    let side = Float(CellGrid.side)
    var (agreement, weight, cells) = (Float(0), Float(0), 0)
    for row in 0..<probe.flow.grid.rows {
      for column in 0..<probe.flow.grid.columns {
        let cell = row * probe.flow.grid.columns + column
        guard probe.flow.clarity[cell] > 0 else { continue }
        let place = motion.apply((Float(column) + 0.5) * side, (Float(row) + 0.5) * side)
        guard let other = gallery.flow.cell(at: place.x, place.y) else { continue }
        let turned = Int(probe.flow.orientation[cell]) + turn
        let difference = UInt8(truncatingIfNeeded: turned) &- gallery.flow.orientation[other]
        let away = Float(Int8(bitPattern: difference).magnitude)
        let clear = min(Float(probe.flow.clarity[cell]), Float(gallery.flow.clarity[other]))
        agreement += clear * max(1 - away / 40, 0)
        weight += clear
        cells += 1
      }
    }
    overlap = cells
    flowAgreement = weight > 0 ? agreement / weight : 0
  }

  var score: Float {
    let share =
      (pairedInProbe * pairedInGallery / max(expectedInProbe * expectedInGallery, 1e-3))
      .squareRoot()
    return strength * share * flowAgreement * flowAgreement
  }
}
