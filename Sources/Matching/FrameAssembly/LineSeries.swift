/// The lines of a swipe over a sensor of two rows, in time order.
public struct LineSeries: Sendable {
  /// Pixels of a line.
  public let width: Int
  /// Lines.
  public let count: Int
  /// Line after line.
  let pixels: [UInt8]

  /// Takes `count` lines of `width` pixels; at least two.
  public init(width: Int, count: Int, pixels: [UInt8]) throws(AssemblyError) {
    try AssemblyError.check("width of a line", width, in: 1...AssemblyLimits.side)
    try AssemblyError.check("number of lines", count, in: 2...AssemblyLimits.lines)
    try AssemblyError.check(
      "number of pixels of all lines", width * count, in: 1...AssemblyLimits.pixels)
    guard pixels.count == width * count else {
      throw .pixelCount(expected: width * count, found: pixels.count)
    }
    (self.width, self.count, self.pixels) = (width, count, pixels)
  }

  /// Makes one image of the lines, resampled to even steps by libfprint's rule.
  ///
  /// `deviation` takes two lines, the first earlier than the second. It returns a number that is
  /// small if the second row of one and the first row of the other show the same skin. It is called
  /// (count / 2) · searchRange times.
  public func assembled(_ geometry: LineGeometry, deviation: (Int, Int) -> Int) -> SwipeImage {
    let found = LineOffsets(count: count, searchRange: geometry.searchRange, deviation: deviation)
    let offsets = found.smoothed(medianSize: geometry.medianSize)
    let image = resampled(offsets, geometry)
    let height = image.count / width
    return SwipeImage(
      width: width, height: height, pixels: image,
      extents: Array(repeating: 0..<width, count: height), layout: .flippedVertically,
      report: report(found, offsets, geometry, height: height))
  }

  /// Walks over the lines in 16.16 fixed point; line i + 1 lies resolution / offset output lines
  /// after line i.
  private func resampled(_ offsets: [Int], _ geometry: LineGeometry) -> [UInt8] {
    var image: [UInt8] = []
    let end = geometry.heights.upperBound << 16
    var position = 0
    var output = 0
    for line in 0..<count - 1 {
      let offset = offsets[line / 2]
      guard offset > 0, output < end else { continue }
      let next = position + (geometry.resolution << 16) / offset
      while output < min(next, end) {
        for x in line * width..<(line + 1) * width {
          let later = (output - position) * Int(pixels[x + width])
          let earlier = (next - output) * Int(pixels[x])
          image.append(UInt8((later + earlier) / (next - position)))
        }
        output += 1 << 16
      }
      position = next
    }
    return image
  }

  private func report(
    _ found: LineOffsets, _ offsets: [Int], _ geometry: LineGeometry, height: Int
  ) -> SwipeReport {
    let pairs = found.offsets.count
    let agreement = found.ambiguities.reduce(0) { $0 + 1 - min(1, $1) } / Double(pairs)
    // At an offset of one line nothing faster can be told from it; at the end of the range nothing
    // slower.
    let fastest = offsets.count { $0 == 1 }
    let slowest = geometry.searchRange > 1 ? offsets.count { $0 == geometry.searchRange } : 0
    let verdict: SwipeReport.Verdict =
      if fastest * 2 > pairs {
        .tooFast
      } else if slowest * 2 > pairs {
        .tooSlow
      } else if height < geometry.heights.lowerBound {
        .tooShort
      } else {
        .good
      }
    return SwipeReport(
      verdict: verdict, agreement: agreement, evenness: SwipeReport.evenness(of: offsets),
      straightness: 1, pairs: pairs,
      unusablePairs: found.ambiguities.count { $0 >= StripeMovement.unusable },
      standingPairs: slowest)
  }
}

/// What a driver knows about its line sensor.
public struct LineGeometry: Sendable {
  /// Output lines per distance between the two rows of the sensor.
  public let resolution: Int
  /// Size of the median filter over the offsets.
  public let medianSize: Int
  /// How many lines later the second row is searched for.
  public let searchRange: Int
  /// Rows the image may have: fewer are ``SwipeReport/Verdict/tooShort``, lines beyond are cut off.
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

/// How many lines later the second row of the sensor sees what the first row saw, for every other
/// line.
private struct LineOffsets: Equatable, Sendable {
  /// For lines 0, 2, 4 … the number of lines.
  private(set) var offsets: [Int] = []
  /// For the same lines, the smallest deviation over the mean of all, 0...1.
  private(set) var ambiguities: [Double] = []

  /// `deviation` is small where the two lines show the same skin; see
  /// ``LineSeries/assembled(_:deviation:)``.
  init(count: Int, searchRange: Int, deviation: (Int, Int) -> Int) {
    for line in stride(from: 0, to: count - 1, by: 2) {
      var best = (offset: 1, deviation: Int.max)
      var sum = 0.0
      let last = min(line + searchRange, count - 1)
      for other in line + 1...last {
        let found = deviation(line, other)
        sum += Double(found)
        if found < best.deviation { best = (other - line, found) }
      }
      offsets.append(best.offset)
      let mean = sum / Double(last - line)
      ambiguities.append(mean > 0 ? Double(best.deviation) / mean : 1)
    }
  }

  /// The offsets after a median filter, except the last.
  func smoothed(medianSize: Int) -> [Int] {
    var result = offsets
    let end = offsets.count - 1
    let reach = (medianSize - 1) / 2
    for index in 0..<max(end, 0) {
      let window = offsets[max(0, index - reach)...min(end - 1, index + reach)].sorted()
      result[index] = window[window.count / 2]
    }
    return result
  }
}
