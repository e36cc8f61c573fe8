/// The part of an image that is worked on, at 500 pixels per inch.
///
/// Every later step counts in pixels of 1/500 inch, so its constants hold on every sensor. At most
/// ``maximumSide`` pixels a side are kept (52 mm, more than any fingertip), the window with the
/// most contrast: this bounds time and memory whatever image comes.
struct WorkingImage: Sendable {
  static let pixelsPerInch = 500
  static let maximumSide = 1024

  let plane: Plane

  init(_ image: FingerprintImage) {
    let scale = Double(image.pixelsPerInch) / Double(Self.pixelsPerInch)
    let limit = Int(Double(Self.maximumSide) * scale)
    let columns = Self.window(of: Self.contrastOfColumns(image), length: limit)
    let rows = Self.window(of: Self.contrastOfRows(image), length: limit)
    let horizontal = Resampling(source: columns, scale: scale, limit: Self.maximumSide)
    let vertical = Resampling(source: rows, scale: scale, limit: Self.maximumSide)

    var narrowed = Plane(width: horizontal.taps.count, height: rows.count)
    for y in 0..<rows.count {
      let row = (rows.lowerBound + y) * image.width
      for x in 0..<narrowed.width {
        let tap = horizontal.taps[x]
        var sum: Float = 0
        for k in 0..<tap.weights.count {
          sum += tap.weights[k] * Float(image.pixels[row + tap.first + k])
        }
        narrowed[x, y] = sum
      }
    }
    var result = Plane(width: narrowed.width, height: vertical.taps.count)
    for y in 0..<result.height {
      let tap = vertical.taps[y]
      for k in 0..<tap.weights.count {
        let row = tap.first - rows.lowerBound + k
        for x in 0..<result.width { result[x, y] += tap.weights[k] * narrowed[x, row] }
      }
    }
    plane = result
  }

  /// The stretch of `length` entries with the largest sum, or all of them.
  private static func window(of contrast: [Int], length: Int) -> Range<Int> {
    guard contrast.count > length else { return 0..<contrast.count }
    var sum = contrast[..<length].reduce(0, +)
    var best = sum
    var start = 0
    for end in length..<contrast.count {
      sum += contrast[end] - contrast[end - length]
      if sum > best {
        best = sum
        start = end - length + 1
      }
    }
    return start..<start + length
  }

  private static func contrastOfColumns(_ image: FingerprintImage) -> [Int] {
    var sums = [Int](repeating: 0, count: image.width)
    for y in 0..<image.height {
      for x in 1..<max(image.width, 1) {
        let at = y * image.width + x
        sums[x] += abs(Int(image.pixels[at]) - Int(image.pixels[at - 1]))
      }
    }
    return sums
  }

  private static func contrastOfRows(_ image: FingerprintImage) -> [Int] {
    var sums = [Int](repeating: 0, count: image.height)
    for y in 0..<image.height {
      for x in 1..<max(image.width, 1) {
        let at = y * image.width + x
        sums[y] += abs(Int(image.pixels[at]) - Int(image.pixels[at - 1]))
      }
    }
    return sums
  }
}

/// One axis of a resampling by a triangle filter, which is bilinear interpolation where the image
/// is enlarged and an average without aliasing where it is reduced.
private struct Resampling {
  struct Tap {
    let first: Int
    let weights: [Float]
  }

  let taps: [Tap]

  /// - Parameters:
  ///   - source: The samples of the source axis that may be used; not empty.
  ///   - scale: Source samples in one sample of the result.
  ///   - limit: The most samples the result may have.
  init(source: Range<Int>, scale: Double, limit: Int) {
    let count = min(limit, max(1, Int((Double(source.count) / scale).rounded())))
    let reach = max(1, scale)
    taps = (0..<count).map { index in
      let centre = Double(source.lowerBound) + (Double(index) + 0.5) * scale - 0.5
      let first = min(
        max(Int((centre - reach).rounded(.up)), source.lowerBound), source.upperBound - 1)
      let last = max(min(Int((centre + reach).rounded(.down)), source.upperBound - 1), first)
      var weights = (first...last).map { Float(max(0, 1 - abs(Double($0) - centre) / reach)) }
      let sum = weights.reduce(0, +)
      for k in weights.indices {
        weights[k] = sum > 0 ? weights[k] / sum : 1 / Float(weights.count)
      }
      return Tap(first: first, weights: weights)
    }
  }
}
