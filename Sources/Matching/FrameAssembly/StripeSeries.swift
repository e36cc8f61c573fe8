/// The stripes of a swipe in time order: one small image each, all of one size.
public struct StripeSeries: Sendable {
  /// Pixels in a row of a stripe.
  public let width: Int
  /// Rows of a stripe.
  public let height: Int
  /// Stripes.
  public let count: Int
  /// Stripe after stripe, row by row.
  let pixels: [UInt8]

  /// Takes `count` stripes of `width` by `height` pixels.
  public init(width: Int, height: Int, count: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a stripe", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("height of a stripe", height, in: 1...AssemblyLimits.side)
    try AssemblyError.check("number of stripes", count, in: 1...AssemblyLimits.stripes)
    let area = width * height
    try AssemblyError.check(
      "number of pixels of all stripes", area * count, in: 1...AssemblyLimits.pixels)
    guard pixels.count == area * count else {
      throw .pixelCount(expected: area * count, found: pixels.count)
    }
    (self.width, self.height, self.count, self.pixels) = (width, height, count, pixels)
  }

  /// Takes as many whole stripes as there are.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a stripe", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("height of a stripe", height, in: 1...AssemblyLimits.side)
    try self.init(
      width: width, height: height, count: pixels.count / (width * height), pixels: pixels)
  }

  var area: Int { width * height }

  /// The mean difference of two pixels drawn by chance from all stripes (Gini's mean difference):
  /// that of unrelated stripes.
  var contrast: Double {
    let histogram = PixelMeasures.histogram(pixels)
    let total = Double(pixels.count)
    var below = 0.0
    var sum = 0.0
    for count in histogram.dropLast() {
      below += Double(count) / total
      sum += below * (1 - below)
    }
    return 2 * sum
  }
}

/// How stripes are placed.
public enum StripePlacement: Sendable {
  /// Bit by bit as libfprint does, so that recordings of other software compare equal.
  case exact
  /// Leaves out stripes while the finger stands, and moves stripes that fit nowhere as far as the
  /// others.
  case robust
}

extension StripeSeries {
  /// Makes one image of the stripes.
  ///
  /// `imageWidth` is at least the width of a stripe; the first stripe lies in the middle. `heights`
  /// are the rows that the image may have: more are an error, fewer are the verdict
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

  /// Paints stripe after stripe, later ones over earlier ones, cut off at the edges of the image.
  /// Returns which columns of each row were painted.
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

  /// Both together if they touch. Stripes narrower than a finger's steps to the side may leave a
  /// gap; then the longer one, so that no unpainted column counts as painted.
  private static func joined(_ one: Range<Int>, _ other: Range<Int>) -> Range<Int> {
    guard one.lowerBound <= other.upperBound, other.lowerBound <= one.upperBound, !one.isEmpty
    else { return other.count > one.count ? other : one }
    return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
  }

  /// How far one stripe lies from another.
  struct Shift: Equatable, Sendable {
    var x: Int
    var y: Int
  }

  /// The difference of two stripes for a shift, scaled to the area of a stripe; nil unless they
  /// overlap.
  ///
  /// Row 0 of `first` lies over row `shift.y`, at least 0, of `second`, and `shift.x` columns to
  /// the right.
  func difference(_ first: Int, _ second: Int, _ shift: Shift) -> Int? {
    let columns = width - abs(shift.x)
    let rows = height - shift.y
    guard columns > 0, rows > 0 else { return nil }
    let start = first * area + max(shift.x, 0)
    let otherStart = second * area + shift.y * width + max(-shift.x, 0)
    var sum: UInt64 = 0
    let all = pixels.span
    for row in 0..<rows {
      let line = all.extracting(start + row * width..<start + row * width + columns)
      let other = all.extracting(otherStart + row * width..<otherStart + row * width + columns)
      sum += UInt64(Self.difference(line, other, count: columns))
    }
    // At most 255 · 2²⁴ · 2²⁴. libfprint computes in 32 bits, which wrap around if large stripes
    // differ much, and then takes a bad fit for the best one; otherwise the result is the same.
    return Int(sum * UInt64(area) / UInt64(columns * rows))
  }

  @inline(__always)
  private static func difference(_ line: Span<UInt8>, _ other: Span<UInt8>, count: Int) -> UInt32 {
    var sum: UInt32 = 0
    for x in 0..<count {
      // Unchecked, or it is not vectorized; both spans were cut to `count` above.
      let step = unsafe Int32(line[unchecked: x]) &- Int32(other[unchecked: x])
      sum &+= step.magnitude
    }
    return sum
  }

  /// The shift with the smallest difference, and that difference. The first of equals wins.
  func bestShift(_ first: Int, _ second: Int, rows: ClosedRange<Int>)
    -> (shift: Shift, difference: Int)
  {
    var best = (shift: Shift(x: 0, y: 0), difference: 255 * area)
    for y in rows {
      for x in -8...7 {
        let shift = Shift(x: x, y: y)
        guard let difference = difference(first, second, shift) else { continue }
        if difference < best.difference {
          best = (Shift(x: -x, y: y), difference)
        }
      }
    }
    return best
  }
}
