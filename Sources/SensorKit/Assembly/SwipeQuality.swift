/// How good a swipe was; docs/frame-assembly.md has what the figures are for real ones.
public struct SwipeQuality: Equatable, Sendable {
  /// What clearly went wrong, if anything: too fast, too slow, too short or too skewed.
  public let verdict: RetryReason?
  /// 0...1: agreement · share of usable pairs · straightness · (1 + evenness) / 2.
  public let overall: Float
  /// 0...1: how well neighbours fit together where they overlap; 0 is no better than by chance.
  public let agreement: Float
  /// 0...1: 1 minus the mean change of speed from pair to pair, relative to the mean speed.
  public let evenness: Float
  /// 0...1: 1 minus the way sideways over the way along the swipe.
  public let straightness: Float
  /// Neighbours that were placed.
  public let pairs: Int
  /// Pairs that fit nowhere.
  public let unusablePairs: Int
  /// Stripes before which the finger stood; with ``StripeGeometry/Placement/robust`` they are no pairs.
  public let standingPairs: Int
}
