/// An enrolled finger and what good matches have added to it since.
///
/// Of a small sensor every touch shows places that enrollment did not; those that surely are of the
/// finger are joined to it. They are measured against the finger as it was enrolled, never against
/// what was learned, and no more than ``mostTouches`` are taken in: so it cannot drift from touch
/// to touch towards another finger.
///
/// A finger of a large sensor stays as it was enrolled, since there was nothing to gain: of prints
/// of FVC2000, 2002 and 2004 against fingers of two, 2 of 140 were refused with two more learned,
/// and without.
package struct AdaptingTemplate: Sendable {
  /// The score against the finger as enrolled from which on a touch is learned from: a stranger's
  /// gets as far 400 times less often than it opens.
  static let leastScore = PrintMatcher.threshold + 6
  /// Ridge area in mm² up to which a touch is learned from: that of a sensor of 160 by 160 pixels.
  static let mostArea = 70.0
  /// Touches learned from, at most.
  package static let mostTouches = 30
  /// The share of a touch that has to be new; what is known already is not learned again.
  static let freshShare = 0.05
  /// As how many touches that showed each place what is known counts when a touch is joined to it.
  static let depth: Float = 4

  /// The finger as it was enrolled.
  package let original: FingerTemplate
  /// The finger to compare with: as enrolled, and what was learned since.
  package private(set) var current: FingerTemplate
  /// Touches learned from.
  package private(set) var touches: Int

  /// A finger from which nothing was learned yet.
  package init(of original: FingerTemplate) {
    self.init(of: original, current: original, touches: 0)
  }

  /// A finger with what was learned before.
  ///
  /// - Parameters:
  ///   - original: The finger as it was enrolled.
  ///   - current: ``current`` of then.
  ///   - touches: ``touches`` of then.
  package init(of original: FingerTemplate, current: FingerTemplate, touches: Int) {
    (self.original, self.current, self.touches) = (original, current, touches)
  }

  /// Learns from a touch that matched.
  ///
  /// - Parameters:
  ///   - probe: The touch.
  ///   - storage: Working storage, used again from call to call.
  /// - Returns: Whether anything was learned.
  package mutating func learn(
    from probe: PrintFeatures, using storage: inout MatchingStorage
  ) -> Bool {
    guard touches < Self.mostTouches, probe.ridgeArea <= Self.mostArea,
      current.parts.contains(where: { $0.sheet != nil }),
      PrintMatcher().score(probe: probe, against: original, using: &storage) >= Self.leastScore
    else { return false }
    var placing = TouchPlacing()
    var best: (part: Int, placed: TouchPlacing.Placed)?
    for (index, part) in current.parts.enumerated() {
      guard let placed = placing.place(probe.view, on: part),
        placed.score > best?.placed.score ?? -.infinity
      else { continue }
      best = (index, placed)
    }
    guard let best else { return false }
    var finger = FingerMosaic(known: current.parts[best.part], depth: Self.depth)
    let known = finger.view.flow.ridgeCells
    guard finger.join(FingerMosaic(probe.view), best.placed.registration),
      Double(finger.view.flow.ridgeCells - known)
        >= Self.freshShare * Double(probe.view.flow.ridgeCells),
      let next = current.replacing(best.part, by: finger)
    else { return false }
    current = next
    touches += 1
    return true
  }
}
