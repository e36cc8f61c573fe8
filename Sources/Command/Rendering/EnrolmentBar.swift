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
  var plain: String { "touch \(touches)" + Self.coverage(coverage) }

  /// `, coverage 63 %` behind a number of touches; nothing before touches lie over each other: how
  /// much of the finger there is besides cannot be told from one of them.
  static func coverage(_ share: Double) -> String {
    share >= 0.005 ? ", coverage " + percent(share) : ""
  }

  /// `0.63` as `63 %`.
  static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
}
