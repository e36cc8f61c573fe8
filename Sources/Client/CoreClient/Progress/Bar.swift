/// How much of something is done.
package struct Bar {
  /// 0…1.
  package let share: Double

  private static let width = 24

  /// `share` of something.
  package init(share: Double) { self.share = share }

  /// A bar and a percentage.
  package func drawn(_ paint: Paint) -> String {
    let filled = Int((min(max(share, 0), 1) * Double(Self.width)).rounded())
    let bar =
      paint(String(repeating: "━", count: filled), .good)
      + paint(String(repeating: "─", count: Self.width - filled), .faint)
    return bar + " " + Self.percent(share)
  }

  /// `0.63` as `63 %`.
  package static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }
}
