/// The image of a swipe.
public struct AssembledSwipe: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  public let pixels: [UInt8]
  /// The flips that make both directions of a swipe come out alike. A driver whose ridges are bright adds
  /// ``Frame/Layout/inverted``.
  public let layout: Frame.Layout
  /// How good the swipe was.
  public let quality: SwipeQuality
}
