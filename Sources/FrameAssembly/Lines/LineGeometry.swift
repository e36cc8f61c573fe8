/// What a driver knows about its line sensor.
package struct LineGeometry: Sendable {
  /// Output lines per distance between the two rows of the sensor.
  package let resolution: Int
  /// Size of the median filter over the offsets.
  package let medianSize: Int
  /// How many lines later the second row is looked for.
  package let searchRange: Int
  /// Rows the image may have: one that has fewer is ``SwipeReport/Verdict/tooShort``, lines beyond are cut off.
  package let heights: ClosedRange<Int>

  /// - Throws: ``AssemblyError/outOfRange(_:value:allowed:)``.
  package init(resolution: Int, medianSize: Int, searchRange: Int, heights: ClosedRange<Int>)
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
