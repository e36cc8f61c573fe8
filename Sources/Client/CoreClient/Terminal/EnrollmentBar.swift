package import Protocol

package struct Bar {
  package let share: Double

  private static let width = 24

  package init(share: Double) { self.share = share }

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

package struct EnrollmentBar {
  package let touches: UInt32
  package let coverage: Double

  package init(touches: UInt32, coverage: Double) {
    (self.touches, self.coverage) = (touches, coverage)
  }

  package func drawn(_ paint: Paint) -> String { Bar(share: coverage).drawn(paint) }

  package var plain: String { "touch \(touches)" + Self.coverage(coverage) }

  /// `, coverage 63 %`, or nothing before touches overlap: one touch does not tell how much of the
  /// finger is left.
  package static func coverage(_ share: Double) -> String {
    share >= 0.005 ? ", coverage " + Bar.percent(share) : ""
  }
}

/// Draws where an enrollment has seen the finger, in half blocks: a character is one place wide and
/// two high.
package enum CoverageDrawing {
  /// From how many touches a place is well known.
  private static let wellKnown = 2

  /// A line for every two rows; none if nothing was seen.
  package static func lines(_ picture: CoveragePicture, _ paint: Paint) -> [String] {
    stride(from: 0, to: picture.rows, by: 2).map { row in
      (0..<picture.columns).map { column in
        let upper = picture.times(column: column, row: row)
        let lower = picture.times(column: column, row: row + 1)
        let block =
          switch (upper > 0, lower > 0) {
          case (false, false): " "
          case (true, false): "▀"
          case (false, true): "▄"
          case (true, true): "█"
          }
        // The color is that of the place that was seen less often.
        let times = [upper, lower].filter { $0 > 0 }.min() ?? 0
        return times == 0 ? block : paint(block, times >= wellKnown ? .good : .doubtful)
      }.joined()
    }
  }
}
