/// How sure it is that a touch is of a finger, by two rules.
///
/// Synthetic strangers' ridges agree over most of a small area; only cells that lie beside each
/// other tell them from owners. So what a small touch opens, and what it adds to other touches of a
/// prompt, is for its cells to say. Smeared owners' cells lie beside each other too, and among
/// scores too low to open anything, agreement tells more: on patches of 88 and 128 pixels of
/// FVC2000, on which nothing here was fitted, the EER is 23.9 and 11.1 % by cells, and 14.4 and
/// 5.6 % by both. At 88 pixels one stranger in 100 reaches 4.6 on FVC2002, and 6.6 if synthetic.
struct TouchScore: Sendable {
  /// The most that agreement scores where cells judge or the net objects: less than any
  /// ``MatchRate`` accepts.
  static let mostLikely = 10.0
  static let lowest = TouchScore(sure: PrintMatcher.lowestScore)

  /// By cells and the net; by agreement too for touches that are too large for cells to judge them
  /// alone. See ``JudgedTouch``.
  var sure: Double
  /// By agreement, if cells judge the touch.
  private(set) var likely = -Double.infinity

  /// The better of both.
  var score: Double { max(sure, min(likely, Self.mostLikely)) }

  /// Takes the better of two places by each rule. Returns whether the other one is surer.
  @discardableResult
  mutating func include(_ other: TouchScore) -> Bool {
    likely = max(likely, other.likely)
    guard other.sure > sure else { return false }
    sure = other.sure
    return true
  }
}
