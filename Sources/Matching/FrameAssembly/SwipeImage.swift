/// The image of a swipe.
public struct SwipeImage: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  public let pixels: [UInt8]
  /// For each row, the columns on which a stripe or line lies; they are adjacent.
  public let extents: [Range<Int>]
  /// How it has to be turned so that both directions of a swipe come out alike.
  public let layout: FrameLayout
  /// How good the swipe was.
  public let report: SwipeReport
}
