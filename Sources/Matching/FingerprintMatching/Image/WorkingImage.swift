/// The part of an image that is worked on, at 500 pixels per inch.
///
/// Every later step counts in pixels of 1/500 inch, so its constants hold on every sensor. At most
/// ``maximumSide`` pixels a side are kept (52 mm, more than any fingertip): the window with the
/// most contrast. This bounds time and memory for any image. If an image needs no resampling, its
/// gray levels are not copied.
struct WorkingImage: Sendable {
  static let pixelsPerInch = 500
  static let maximumSide = 1024

  let width: Int
  let height: Int
  /// Gray levels, including those that are worked on.
  let levels: [UInt8]
  /// The index in ``levels`` of the first row.
  private let origin: Int
  private let stride: Int
  /// For each row the columns that show skin, or nil if the driver does not say.
  private let extents: [Range<Int>]?

  init(_ image: FingerprintImage) {
    let scale = Double(image.pixelsPerInch) / Double(Self.pixelsPerInch)
    let window = ContrastWindow(of: image, side: Int(Double(Self.maximumSide) * scale))
    extents = image.extents.map { Self.extents($0, in: window, scale: scale) }
    if image.pixelsPerInch == Self.pixelsPerInch {
      (width, height) = (window.columns.count, window.rows.count)
      levels = image.pixels
      stride = image.width
      origin = window.rows.lowerBound * image.width + window.columns.lowerBound
    } else {
      let across = Resampling(source: window.columns, scale: scale, limit: Self.maximumSide)
      let down = Resampling(source: window.rows, scale: scale, limit: Self.maximumSide)
      (width, height) = (across.count, down.count)
      levels = Resampling.levels(of: image, columns: window.columns, across: across, down: down)
      stride = across.count
      origin = 0
    }
  }

  /// The index in ``levels`` of row `y`.
  func row(_ y: Int) -> Int { origin + y * stride }

  /// Extents in pixels of the working image; a pixel made of any pixel beyond them is beyond too.
  private static func extents(
    _ extents: [Range<Int>], in window: ContrastWindow, scale: Double
  ) -> [Range<Int>] {
    let rows = min(maximumSide, max(1, Int((Double(window.rows.count) / scale).rounded())))
    let reach = scale == 1 ? 0 : max(1, scale)
    return (0..<rows).map { row in
      let middle = (Double(row) + 0.5) * scale - 0.5
      let first = max(Int((middle - reach).rounded(.up)), 0)
      let last = min(Int((middle + reach).rounded(.down)), window.rows.count - 1)
      let all = extents[window.rows.lowerBound + first...window.rows.lowerBound + last]
      let left = all.map(\.lowerBound).max() ?? 0
      let right = all.map(\.upperBound).min() ?? 0
      let (from, to) = (left - window.columns.lowerBound, right - window.columns.lowerBound)
      let start = ((Double(from) + reach + 0.5) / scale - 0.5).rounded(.up)
      let end = ((Double(to) - reach - 0.5) / scale - 0.5).rounded(.down) + 1
      // At the edge of the image pixels are made of fewer, all of them inside.
      let lower = from <= 0 ? 0 : min(Int(start), maximumSide)
      let upper = to >= window.columns.count ? maximumSide : min(Int(end), maximumSide)
      return lower..<max(lower, upper)
    }
  }

  var hasExtents: Bool { extents != nil }

  /// Whether the two by two pixels from (x, y) on show skin, as far as the driver says.
  func shows(_ x: Int, _ y: Int) -> Bool {
    guard let extents else { return true }
    let columns = x...min(x + 1, width - 1)
    return [y, min(y + 1, height - 1)].allSatisfy {
      extents[$0].contains(columns.lowerBound) && extents[$0].contains(columns.upperBound)
    }
  }

  /// A copy of the image, to be looked at.
  var plane: Plane {
    var plane = Plane(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { plane[x, y] = Float(levels[row(y) + x]) }
    }
    return plane
  }
}

/// The part of a large image that shows the most: the columns and rows with most contrast.
private struct ContrastWindow {
  let columns: Range<Int>
  let rows: Range<Int>

  /// - `side`: The most columns and rows that are kept.
  init(of image: FingerprintImage, side: Int) {
    guard image.width > side || image.height > side else {
      columns = 0..<image.width
      rows = 0..<image.height
      return
    }
    let contrast = Self.contrast(of: image)
    columns = Self.window(of: contrast.columns, length: side)
    rows = Self.window(of: contrast.rows, length: side)
  }

  /// The `length` successive entries with the largest sum, or all.
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

  /// The differences of neighbors in a row, summed over each column and each row.
  private static func contrast(of image: FingerprintImage) -> (columns: [Int], rows: [Int]) {
    var columns = [Int](repeating: 0, count: image.width)
    var rows = [Int](repeating: 0, count: image.height)
    let pixels = image.pixels.span
    for y in 0..<image.height {
      let row = pixels.extracting(y * image.width..<(y + 1) * image.width)
      for x in 1..<max(image.width, 1) {
        let difference = abs(Int(row[x]) - Int(row[x - 1]))
        columns[x] += difference
        rows[y] += difference
      }
    }
    return (columns, rows)
  }
}

/// One axis of a resampling by a triangle filter: bilinear interpolation if the image is enlarged,
/// an average without aliasing if it is reduced.
private struct Resampling {
  /// The samples of the result.
  let count: Int
  /// The source samples of one sample of the result, some with no weight.
  private let length: Int
  /// The first source sample of each sample of the result.
  private let starts: [Int]
  /// Weights per sample of the result: `length`, and zeros up to a multiple of four.
  private let stride: Int
  private let weights: [Float]

  /// - Parameters:
  ///   - source: The samples of the source axis that may be used; not empty.
  ///   - scale: Source samples per sample of the result.
  ///   - limit: The most samples the result may have.
  init(source: Range<Int>, scale: Double, limit: Int) {
    let count = min(limit, max(1, Int((Double(source.count) / scale).rounded())))
    let reach = max(1, scale)
    let length = min(Int(2 * reach) + 1, source.count)
    var starts: [Int] = []
    var weights: [Float] = []
    for index in 0..<count {
      let center = Double(source.lowerBound) + (Double(index) + 0.5) * scale - 0.5
      let first = max(Int((center - reach).rounded(.up)), source.lowerBound)
      let start = min(first, source.upperBound - length)
      let own = (start..<start + length).map { Float(max(0, 1 - abs(Double($0) - center) / reach)) }
      let sum = own.reduce(0, +)
      starts.append(start)
      weights += own.map { sum > 0 ? $0 / sum : 1 / Float(length) }
      while weights.count % 4 != 0 { weights.append(0) }
    }
    (self.count, self.length) = (count, length)
    stride = (length + 3) / 4 * 4
    (self.starts, self.weights) = (starts, weights)
  }

  /// The gray levels of an image resampled on both axes.
  ///
  /// Row after row: first down, eight columns at a time, into a single row, then across.
  static func levels(
    of image: FingerprintImage, columns: Range<Int>, across: Resampling, down: Resampling
  ) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: across.count * down.count)
    var levels = result.mutableSpan
    // Three more, so that four samples can be read where fewer have a weight.
    var row = [Float](repeating: 0, count: image.width + 3)
    for y in 0..<down.count {
      var line = row.mutableSpan
      down.sum(into: &line, y, of: image, columns: columns)
      across.sum(into: &levels, from: y * across.count, of: row.span)
    }
    return result
  }

  /// Fills some columns of a row with the weighted sum of an image's rows, for sample `y`.
  private func sum(
    into line: inout MutableSpan<Float>, _ y: Int, of image: FingerprintImage, columns: Range<Int>
  ) {
    let pixels = image.pixels.span
    let weights = weights.span.extracting(y * stride..<y * stride + length)
    let first = starts[y] * image.width
    let whole = columns.count / 8 * 8
    for x in Swift.stride(from: columns.lowerBound, to: columns.lowerBound + whole, by: 8) {
      var sum = SIMD8<Float>.zero
      for k in weights.indices {
        let levels = pixels.eightLevels(at: first &+ k &* image.width &+ x)
        sum += weights[k] * SIMD8<Float>(levels)
      }
      line.set(sum, at: x)
    }
    for x in columns.lowerBound + whole..<columns.upperBound {
      line[x] = 0
      for k in weights.indices {
        line[x] += weights[k] * Float(pixels[first + k * image.width + x])
      }
    }
  }

  /// Writes the resampled row, to the nearest gray level.
  private func sum(into levels: inout MutableSpan<UInt8>, from first: Int, of row: Span<Float>) {
    let (starts, weights) = (starts.span, weights.span)
    for x in 0..<count {
      var sum = SIMD4<Float>.zero
      for k in Swift.stride(from: 0, to: stride, by: 4) {
        sum += weights.four(at: x &* stride &+ k) * row.four(at: starts[x] &+ k)
      }
      // Half a level, so that truncation rounds.
      levels[first &+ x] = UInt8(truncatingIfNeeded: min(max(Int32(sum.sum() + 0.5), 0), 255))
    }
  }
}
