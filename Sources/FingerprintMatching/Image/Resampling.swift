/// One axis of a resampling by a triangle filter, which is bilinear interpolation where the image
/// is enlarged and an average without aliasing where it is reduced.
struct Resampling {
  /// The number of samples of the result.
  let count: Int
  /// For each sample of the result, the source samples it is made of.
  private let sources: [Range<Int>]
  /// Their weights, those of one sample of the result after those of the one before.
  private let weights: [Float]

  /// - Parameters:
  ///   - source: The samples of the source axis that may be used; not empty.
  ///   - scale: Source samples in one sample of the result.
  ///   - limit: The most samples the result may have.
  init(source: Range<Int>, scale: Double, limit: Int) {
    count = min(limit, max(1, Int((Double(source.count) / scale).rounded())))
    let reach = max(1, scale)
    var sources: [Range<Int>] = []
    var weights: [Float] = []
    for index in 0..<count {
      let centre = Double(source.lowerBound) + (Double(index) + 0.5) * scale - 0.5
      let first = min(
        max(Int((centre - reach).rounded(.up)), source.lowerBound), source.upperBound - 1)
      let last = max(min(Int((centre + reach).rounded(.down)), source.upperBound - 1), first)
      let own = (first...last).map { Float(max(0, 1 - abs(Double($0) - centre) / reach)) }
      let sum = own.reduce(0, +)
      sources.append(first..<last + 1)
      weights += own.map { sum > 0 ? $0 / sum : 1 / Float(own.count) }
    }
    self.sources = sources
    self.weights = weights
  }

  /// The grey levels of an image resampled on both axes.
  ///
  /// Row after row: first down, eight columns at a time, into a single row, then across.
  static func levels(
    of image: FingerprintImage, columns: Range<Int>, across: Resampling, down: Resampling
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(across.count * down.count)
    var row = [Float](repeating: 0, count: image.width)
    var firstWeight = 0
    for source in down.sources {
      var line = row.mutableSpan
      down.fill(&line, from: image, rows: source, columns: columns, firstWeight)
      firstWeight += source.count
      across.append(row.span, to: &result)
    }
    return result
  }

  /// Fills some columns of a row with the weighed sum of an image's rows.
  private func fill(
    _ line: inout MutableSpan<Float>, from image: FingerprintImage, rows: Range<Int>,
    columns: Range<Int>, _ firstWeight: Int
  ) {
    let pixels = image.pixels.span
    let weights = weights.span.extracting(firstWeight..<firstWeight + rows.count)
    let whole = columns.count / 8 * 8
    for x in stride(from: columns.lowerBound, to: columns.lowerBound + whole, by: 8) {
      var sum = SIMD8<Float>.zero
      for k in weights.indices {
        let levels = pixels.eightLevels(at: (rows.lowerBound &+ k) &* image.width &+ x)
        sum += weights[k] * SIMD8<Float>(levels)
      }
      line.setEight(sum, at: x)
    }
    for x in columns.lowerBound + whole..<columns.upperBound {
      line[x] = 0
      for k in weights.indices {
        line[x] += weights[k] * Float(pixels[(rows.lowerBound + k) * image.width + x])
      }
    }
  }

  /// Appends the resampled row, to the nearest grey level.
  private func append(_ row: Span<Float>, to levels: inout [UInt8]) {
    let weights = weights.span
    var weight = 0
    for source in sources {
      // Half a level, so that cutting off rounds.
      var sum: Float = 0.5
      for x in source {
        sum += weights[weight] * row[x]
        weight &+= 1
      }
      levels.append(UInt8(min(max(sum, 0), 255)))
    }
  }
}
