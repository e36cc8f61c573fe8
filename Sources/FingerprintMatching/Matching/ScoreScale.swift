/// Turns the likeness of two impressions into how rarely a stranger's finger gets as far.
///
/// A finger's likeness to a touch is that of its best impression. For strangers it has an
/// exponential tail: over 37,440 comparisons of touches with fingers enrolled from three or five
/// impressions (FVC2002 DB1_B to DB4_B, within and across the sets) it exceeds 0.658 in 1 %, and the
/// mean excess above the 98.0, 99.0, 99.5, 99.8 and 99.9 % quantiles is 0.111, 0.118, 0.117, 0.123
/// and 0.113; the largest is 1.48. The constants below are on the safe side of these.
enum ScoreScale {
  /// Likeness that a stranger's finger exceeds once in a hundred.
  static let likenessAtOnePercent = 0.66
  /// Natural logarithm of 100.
  static let logOneHundred = 4.605
  /// Likeness by which the rate falls to 1/e.
  static let likenessPerUnit = 0.122

  /// The negative natural logarithm of the rate at which strangers' fingers are at least so alike.
  static func score(likeness: Float) -> Double {
    logOneHundred + (Double(likeness) - likenessAtOnePercent) / likenessPerUnit
  }

  static func score(evidence: Float) -> Double {
    logOneHundred + (Double(evidence) - 16) / 3
  }
}
