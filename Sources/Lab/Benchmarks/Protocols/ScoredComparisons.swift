import FingerprintMatching

struct ScoredComparisons: Sendable {
  /// A comparison, by the numbers of probe and gallery.
  struct Row: Sendable {
    let probe: Int
    let gallery: Int
    let score: Double
  }

  let plan: ComparisonProtocol
  let rows: [Row]

  /// As `authcore-bench match` writes them and `roc` reads them; a gallery of several prints is
  /// called by its finger.
  var csv: String {
    var text = "probe,gallery,score\n"
    for row in rows {
      let (probe, gallery) = (plan.probes[row.probe], plan.galleries[row.gallery])
      text += "\(probe.touch.name),\(gallery.name),\(row.score)\n"
    }
    return text
  }

  /// Which comparisons are meant.
  enum Scope: Sendable {
    case all
    /// Those of fingers of one set, whichever.
    case withinSets
    /// Those of fingers of the set with this number.
    case set(Int)
  }

  /// The scores of some comparisons; nil where genuine or impostor ones are missing.
  func list(_ scope: Scope) -> ScoreList? {
    let sets = plan.fingers.map(\.set)
    let chosen = sets.indices.filter { finger in
      if case .set(let set) = scope { sets[finger] == set } else { true }
    }
    let numbers = Dictionary(
      uniqueKeysWithValues: chosen.enumerated().map { ($0.element, $0.offset) })
    let comparisons = rows.compactMap { row -> ComparisonScore? in
      let (probe, gallery) = (plan.probes[row.probe].finger, plan.galleries[row.gallery].finger)
      guard let first = numbers[probe], let second = numbers[gallery] else { return nil }
      if case .withinSets = scope, sets[probe] != sets[gallery] { return nil }
      return ComparisonScore(
        probeFinger: first, galleryFinger: second, isGenuine: probe == gallery,
        score: row.score <= PrintMatcher.lowestScore ? -.infinity : row.score)
    }
    return ScoreList(fingers: chosen.map { plan.fingers[$0].name }, comparisons: comparisons)
  }

  /// Whether the worse print's quality tells the score.
  ///
  /// - Parameter set: The number of the set whose fingers are meant; nil for all.
  /// - Returns: For each finger, of its genuine comparisons the lower quality of both prints, and
  ///   the score.
  /// - Precondition: Each gallery is one print, the one with its number among the probes.
  func qualities(set: Int? = nil) -> [[RankCorrelation.Pair]] {
    var groups: [Int: [RankCorrelation.Pair]] = [:]
    for row in rows {
      let (probe, gallery) = (plan.probes[row.probe], plan.probes[row.gallery])
      guard probe.finger == gallery.finger else { continue }
      guard set == nil || plan.fingers[probe.finger].set == set else { continue }
      let quality = min(probe.touch.features.quality, gallery.touch.features.quality)
      groups[probe.finger, default: []].append(RankCorrelation.Pair(quality, row.score))
    }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }
}
