/// The lines that a sensor of two rows sees of a swipe, and what image to make of them.
public struct LineGeometry: Sendable {
  /// Pixels of a line.
  public let width: Int
  /// Output lines per distance between the two rows.
  public let resolution: Int
  /// Size of the median filter over the speed.
  public let medianSize: Int
  /// How many lines later the second row is looked for.
  public let searchRange: Int
  /// Rows the image may have: what goes beyond is cut off, fewer are the verdict ``RetryReason/tooShort``.
  public let imageHeights: ClosedRange<Int>

  /// Describes lines and their image.
  public init(
    width: Int, resolution: Int, medianSize: Int, searchRange: Int, imageHeights: ClosedRange<Int>
  ) {
    self.width = width
    self.resolution = resolution
    self.medianSize = medianSize
    self.searchRange = searchRange
    self.imageHeights = imageHeights
  }
}
