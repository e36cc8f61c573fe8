package import Protocol

/// Where an enrollment has seen the finger, drawn in half blocks: a character is a place wide and
/// two high.
package enum CoverageDrawing {
  /// Touches from which on a place is well known.
  private static let wellKnown = 2

  /// A line for each two rows; none where nothing was seen.
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
