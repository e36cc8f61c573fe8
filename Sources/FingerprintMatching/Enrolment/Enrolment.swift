/// Collects touches of one finger until enough of it is known.
///
/// Each touch is aligned with those before it, so that coverage counts each part of the finger
/// once. A touch that aligns with none (a small sensor, another part) begins a group of its own.
package struct Enrolment: Sendable {
  /// Touches without which there is nothing to commit.
  package static let minimumTouches = 3
  /// Coverage from which on more touches add little.
  static let enough = 0.95
  /// Likeness from which on two impressions are taken to be aligned: chance reaches it once in
  /// 100,000 comparisons.
  static let linkLikeness: Float = 1.5
  /// Likeness that a stranger's touch stays below 93 times in 100.
  static let strangerLikeness: Float = 0.45
  /// Area in mm² from which on a touch and what is known of a finger must overlap.
  static let overlappingArea = 90.0
  /// Share of new cells below which the person is asked to move.
  static let freshShare = 0.15
  /// Share of a side from which on the finger is taken to go on beyond it.
  static let cutShare = 0.3

  private var impressions: [FingerTemplate.Impression] = []
  private var maps: [FingerMap] = []
  private var size = TemplateCoding.headerSize
  private var isFull = false
  private var last: PrintFeatures?
  /// Where all touches were cut off.
  private var cut: CutSides?

  /// An enrolment without touches.
  package init() {}

  /// Touches accepted.
  package var usableTouches: Int { impressions.count }

  /// How much of the finger is known, 0...1: the area seen, and that it was seen more than once. It
  /// never falls.
  package private(set) var coverage = 0.0

  /// Whether more touches would add little.
  package var isComplete: Bool { coverage >= Self.enough || isFull }

  /// The finger as known so far; nil while there is no touch.
  package func template() -> FingerTemplate? {
    impressions.isEmpty ? nil : FingerTemplate(impressions: impressions)
  }

  /// Offers a touch.
  ///
  /// - Parameter touch: Features of a frame.
  /// - Returns: Whether it is used, and what the person should do next.
  package mutating func add(_ touch: PrintFeatures) -> Outcome {
    if let guidance = TouchAdvice.refusal(of: touch) { return .refused(guidance) }
    let (view, best) = (touch.view, bestAlignment(of: touch.view))
    if isStrange(touch, likeness: best?.likeness ?? 0) { return .refused(.notTheSameFinger) }
    let added = TemplateCoding.size(of: view)
    guard impressions.count < FingerTemplate.mostImpressions,
      size + added <= FingerTemplate.mostBytes
    else {
      isFull = true
      return .refused(.differentPart)
    }
    let placement: RigidMotion
    let group: Int
    if let best, best.likeness >= Self.linkLikeness {
      (placement, group) = (best.placement, best.group)
    } else {
      (placement, group) = (RigidMotion(cosine: 1, sine: 0, dx: 0, dy: 0), maps.count)
      maps.append(FingerMap())
    }
    size += added
    impressions.append(
      FingerTemplate.Impression(view: view, placement: placement, group: group))
    isFull = impressions.count == FingerTemplate.mostImpressions
    let isHeld = last.map { TouchAdvice.isHeld(touch, since: $0) } ?? false
    last = touch
    cut = cut?.common(with: touch.condition.cut) ?? touch.condition.cut
    // What a finger that was not lifted shows again is not known any better.
    guard !isHeld else { return .accepted(coverage: coverage, advice: isComplete ? nil : .lift) }
    let fresh = maps[group].add(view.flow, at: placement)
    let covered = FingerCoverage(
      depths: maps.lazy.flatMap(\.depths), cellArea: CellGrid.cellArea)
    coverage = max(coverage, covered.share)
    let wish = isComplete ? nil : TouchAdvice.wish(after: touch)
    return .accepted(coverage: coverage, advice: wish ?? advice(fresh: fresh, in: group))
  }

  /// Area known of the finger, mm².
  private var knownArea: Double {
    Double(maps.map(\.count).reduce(0, +)) * CellGrid.cellArea
  }

  private func bestAlignment(
    of view: PrintView
  ) -> (likeness: Float, placement: RigidMotion, group: Int)? {
    var pairing = MinutiaPairing()
    var best: (likeness: Float, placement: RigidMotion, group: Int)?
    for impression in impressions {
      let found = Comparison.best(probe: view, gallery: impression.view, using: &pairing)
      guard let found, found.likeness > best?.likeness ?? -1 else { continue }
      best = (found.likeness, impression.placement.after(found.motion), impression.group)
    }
    return best
  }

  /// Whether a touch so large that it must overlap what is known is not like it at all.
  private func isStrange(_ touch: PrintFeatures, likeness: Float) -> Bool {
    usableTouches >= 2 && likeness < Self.strangerLikeness
      && touch.ridgeArea >= Self.overlappingArea && knownArea >= Self.overlappingArea
      && touch.condition.clarity >= 2 * TouchAdvice.leastClarity
  }

  /// Where to move, once a touch shows little new: to show what lies beyond the side that was seen
  /// least of those that every touch was cut off at. Nil where the finger's ends were seen all
  /// around, and only more of the same is wanted.
  private func advice(fresh: Double, in group: Int) -> Guidance? {
    guard !isComplete, usableTouches > 1, fresh < Self.freshShare, let cut else { return nil }
    let first = impressions.first { $0.group == group }
    guard let centre = first?.view.flow.centre else { return nil }
    let reach = maps[group].reach(from: centre.x, centre.y)
    // What lies left on the finger comes over the sensor as the finger moves to the right.
    let sides: [(reach: Float, cut: Double, move: Guidance)] = [
      (reach.left, cut.left, .moveRight), (reach.right, cut.right, .moveLeft),
      (reach.up, cut.top, .moveDown), (reach.down, cut.bottom, .moveUp),
    ]
    return sides.filter { $0.cut >= Self.cutShare }.min { $0.reach < $1.reach }?.move
  }
}
