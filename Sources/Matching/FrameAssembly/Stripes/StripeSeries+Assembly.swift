/// How stripes are placed.
public enum StripePlacement: Sendable {
  /// Bit by bit as libfprint does, so that recordings of other software compare equal.
  case exact
  /// Leaves out stripes while the finger stands, and lets stripes that fit nowhere move as far as
  /// the others do.
  case robust
}

extension StripeSeries {
  /// Puts the stripes together to one image.
  ///
  /// `imageWidth` is at least the width of a stripe; the first stripe lies in the middle. `heights`
  /// are the rows that the image may have: a higher one is an error, a lower one is the verdict
  /// ``SwipeReport/Verdict/tooShort``.
  ///
  /// - Throws: ``AssemblyError`` on sizes out of range, too much work, or an image that is too
  ///   high.
  public func assembled(
    imageWidth: Int, heights: ClosedRange<Int>, placement: StripePlacement = .exact
  ) throws(AssemblyError) -> SwipeImage {
    try AssemblyError.check("width of the image", imageWidth, in: width...AssemblyLimits.side)
    try AssemblyError.check(
      "greatest height of the image", heights.upperBound, in: 1...AssemblyLimits.side)
    let found = try StripeMovement(of: self)
    let movement = placement == .exact ? found : found.steadied(for: self)
    let imageHeight = abs(movement.shifts.reduce(0) { $0 + $1.y }) + height
    guard imageHeight <= heights.upperBound else {
      throw .tooHigh(height: imageHeight, limit: heights.upperBound)
    }
    let report = movement.report(
      on: self, isHighEnough: imageHeight >= heights.lowerBound, placement: placement)
    let (pixels, extents) = painted(movement, width: imageWidth, height: imageHeight)
    return SwipeImage(
      width: imageWidth, height: imageHeight, pixels: pixels, extents: extents,
      layout: movement.isReverse ? [] : [.flippedHorizontally, .flippedVertically],
      report: report)
  }

  /// Paints stripe after stripe, later ones over earlier ones; what lies outside of the image is
  /// cut off. Says which columns of each row were painted.
  private func painted(
    _ movement: StripeMovement, width imageWidth: Int, height imageHeight: Int
  ) -> (pixels: [UInt8], extents: [Range<Int>]) {
    var image = [UInt8](repeating: 0, count: imageWidth * imageHeight)
    var extents = [Range<Int>](repeating: 0..<0, count: imageHeight)
    var left = (imageWidth - width) / 2
    var top = movement.isReverse ? imageHeight - height : 0
    for (stripe, shift) in movement.shifts.enumerated() {
      left += shift.x
      top += shift.y
      if movement.isLeftOut[stripe] { continue }
      let columns = max(0, -left)..<max(max(0, -left), min(width, imageWidth - left))
      for row in 0..<height where 0..<imageHeight ~= top + row && !columns.isEmpty {
        let source = stripe * area + row * width
        let target = (top + row) * imageWidth + left
        for x in columns { image[target + x] = pixels[source + x] }
        extents[top + row] = Self.joined(
          extents[top + row], left + columns.lowerBound..<left + columns.upperBound)
      }
    }
    return (image, extents)
  }

  /// Both together where they touch. Stripes that are narrower than a finger's steps to the side
  /// may leave a gap: then the longer one, so that no column is said to be painted that is not.
  private static func joined(_ one: Range<Int>, _ other: Range<Int>) -> Range<Int> {
    guard one.lowerBound <= other.upperBound, other.lowerBound <= one.upperBound, !one.isEmpty
    else { return other.count > one.count ? other : one }
    return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
  }
}
