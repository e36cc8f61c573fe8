/// The image of a swipe.
package struct SwipeImage: Equatable, Sendable {
  /// Pixels in a row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  package let pixels: [UInt8]
  /// For each row, the columns on which a stripe or line lies; they are adjacent.
  package let extents: [Range<Int>]
  /// How it has to be turned so that both directions of a swipe come out alike.
  package let orientation: Orientation
  /// How good the swipe was.
  package let report: SwipeReport
}
