/// A touch compared with all impressions of a finger.
///
/// Impressions that are aligned with each other must agree on where the touch lies: what each finds
/// at the place of the best one adds to it, what it finds elsewhere is chance.
struct FingerComparison: Sendable {
  /// Places that agree lie this close, in pixels at the middle of the probe's minutiae.
  static let agreement: Float = 24
  /// Share of an agreeing impression's score that is added.
  static let support: Float = 0.3

  let score: Double

  /// - Returns: Nil where there is nothing to compare.
  init?(probe: PrintView, finger: FingerTemplate) {
    guard !probe.minutiae.isEmpty else { return nil }
    var pairing = MinutiaPairing()
    var found: [(comparison: Comparison, place: RigidMotion, group: Int)] = []
    for impression in finger.impressions {
      guard let best = Comparison.best(probe: probe, gallery: impression.view, using: &pairing)
      else { continue }
      found.append((best, impression.placement.after(best.motion), impression.group))
    }
    guard
      let best = found.indices.max(by: {
        found[$0].comparison.score < found[$1].comparison.score
      })
    else {
      score = finger.impressions.isEmpty ? PrintMatcher.lowestScore : 0
      return
    }
    var sum = found[best].comparison.score
    let centre = probe.flow.centre
    let expected = found[best].place.apply(centre.x, centre.y)
    for k in found.indices where k != best && found[k].group == found[best].group {
      let place = found[k].place.apply(centre.x, centre.y)
      let (dx, dy) = (place.x - expected.x, place.y - expected.y)
      guard dx * dx + dy * dy < Self.agreement * Self.agreement else { continue }
      guard found[k].place.agrees(with: found[best].place) else {
        continue
      }
      sum += Self.support * found[k].comparison.score
    }
    score = Double(sum)
  }
}
