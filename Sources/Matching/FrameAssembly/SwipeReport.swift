/// How good a swipe was, and what the person should do better.
public struct SwipeReport: Equatable, Sendable {
  public enum Verdict: Sendable {
    case good
    /// The finger moved farther between two stripes than their overlap shows.
    case tooFast
    /// The finger stood for most of the time.
    case tooSlow
    /// The image is lower than the driver asked for.
    case tooShort
    /// The finger moved sideways by half of its way or more.
    case tooSkewed
  }

  public let verdict: Verdict
  /// 0...1: the product of ``agreement``, the share of usable pairs, ``straightness`` and (1 +
  /// ``evenness``) / 2.
  public let quality: Double
  /// 0...1: how well neighbors fit together where they overlap; 0 is no better than pixels drawn by
  /// chance from the same swipe, 1 is no difference at all.
  public let agreement: Double
  /// 0...1: 1 minus the mean change of speed from pair to pair, relative to the mean speed.
  public let evenness: Double
  /// 0...1: 1 minus the way sideways over the way along the swipe; 1 for line sensors, which cannot
  /// tell.
  public let straightness: Double
  public let pairs: Int
  /// Pairs that do not fit together anywhere.
  public let unusablePairs: Int
  /// Stripes before which the finger stood, or moved by less than the assembler can place: part of
  /// the pairs if stripes are placed exactly, besides them if placed robustly.
  public let standingPairs: Int

  init(
    verdict: Verdict, agreement: Double, evenness: Double, straightness: Double, pairs: Int,
    unusablePairs: Int, standingPairs: Int
  ) {
    func clamped(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1) : 0 }
    self.verdict = verdict
    self.agreement = clamped(agreement)
    self.evenness = clamped(evenness)
    self.straightness = clamped(straightness)
    (self.pairs, self.unusablePairs, self.standingPairs) = (pairs, unusablePairs, standingPairs)
    let usable = pairs > 0 ? Double(pairs - unusablePairs) / Double(pairs) : 0
    quality = self.agreement * usable * self.straightness * (1 + self.evenness) / 2
  }

  /// 1 minus the mean step of `speeds` from one to the next, relative to their mean.
  static func evenness(of speeds: [Int]) -> Double {
    let mean = Double(speeds.reduce(0, +)) / Double(max(speeds.count, 1))
    guard speeds.count > 1, mean > 0 else { return speeds.isEmpty ? 0 : 1 }
    let steps = zip(speeds, speeds.dropFirst()).reduce(0) { $0 + abs($1.0 - $1.1) }
    return max(0, 1 - Double(steps) / Double(speeds.count - 1) / mean)
  }
}

/// The image of a swipe.
public struct SwipeImage: Equatable, Sendable {
  public let width: Int
  public let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  public let pixels: [UInt8]
  /// For each row, the columns on which a stripe or line lies; they are adjacent.
  public let extents: [Range<Int>]
  /// How to turn it so that both directions of a swipe look alike.
  public let layout: FrameLayout
  public let report: SwipeReport
}
