/// The image of a swipe.
public struct AssembledSwipe: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  public let pixels: [UInt8]
  /// For each row, the columns on which a stripe or line lies, as ``Frame/extents`` takes them; nil on a host of 1.0, which
  /// does not tell.
  public let extents: [Range<Int>]?
  /// The flips that make both directions of a swipe come out alike. A driver whose ridges are bright adds
  /// ``Frame/Layout/inverted``.
  public let layout: Frame.Layout
  /// How good the swipe was.
  public let quality: SwipeQuality
}

extension AssembledSwipe {
  /// The same with other extents.
  func with(extents: [Range<Int>]?) -> AssembledSwipe {
    AssembledSwipe(
      width: width, height: height, pixels: pixels, extents: extents, layout: layout,
      quality: quality)
  }
}
