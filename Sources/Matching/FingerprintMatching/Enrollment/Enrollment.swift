/// Collects touches of one finger until enough of it is known.
///
/// Each touch is joined with the earlier ones that it overlaps, so coverage counts places of the
/// finger. A touch that joins nothing is not part of the finger. It waits until a later touch joins
/// it, and is dropped with the enrollment if none does. So a touch of another finger, whenever it
/// comes, opens nothing.
package struct Enrollment: Sendable {
  /// Fewest touches that can be committed.
  package static let minimumTouches = 3
  /// Coverage above which more touches add little.
  static let enough = 0.95
  /// Touches after which enrollment ends, whatever was seen.
  static let mostTouches = 40
  /// Area in mm² above which a touch and the known finger must overlap.
  static let overlappingArea = 90.0
  /// Share of new cells below which the person is asked to move.
  static let freshShare = 0.15
  /// Share of a side above which the finger is taken to continue beyond it.
  static let cutShare = 0.3

  private var parts = FingerParts()
  private var last: PrintFeatures?
  /// The sides at which every touch was cut off.
  private var cut: CutSides?

  /// Whether touches that join nothing are kept in the template.
  private let keepsIslands: Bool

  /// - Parameter isOfOneFinger: Whether all touches are known to be of one finger, as in a labeled
  ///   set of prints. The template then keeps touches that join nothing. Never true when a person
  ///   enrolls.
  package init(isOfOneFinger: Bool = false) { keepsIslands = isOfOneFinger }

  package var usableTouches: Int { parts.finger?.touches ?? 0 }

  /// How much of the finger is known, 0...1: the area seen, and whether it was seen more than once.
  /// It falls only if the first touches turn out to be of another finger.
  package private(set) var coverage = 0.0

  package var isComplete: Bool {
    parts.isPlain && (coverage >= Self.enough || usableTouches >= Self.mostTouches)
  }

  /// Where the finger was seen so far, or nil before the first touch.
  package var seen: SeenFinger? { parts.finger.map(SeenFinger.init) }

  /// The finger as known so far. Nil before the first touch, or if fingers took turns so that it is
  /// not plain which one is meant.
  package func template() -> FingerTemplate? {
    guard let finger = parts.finger else { return nil }
    if keepsIslands { return FingerTemplate(joining: [finger] + parts.waiting) }
    return parts.isPlain ? FingerTemplate(joining: [finger]) : nil
  }

  /// Offers a touch. Returns whether it is used, and what the person should do next.
  package mutating func add(_ touch: PrintFeatures) -> Verdict {
    if let guidance = TouchAdvice.refusal(of: touch) { return .refused(guidance) }
    guard usableTouches < Self.mostTouches else { return .refused(.differentPart) }
    let isHeld = last.map { TouchAdvice.isHeld(touch, since: $0) } ?? false
    last = touch
    // A finger that was not lifted shows nothing new.
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

  private var knownArea: Double {
    Double(parts.finger?.view.flow.ridgeCells ?? 0) * CellGrid.cellArea
  }

  /// Whether a touch is so large that it must overlap the known finger if it is of that finger.
  private func mustOverlap(_ touch: PrintFeatures) -> Bool {
    touch.ridgeArea >= Self.overlappingArea && knownArea >= Self.overlappingArea
      && touch.condition.clarity >= 2 * TouchAdvice.leastClarity
  }

  /// Where to move, once a touch shows little new: towards the least seen of the sides at which
  /// every touch was cut off. Nil if the finger's ends were seen all around, so more of the same is
  /// wanted.
  private func advice(fresh: Double) -> Guidance? {
    guard !isComplete, usableTouches > 1, fresh < Self.freshShare, let cut,
      let reach = parts.finger?.reach
    else { return nil }
    // Moving the finger to the right brings its left side over the sensor.
    let sides: [(reach: Float, cut: Double, move: Guidance)] = [
      (reach.left, cut.left, .moveRight), (reach.right, cut.right, .moveLeft),
      (reach.up, cut.top, .moveDown), (reach.down, cut.bottom, .moveUp),
    ]
    return sides.filter { $0.cut >= Self.cutShare }.min { $0.reach < $1.reach }?.move
  }

  /// What the person can do to make the next touch better.
  package enum Guidance: Equatable, Sendable, CaseIterable {
    case noRidges
    /// Ridges are faint or broken: breathe on the finger, or press a little harder.
    case tooDry
    /// Ridges run together: dry the finger, or press more lightly.
    case tooWet
    /// Too little of the finger touched: lay it flat.
    case tooSmall
    /// The ridges are unclear for another reason: clean finger and sensor, hold still.
    case poorQuality
    /// The directions are the person's; up is away from the person.
    case moveLeft
    case moveRight
    case moveUp
    case moveDown
    /// The touch adds nothing new: touch with another part of the finger.
    case differentPart
    /// The touch would overlap the known finger if it were of that finger.
    case notTheSameFinger
    /// The touch joins nothing known: touch nearer to the earlier touches.
    case joinsNothing
    /// The finger was not lifted since the last touch, so nothing new is seen.
    case lift
  }

  package enum Verdict: Equatable, Sendable {
    /// The touch is used. `coverage` is how much of the finger is known, 0...1. `advice` says how
    /// the next touch can add most; nil if anything will.
    case accepted(coverage: Double, advice: Guidance?)
    /// The touch is not part of the finger. It becomes one only if a later touch joins both.
    case waiting(Guidance)
    /// The touch is not used and changes nothing.
    case refused(Guidance)
  }
}
