/// The image of a swipe.
package struct SwipeImage: Equatable, Sendable {
  /// Pixels in a row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  package let pixels: [UInt8]
  /// How it has to be turned so that both directions of a swipe come out alike.
  package let orientation: Orientation
  /// How good the swipe was.
  package let report: SwipeReport
}
