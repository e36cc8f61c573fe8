/// The stripes a sensor sees of a swipe, and what image to make of them.
public struct StripeGeometry: Sendable {
  /// How stripes are placed.
  public enum Placement: Sendable {
    /// Bit by bit as libfprint places them.
    case exact
    /// Leaves stripes out while the finger stands; moves what fits nowhere as far as the rest.
    case robust
  }

  /// Pixels in a row of a stripe.
  public let width: Int
  /// Rows of a stripe.
  public let height: Int
  /// Columns of the image, at least `width`; the first stripe lies in the middle.
  public let imageWidth: Int
  /// Rows the image may have: more are an error, fewer the verdict ``RetryReason/tooShort``. At most 4096.
  public let imageHeights: ClosedRange<Int>
  /// How stripes are placed.
  public let placement: Placement

  /// Describes stripes and their image.
  public init(
    width: Int, height: Int, imageWidth: Int, imageHeights: ClosedRange<Int>,
    placement: Placement = .exact
  ) {
    self.width = width
    self.height = height
    self.imageWidth = imageWidth
    self.imageHeights = imageHeights
    self.placement = placement
  }
}
