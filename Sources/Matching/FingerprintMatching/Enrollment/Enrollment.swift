/// Collects touches of one finger until enough of it is known.
///
/// Each touch is joined with those before it where they lie over each other, so that coverage
/// counts each place of the finger. A touch that joins nothing is no part of the finger: it waits
/// until a later one joins it, and is dropped with the enrollment if none does. So a touch of
/// another finger, whenever it comes, opens nothing.
package struct Enrollment: Sendable {
  /// Touches without which there is nothing to commit.
  package static let minimumTouches = 3
  /// Coverage from which on more touches add little.
  static let enough = 0.95
  /// Touches after which enrollment ends whatever was seen.
  static let mostTouches = 40
  /// Area in mm² from which on a touch and what is known of a finger must overlap.
  static let overlappingArea = 90.0
  /// Share of new cells below which the person is asked to move.
  static let freshShare = 0.15
  /// Share of a side from which on the finger is taken to go on beyond it.
  static let cutShare = 0.3

  private var parts = FingerParts()
  private var last: PrintFeatures?
  /// Where all touches were cut off.
  private var cut: CutSides?

  /// Whether what joins nothing is kept beside the finger.
  private let keepsIslands: Bool

  /// An enrollment without touches.
  ///
  /// - Parameter isOfOneFinger: Whether it is known beforehand that all touches are of one finger,
  ///   as in a set of prints that somebody labeled. Then the template keeps also what joins
  ///   nothing. Never so where a person enrolls.
  package init(isOfOneFinger: Bool = false) { keepsIslands = isOfOneFinger }

  /// Touches that are part of the finger.
  package var usableTouches: Int { parts.finger?.touches ?? 0 }

  /// How much of the finger is known, 0...1: the area seen, and that it was seen more than once. It
  /// falls only when the first touches turn out to be another finger's.
  package private(set) var coverage = 0.0

  /// Whether more touches would add little.
  package var isComplete: Bool {
    parts.isPlain && (coverage >= Self.enough || usableTouches >= Self.mostTouches)
  }

  /// Where the finger was seen so far; nil while there is no touch.
  package var seen: SeenFinger? { parts.finger.map(SeenFinger.init) }

  /// The finger as known so far; nil while there is no touch, or where fingers took turns so that
  /// it is not plain which one is meant.
  package func template() -> FingerTemplate? {
    guard let finger = parts.finger else { return nil }
    if keepsIslands { return FingerTemplate(joining: [finger] + parts.waiting) }
    return parts.isPlain ? FingerTemplate(joining: [finger]) : nil
  }

  /// Offers a touch.
  ///
  /// - Parameter touch: Features of a frame.
  /// - Returns: Whether it is used, and what the person should do next.
  package mutating func add(_ touch: PrintFeatures) -> Outcome {
    if let guidance = TouchAdvice.refusal(of: touch) { return .refused(guidance) }
    guard usableTouches < Self.mostTouches else { return .refused(.differentPart) }
    let isHeld = last.map { TouchAdvice.isHeld(touch, since: $0) } ?? false
    last = touch
    // What a finger that was not lifted shows again is not known any better.
    guard !isHeld else { return .accepted(coverage: coverage, advice: isComplete ? nil : .lift) }
    let known = knownArea
    guard parts.add(touch.view), let finger = parts.finger else {
      return .waiting(mustOverlap(touch) ? .notTheSameFinger : .joinsNothing)
    }
    cut = cut?.common(with: touch.condition.cut) ?? touch.condition.cut
    coverage =
      FingerCoverage(depths: finger.depths.lazy.map { Int($0) }, cellArea: CellGrid.cellArea).share
    let wish = isComplete ? nil : TouchAdvice.wish(after: touch)
    let fresh = (knownArea - known) / touch.ridgeArea
    return .accepted(coverage: coverage, advice: wish ?? advice(fresh: fresh))
  }

  /// Area known of the finger, mm².
  private var knownArea: Double {
    Double(parts.finger?.view.flow.ridgeCells ?? 0) * CellGrid.cellArea
  }

  /// Whether a touch is so large that it must overlap what is known, were it of this finger.
  private func mustOverlap(_ touch: PrintFeatures) -> Bool {
    touch.ridgeArea >= Self.overlappingArea && knownArea >= Self.overlappingArea
      && touch.condition.clarity >= 2 * TouchAdvice.leastClarity
  }

  /// Where to move, once a touch shows little new: to show what lies beyond the side that was seen
  /// least of those that every touch was cut off at. Nil where the finger's ends were seen all
  /// around, and only more of the same is wanted.
  private func advice(fresh: Double) -> Guidance? {
    guard !isComplete, usableTouches > 1, fresh < Self.freshShare, let cut,
      let reach = parts.finger?.reach
    else { return nil }
    // What lies left on the finger comes over the sensor as the finger moves to the right.
    let sides: [(reach: Float, cut: Double, move: Guidance)] = [
      (reach.left, cut.left, .moveRight), (reach.right, cut.right, .moveLeft),
      (reach.up, cut.top, .moveDown), (reach.down, cut.bottom, .moveUp),
    ]
    return sides.filter { $0.cut >= Self.cutShare }.min { $0.reach < $1.reach }?.move
  }
}

extension Enrollment {
  /// What the person can do so that the next touch is better.
  package enum Guidance: Equatable, Sendable, CaseIterable {
    /// The frame shows no finger.
    case noRidges
    /// Ridges are faint or broken: breathe on the finger, or press a little harder.
    case tooDry
    /// Ridges run together: dry the finger, or press more lightly.
    case tooWet
    /// Too little of the finger touched: lay it flat.
    case tooSmall
    /// The ridges are unclear for another reason: clean finger and sensor, hold still.
    case poorQuality
    /// Move the finger to the person's left.
    case moveLeft
    /// Move the finger to the person's right.
    case moveRight
    /// Move the finger away from the person.
    case moveUp
    /// Move the finger towards the person.
    case moveDown
    /// The touch adds nothing new: touch with another part of the finger.
    case differentPart
    /// The touch would overlap what is known, were it of the finger that touched before.
    case notTheSameFinger
    /// The touch joins nothing that is known: touch nearer to where the finger touched before.
    case joinsNothing
    /// The finger was not lifted since the last touch, so that nothing new is seen.
    case lift
  }

  /// What became of a touch.
  package enum Outcome: Equatable, Sendable {
    /// The touch is used. `coverage` is what is known of the finger, 0...1; `advice` says how the
    /// next touch can add most, nil when anything will.
    case accepted(coverage: Double, advice: Guidance?)
    /// The touch is no part of the finger, and becomes one only if a later touch joins both.
    case waiting(Guidance)
    /// The touch is not used and nothing has changed.
    case refused(Guidance)
  }
}
