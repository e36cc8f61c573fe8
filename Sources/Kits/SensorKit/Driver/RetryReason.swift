public import FrameAssembly

/// Why the person has to try again, as the `AC_RETRY_…` values of `common.h`.
public enum RetryReason: Int32, CaseIterable, Sendable {
  /// The touch could not be read; no better reason is known.
  case general = 1
  /// Ridges are broken: press a little harder or moisten the finger.
  case tooDry = 2
  /// Ridges run together: dry the finger.
  case tooWet = 3
  /// A swipe that ended early, or a touch that was lifted too soon.
  case tooShort = 4
  /// A swipe faster than the sensor reads.
  case tooFast = 5
  /// A swipe slower than the sensor reads.
  case tooSlow = 6
  /// The finger does not lie on the middle of the sensor.
  case center = 7
  /// The finger has to be lifted first.
  case lift = 8
  /// The finger lies or moves at too steep an angle.
  case tooSkewed = 9

  /// What the person should do about a swipe that clearly went wrong; nil for a good one.
  public init?(_ verdict: SwipeReport.Verdict) {
    switch verdict {
    case .good: return nil
    case .tooFast: self = .tooFast
    case .tooSlow: self = .tooSlow
    case .tooShort: self = .tooShort
    case .tooSkewed: self = .tooSkewed
    }
  }
}
