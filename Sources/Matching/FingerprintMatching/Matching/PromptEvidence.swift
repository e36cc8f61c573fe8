internal import Glibc

/// What the touches of one prompt say together about each enrolled finger.
///
/// Each touch of a small sensor shows another part of the finger. The best touch counts in full, and
/// each other one by the share of its cells that no better touch shows, as placed on the enrolled
/// finger. So a touch that is presented again adds nothing, and fingers that are alike in one place
/// do not gain by showing that place three times.
///
/// A stranger's score s exceeds x once in e to the x comparisons, so the best of k touches does k
/// times as often. With touches of the shares v and w, the sum of independent scores exceeds x more
/// often still, by the factors 1/(1-v) and 2/(2-v-w): the sorted scores are sums of the gaps between
/// them, which are exponential with rates 1, 2 and 3 (Rényi 1953). The logarithms of these factors
/// are subtracted. ``price`` is subtracted too, because touches that add up are tries besides the
/// single ones. With five fingers and ``PrintMatcher/threshold`` a prompt of three touches, each
/// alone, passes 15 in e to the 14 times, and all that adds up 25 in e to the 15.02 times:
/// together once in 50,000 prompts.
package struct PromptEvidence: Sendable {
  /// The touches of a prompt that add up. Later ones stand alone.
  package static let mostTouches = 3
  /// What adding up costs.
  static let price = 1.02
  /// A touch that shows less than this share of its cells for the first time adds nothing: placing
  /// the same touch twice differs by that much.
  static let leastShare = 0.2
  /// The most that a touch beside the best counts. A higher share costs more than it gives.
  static let mostShare = 0.9

  private var fingers: [UInt32: [TouchEvidence]] = [:]
  private var touches = 0

  package init() {}

  /// Adds the next touch of the prompt.
  ///
  /// - `touch`: What it says about each finger that it was compared with.
  /// - Returns: For each of these fingers, the score of the touch alone, or of all touches together
  ///   if that is higher.
  package mutating func add(_ touch: [UInt32: TouchEvidence]) -> [UInt32: Double] {
    touches += 1
    guard touches <= Self.mostTouches else {
      wipe()
      return touch.mapValues(\.score)
    }
    var scores: [UInt32: Double] = [:]
    for (finger, evidence) in touch {
      fingers[finger, default: []].append(evidence)
      scores[finger] = max(evidence.score, Self.together(fingers[finger] ?? []))
    }
    return scores
  }

  /// The score of touches together; minus infinity if none adds anything to the best.
  private static func together(_ touches: [TouchEvidence]) -> Double {
    let placed = touches.filter { $0.cells.count > 0 }.sorted { $0.score > $1.score }
    guard let best = placed.first else { return -.infinity }
    var seen = best.cells
    defer { seen.wipe() }
    var (sum, shares) = (best.score, [Double]())
    for touch in placed.dropFirst() {
      let share = touch.cells.share(outside: seen)
      seen.formUnion(touch.cells)
      guard share >= leastShare else { continue }
      shares.append(min(share, mostShare))
      sum += min(share, mostShare) * touch.score
    }
    guard let first = shares.first else { return -.infinity }
    let both = shares.reduce(0, +)
    return sum + log(1 - first) + log(1 - both / 2) - price
  }

  /// Overwrites and forgets everything. What is added from now on stands alone.
  package mutating func wipe() {
    for finger in fingers.keys {
      for index in fingers[finger, default: []].indices { fingers[finger]?[index].wipe() }
    }
    fingers.removeAll()
    touches = Self.mostTouches
  }
}
