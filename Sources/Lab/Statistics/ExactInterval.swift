import Glibc

/// The values between which a rate lies with a certainty of 95 %, from how often something happened
/// in independent trials (Clopper and Pearson, "The use of confidence or fiducial limits
/// illustrated in the case of the binomial", 1934).
struct ExactInterval: Hashable, Sendable {
  /// The chance beyond each end.
  private static let tail = 0.025

  /// The lowest rate at which so many events or more have a chance of at least 2.5 %.
  let lowerBound: Double
  /// The highest rate at which so many events or fewer have a chance of at least 2.5 %.
  let upperBound: Double

  /// - Complexity: Linear in the smaller of the events and the other trials.
  init(events: Int, of trials: Int) {
    precondition(trials > 0 && (0...trials).contains(events), "\(events) of \(trials)")
    if events * 2 > trials {
      let opposite = ExactInterval(events: trials - events, of: trials)
      lowerBound = 1 - opposite.upperBound
      upperBound = 1 - opposite.lowerBound
      return
    }
    upperBound = Self.root { Self.chance(ofAtMost: events, of: trials, at: $0) < Self.tail }
    lowerBound =
      events == 0
      ? 0 : Self.root { 1 - Self.chance(ofAtMost: events - 1, of: trials, at: $0) > Self.tail }
  }

  /// On each side the wider of another interval and this one.
  func widening(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
    min(lowerBound, other.lowerBound)...max(upperBound, other.upperBound)
  }

  /// The rate that is not exceeded with a certainty of 95 % if nothing happened in `trials`: the
  /// "rule of three" (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?",
  /// 1983).
  static func ruleOfThree(trials: Int) -> Double { min(3 / Double(trials), 1) }

  /// The rate above which a condition holds.
  private static func root(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return (low + high) / 2
  }

  private static func chance(ofAtMost events: Int, of trials: Int, at rate: Double) -> Double {
    guard rate > 0 else { return 1 }
    guard rate < 1 else { return events == trials ? 1 : 0 }
    // In logarithms: the chance of no event may be too small for a Double.
    var logarithm = Double(trials) * log1p(-rate)
    let odds = log(rate) - log1p(-rate)
    var sum = exp(logarithm)
    for event in stride(from: 1, through: events, by: 1) {
      logarithm += log(Double(trials - event + 1) / Double(event)) + odds
      sum += exp(logarithm)
    }
    return min(sum, 1)
  }
}
