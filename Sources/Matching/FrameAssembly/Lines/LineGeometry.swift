/// What a driver knows about its line sensor.
public struct LineGeometry: Sendable {
  /// Output lines per distance between the two rows of the sensor.
  public let resolution: Int
  /// Size of the median filter over the offsets.
  public let medianSize: Int
  /// How many lines later the second row is looked for.
  public let searchRange: Int
  /// Rows the image may have: one that has fewer is ``SwipeReport/Verdict/tooShort``, lines beyond
  /// are cut off.
  public let heights: ClosedRange<Int>

  /// - Throws: ``AssemblyError/outOfRange(_:value:allowed:)``.
  public init(resolution: Int, medianSize: Int, searchRange: Int, heights: ClosedRange<Int>)
    throws(AssemblyError)
  {
    try AssemblyError.check("resolution", resolution, in: 1...AssemblyLimits.resolution)
    try AssemblyError.check("median size", medianSize, in: 1...AssemblyLimits.medianSize)
    try AssemblyError.check("search range", searchRange, in: 1...AssemblyLimits.searchRange)
    try AssemblyError.check(
      "greatest height of the image", heights.upperBound, in: 1...AssemblyLimits.side)
    self.resolution = resolution
    self.medianSize = medianSize
    self.searchRange = searchRange
    self.heights = heights
  }
}
