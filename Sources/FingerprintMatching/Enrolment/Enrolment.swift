/// Collects touches of one finger until enough of it is known.
///
/// Each touch is joined with those before it where they lie over each other, so that coverage counts
/// each place of the finger. A touch that lies over none (a small sensor, another part) begins a
/// part of its own.
package struct Enrolment: Sendable {
  /// Touches without which there is nothing to commit.
  package static let minimumTouches = 3
  /// Coverage from which on more touches add little.
  static let enough = 0.95
  /// Touches after which enrolment ends whatever was seen.
  static let mostTouches = 40
  /// Likeness that a stranger's touch stays below 93 times in 100.
  static let strangerLikeness: Float = 0.45
  /// Area in mm² from which on a touch and what is known of a finger must overlap.
  static let overlappingArea = 90.0
  /// Share of new cells below which the person is asked to move.
  static let freshShare = 0.15
  /// Share of a side from which on the finger is taken to go on beyond it.
  static let cutShare = 0.3

  private var finger = FingerParts()
  private var last: PrintFeatures?
  /// Where all touches were cut off.
  private var cut: CutSides?

  /// An enrolment without touches.
  package init() {}

  /// Touches accepted.
  package private(set) var usableTouches = 0

  /// How much of the finger is known, 0...1: the area seen, and that it was seen more than once. It
  /// never falls.
  package private(set) var coverage = 0.0

  /// Whether more touches would add little.
  package var isComplete: Bool { coverage >= Self.enough || usableTouches >= Self.mostTouches }

  /// The finger as known so far; nil while there is no touch.
  package func template() -> FingerTemplate? { FingerTemplate(joining: finger) }

  /// Offers a touch.
  ///
  /// - Parameter touch: Features of a frame.
  /// - Returns: Whether it is used, and what the person should do next.
  package mutating func add(_ touch: PrintFeatures) -> Outcome {
    if let guidance = TouchAdvice.refusal(of: touch) { return .refused(guidance) }
    if isStrange(touch) { return .refused(.notTheSameFinger) }
    guard usableTouches < Self.mostTouches else { return .refused(.differentPart) }
    usableTouches += 1
    let isHeld = last.map { TouchAdvice.isHeld(touch, since: $0) } ?? false
    last = touch
    cut = cut?.common(with: touch.condition.cut) ?? touch.condition.cut
    // What a finger that was not lifted shows again is not known any better.
    guard !isHeld else { return .accepted(coverage: coverage, advice: isComplete ? nil : .lift) }
    let known = knownArea
    finger.add(touch.view)
    let covered = FingerCoverage(
      depths: finger.mosaics.lazy.flatMap(\.depths).map { Int($0) }, cellArea: CellGrid.cellArea)
    coverage = max(coverage, covered.share)
    let wish = isComplete ? nil : TouchAdvice.wish(after: touch)
    let fresh = (knownArea - known) / touch.ridgeArea
    return .accepted(coverage: coverage, advice: wish ?? advice(fresh: fresh))
  }

  /// Area known of the finger, mm².
  private var knownArea: Double {
    Double(finger.mosaics.map(\.view.flow.ridgeCells).reduce(0, +)) * CellGrid.cellArea
  }

  /// Whether a touch so large that it must overlap what is known is not like it at all.
  private func isStrange(_ touch: PrintFeatures) -> Bool {
    guard usableTouches >= 2, touch.ridgeArea >= Self.overlappingArea,
      knownArea >= Self.overlappingArea,
      touch.condition.clarity >= 2 * TouchAdvice.leastClarity
    else { return false }
    var search = MinutiaSearch()
    return finger.mosaics.allSatisfy { mosaic in
      let best = search.best(probe: touch.view, gallery: mosaic.view)
      return (best?.likeness ?? 0) < Self.strangerLikeness
    }
  }

  /// Where to move, once a touch shows little new: to show what lies beyond the side that was seen
  /// least of those that every touch was cut off at. Nil where the finger's ends were seen all
  /// around, and only more of the same is wanted.
  private func advice(fresh: Double) -> Guidance? {
    guard !isComplete, usableTouches > 1, fresh < Self.freshShare, let cut,
      let reach = finger.mosaics.first?.reach
    else { return nil }
    // What lies left on the finger comes over the sensor as the finger moves to the right.
    let sides: [(reach: Float, cut: Double, move: Guidance)] = [
      (reach.left, cut.left, .moveRight), (reach.right, cut.right, .moveLeft),
      (reach.up, cut.top, .moveDown), (reach.down, cut.bottom, .moveUp),
    ]
    return sides.filter { $0.cut >= Self.cutShare }.min { $0.reach < $1.reach }?.move
  }
}
