/// One axis of a resampling by a triangle filter, which is bilinear interpolation where the image
/// is enlarged and an average without aliasing where it is reduced.
struct Resampling {
  /// The number of samples of the result.
  let count: Int
  /// The source samples that one sample of the result is made of, some with no weight.
  private let length: Int
  /// For each sample of the result, the first of its source samples.
  private let starts: [Int]
  /// Weights that each sample of the result has: `length` and zeros up to a multiple of four.
  private let stride: Int
  /// The weights, `stride` for each sample of the result.
  private let weights: [Float]

  /// - Parameters:
  ///   - source: The samples of the source axis that may be used; not empty.
  ///   - scale: Source samples in one sample of the result.
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
    // Some more, so that four samples can be read where fewer have a weight.
    var row = [Float](repeating: 0, count: image.width + 3)
    for y in 0..<down.count {
      var line = row.mutableSpan
      down.sum(into: &line, y, of: image, columns: columns)
      across.sum(into: &levels, from: y * across.count, of: row.span)
    }
    return result
  }

  /// Fills some columns of a row with the weighed sum of an image's rows, for sample `y`.
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
      line.setEight(sum, at: x)
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
      // Half a level, so that cutting off rounds.
      levels[first &+ x] = UInt8(truncatingIfNeeded: min(max(Int32(sum.sum() + 0.5), 0), 255))
    }
  }
}
