/// How far an enrolment has come.
struct EnrolmentBar {
  let touches: UInt32
  /// 0…1.
  let coverage: Double

  private static let width = 24

  /// A bar and a percentage.
  func drawn(_ paint: Paint) -> String {
    let filled = Int((min(max(coverage, 0), 1) * Double(Self.width)).rounded())
    let bar =
      paint(String(repeating: "━", count: filled), .good)
      + paint(String(repeating: "─", count: Self.width - filled), .faint)
    return bar + " " + Self.percent(coverage)
  }

  /// In words.
  var plain: String { "touch \(touches), coverage \(Self.percent(coverage))" }

  /// `0.63` as `63 %`.
  static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
}
