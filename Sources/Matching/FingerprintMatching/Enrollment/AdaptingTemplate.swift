/// An enrolled finger and what good matches have added to it since.
///
/// Every touch of a small sensor shows places that enrollment did not see. If a touch surely
/// belongs to the finger, these places join it. The touch is measured against the finger as it was
/// enrolled, never against what was learned, and at most ``mostTouches`` are learned from. So the
/// template cannot drift from touch to touch towards another finger.
///
/// A finger of a large sensor stays as it was enrolled because nothing was gained: of prints of
/// FVC2000, 2002 and 2004 against fingers of two, 2 of 140 were refused with two more learned, and
/// without.
package struct AdaptingTemplate: Sendable {
  /// Least score, against the finger as enrolled, of a touch that is learned from. A stranger's
  /// touch reaches it 400 times less often than ``PrintMatcher/threshold``.
  static let leastScore = PrintMatcher.threshold + 6
  /// Largest ridge area of a touch that is learned from, in mm²: that of a sensor of 160 by 160
  /// pixels.
  static let mostArea = 70.0
  package static let mostTouches = 30
  /// Least share of a touch that must be new.
  static let freshShare = 0.05
  /// How many touches the known finger counts as, in each place, when a touch is joined to it.
  static let depth: Float = 4

  package let original: FingerTemplate
  /// The finger to compare with: as enrolled, plus what was learned since.
  package private(set) var current: FingerTemplate
  /// Touches learned from so far.
  package private(set) var touches: Int

  package init(of original: FingerTemplate) {
    self.init(of: original, current: original, touches: 0)
  }

  /// A finger with the ``current`` and ``touches`` of an earlier value.
  package init(of original: FingerTemplate, current: FingerTemplate, touches: Int) {
    (self.original, self.current, self.touches) = (original, current, touches)
  }

  /// Learns from a touch that matched. Returns whether anything was learned.
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
    var finger = FingerMosaic(current.parts[best.part], depth: Self.depth)
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
