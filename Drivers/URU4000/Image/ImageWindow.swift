/// Which part of a scan the optics show: the imager is wider than its prism, and its columns beyond
/// see nothing.
package struct ImageWindow: Equatable {
  /// For each row of a scan in device order, the columns that see the prism.
  package let extents: [Range<Int>]

  /// Columns beside the window are 0 to within the noise, those of an empty prism 7 and more (a
  /// 4500 with columns 12 to 368).
  private static let darkest = 3
  /// As many columns at each side are looked at; a finger of its own width lies between.
  private static let widestMargin = 24

  /// Finds the window of a scan, ridges bright. Rows from `rows` on were not sent.
  package init(_ pixels: [UInt8], rows: Int) {
    let (width, height) = (ImageHeader.width, ImageHeader.height)
    func isDark(_ column: Int) -> Bool {
      let sum = stride(from: column, to: rows * width, by: width).reduce(0) { $0 + Int(pixels[$1]) }
      return sum < Self.darkest * rows
    }
    let left = (0..<Self.widestMargin).first { !isDark($0) } ?? Self.widestMargin
    let right = (0..<Self.widestMargin).first { !isDark(width - 1 - $0) } ?? Self.widestMargin
    extents = (0..<height).map { $0 < rows ? left..<width - right : 0..<0 }
  }
}
