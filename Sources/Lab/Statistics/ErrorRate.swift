/// The figures by which matchers are compared.
package enum ErrorRate: String, CaseIterable, Sendable {
  /// Where FMR and FNMR are equal.
  case eer = "EER"
  /// The lowest FNMR with an FMR of at most 1 in 100, and so on.
  case fmr100 = "FMR100"
  case fmr1000 = "FMR1000"
  case fmr10000 = "FMR10000"
  case fmr50000 = "FMR50000"
  /// The lowest FNMR at which no impostor is accepted.
  case zeroFMR = "zeroFMR"

  /// What rounding may add to a rate that is a quotient of whole numbers.
  static let slack = 1e-12

  /// The FMR that may not be exceeded; nil for the equal error rate, which has none.
  package var fmrLimit: Double? {
    switch self {
    case .eer: nil
    case .fmr100: 1 / 100
    case .fmr1000: 1 / 1000
    case .fmr10000: 1 / 10_000
    case .fmr50000: 1 / 50_000
    case .zeroFMR: 0
    }
  }

  /// The figure, a share, 0...1.
  package func value(on curve: ErrorCurve) -> Double {
    fmrLimit.map { curve.point(fmrAtMost: $0).fnmr } ?? curve.equalErrorRate
  }

  /// Whether there are impostors enough for the figure to differ from ``zeroFMR``: at least one in
  /// `1 / fmrLimit`.
  package func isOfItsOwn(impostors: Int) -> Bool {
    guard let limit = fmrLimit, limit > 0 else { return true }
    return Double(impostors) * limit >= 1 - Self.slack
  }
}
