import FingerprintMatching

/// Which probes are compared with which enrolled fingers.
struct ComparisonProtocol: Sendable {
  struct Probe: Sendable {
    let touch: SampledFinger.Touch
    let finger: Int
  }

  /// A finger as enrolled from some of its touches.
  struct Gallery: Sendable {
    /// In lists of scores.
    let name: String
    let finger: Int
    /// Nil if every touch was refused.
    let template: FingerTemplate?
    /// Touches that enrollment did not use.
    let refused: Int
  }

  let fingers: [SampledFinger]
  let probes: [Probe]
  let galleries: [Gallery]
  /// Whether a probe is compared with a gallery, by their numbers.
  let includes: @Sendable (_ probe: Int, _ gallery: Int) -> Bool

  /// Each print against each before it in its set.
  static func singlePrints(of fingers: [SampledFinger]) async throws -> ComparisonProtocol {
    let prints = fingers.indices.flatMap { finger in
      fingers[finger].prints.map { Probe(touch: $0, finger: finger) }
    }
    let galleries = try await concurrentMap(prints) { print in
      Gallery(name: print.touch.name, finger: print.finger, touches: [print.touch])
    }
    return ComparisonProtocol(fingers: fingers, probes: prints, galleries: galleries) {
      $1 < $0 && fingers[prints[$0].finger].set == fingers[prints[$1].finger].set
    }
  }

  /// Each probe against each finger of all sets, enrolled from its first five prints.
  static func enrolledFingers(_ fingers: [SampledFinger]) async throws -> ComparisonProtocol {
    try await owners(of: fingers, touches: \.prints) { canTell(fingers[$0], fingers[$1]) }
  }

  /// Each probe against each finger of all sets, enrolled from its first print alone.
  static func firstPrints(of fingers: [SampledFinger]) async throws -> ComparisonProtocol {
    let touches: @Sendable (SampledFinger) -> [SampledFinger.Touch] = { finger in
      Array(finger.prints.filter(\.isEnrolled).prefix(1)) + finger.prints.filter { !$0.isEnrolled }
    }
    return try await owners(of: fingers, touches: touches) { canTell(fingers[$0], fingers[$1]) }
  }

  /// Whether it is known if both are one finger.
  private static func canTell(_ first: SampledFinger, _ second: SampledFinger) -> Bool {
    first.set == second.set || first.people != second.people
  }

  /// Fingers of a set are compared by patches in groups of this many, as many as a set of FVC has:
  /// comparing small touches takes long.
  static let patchGroup = 10

  /// Each patch of a probe against each finger of its group, enrolled from patches.
  static func patches(of size: Int, _ fingers: [SampledFinger]) async throws -> ComparisonProtocol {
    try await owners(of: fingers, touches: { $0.patches[size] ?? [] }) {
      $0 / patchGroup == $1 / patchGroup && fingers[$0].set == fingers[$1].set
    }
  }

  private static func owners(
    of fingers: [SampledFinger],
    touches: @escaping @Sendable (SampledFinger) -> [SampledFinger.Touch],
    includes: @escaping @Sendable (_ probe: Int, _ gallery: Int) -> Bool
  ) async throws -> ComparisonProtocol {
    let galleries = try await concurrentMap(Array(fingers.indices)) { finger in
      Gallery(
        name: fingers[finger].name, finger: finger,
        touches: touches(fingers[finger]).filter(\.isEnrolled))
    }
    let probes = fingers.indices.flatMap { finger in
      touches(fingers[finger]).filter { !$0.isEnrolled }.map { Probe(touch: $0, finger: finger) }
    }
    return ComparisonProtocol(fingers: fingers, probes: probes, galleries: galleries) {
      includes(probes[$0].finger, $1)
    }
  }

  /// Makes all comparisons, probe after probe.
  func scores() async throws -> ScoredComparisons {
    let matcher = PrintMatcher()
    let rows = try await concurrentMap(Array(probes.indices)) { probe in
      galleries.indices.filter { includes(probe, $0) }.map { gallery in
        let score = galleries[gallery].template.map {
          matcher.score(probe: probes[probe].touch.features, against: $0)
        }
        return ScoredComparisons.Row(
          probe: probe, gallery: gallery, score: score ?? PrintMatcher.lowestScore)
      }
    }
    return ScoredComparisons(plan: self, rows: rows.flatMap { $0 })
  }
}

extension ComparisonProtocol.Gallery {
  fileprivate init(name: String, finger: Int, touches: [SampledFinger.Touch]) {
    let enrollment = Enrollment(touches.map(\.features), isOfOneFinger: true)
    (self.name, self.finger) = (name, finger)
    template = enrollment.template()
    refused = touches.count - enrollment.usableTouches
  }
}

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

  enum Scope: Sendable {
    case all
    /// Of fingers of the same set.
    case withinSets
    /// Of fingers of the set with this number.
    case set(Int)
  }

  /// Nil unless there are genuine and impostor ones.
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

  /// For each finger (of one set, or of all), the lower quality of both prints and the score of its
  /// genuine comparisons.
  ///
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
