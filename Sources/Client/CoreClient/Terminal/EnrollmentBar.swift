package import Protocol

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

/// How far an enrollment has come.
package struct EnrollmentBar {
  /// How often the finger has touched.
  package let touches: UInt32
  /// 0…1.
  package let coverage: Double

  /// An enrollment of so many touches, of which `coverage` is seen.
  package init(touches: UInt32, coverage: Double) {
    (self.touches, self.coverage) = (touches, coverage)
  }

  /// A bar and a percentage.
  package func drawn(_ paint: Paint) -> String { Bar(share: coverage).drawn(paint) }

  /// In words.
  package var plain: String { "touch \(touches)" + Self.coverage(coverage) }

  /// `, coverage 63 %` behind a number of touches; nothing before touches lie over each other: how
  /// much of the finger there is besides cannot be told from one of them.
  package static func coverage(_ share: Double) -> String {
    share >= 0.005 ? ", coverage " + Bar.percent(share) : ""
  }
}

/// Where an enrollment has seen the finger, drawn in half blocks: a character is a place wide and
/// two high.
package enum CoverageDrawing {
  /// Touches from which on a place is well known.
  private static let wellKnown = 2

  /// A line for each two rows; none if nothing was seen.
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
        // Of two places the one that was seen less often gives the color.
        let times = [upper, lower].filter { $0 > 0 }.min() ?? 0
        return times == 0 ? block : paint(block, times >= wellKnown ? .good : .doubtful)
      }.joined()
    }
  }
}
