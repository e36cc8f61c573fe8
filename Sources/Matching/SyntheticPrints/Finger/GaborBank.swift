/// Filters that respond to ridges of one direction and spacing, for all directions and spacings in
/// fine steps, for the coarse grid.
///
/// Each is a cosine across the ridges under a Gaussian, without response to an even gray. The
/// response to a perfect wave of height 1 is `gain`.
struct GaborBank: Sendable {
  static let radius = 6
  static let side = 2 * radius + 1
  /// Rows are as long as a vector and zero beyond `side`.
  static let rowLength = 16
  static let filterLength = side * rowLength
  static let directionCount = 64
  static let spacingCount = 11
  static let gain: Float = 1.6

  /// All filters, `filterLength` weights each.
  let weights: [Float]

  init() {
    var weights: [Float] = []
    weights.reserveCapacity(Self.spacingCount * Self.directionCount * Self.filterLength)
    let range = RidgeSpacing.range
    for spacing in 0..<Self.spacingCount {
      let share = Double(spacing) / Double(Self.spacingCount - 1)
      let period = range.lowerBound + share * (range.upperBound - range.lowerBound)
      for direction in 0..<Self.directionCount {
        let angle = Double(direction) * .pi / Double(Self.directionCount)
        weights += Self.makeFilter(period: period / Double(FingerCanvas.coarseStep), angle: angle)
      }
    }
    self.weights = weights
  }

  /// The index in `weights` of the filter for ridges at `angle` with this `period` in pixels.
  static func offset(period: Double, angle: Double) -> Int {
    let range = RidgeSpacing.range
    let share = (period - range.lowerBound) / (range.upperBound - range.lowerBound)
    let spacing = Int((share * Double(spacingCount - 1)).rounded())
    let halfTurns = angle / .pi
    let fraction = halfTurns - halfTurns.rounded(.down)
    let direction = Int((fraction * Double(directionCount)).rounded()) % directionCount
    return (min(max(spacing, 0), spacingCount - 1) * directionCount + direction) * filterLength
  }

  private static func makeFilter(period: Double, angle: Double) -> [Float] {
    // Across the ridges three peaks remain under the Gaussian (Cappelli); along them it is longer.
    let across = 0.40 * period
    let along = 0.58 * period
    let sine = Trigonometry.sine(angle)
    let cosine = Trigonometry.cosine(angle)
    var envelope = [Double](repeating: 0, count: filterLength)
    var wave = envelope
    for row in 0..<side {
      for column in 0..<side {
        let x = Double(column - radius)
        let y = Double(radius - row)
        let u = (x * cosine + y * sine) / along
        let v = y * cosine - x * sine
        let index = row * rowLength + column
        envelope[index] = Trigonometry.decay(min((u * u + v * v / (across * across)) / 2, 100))
        wave[index] = Trigonometry.cosine(2 * .pi * v / period)
      }
    }
    let envelopeSum = envelope.reduce(0, +)
    let mean = zip(envelope, wave).reduce(0) { $0 + $1.0 * $1.1 } / envelopeSum
    var filter = zip(envelope, wave).map { $0 * ($1 - mean) }
    let response = zip(filter, wave).reduce(0) { $0 + $1.0 * $1.1 }
    for index in filter.indices { filter[index] *= Double(gain) / response }
    return filter.map(Float.init)
  }
}

/// The inner loop of ridge growth: one filter laid over one place of a grid.
///
/// The only unsafe code of this module: reading sixteen neighbors as one vector has no
/// bounds-checked form, and with single reads growing a finger takes several times as long.
enum FilterSum {
  /// The sum of `weights` times the grid under them.
  ///
  /// - Precondition: `GaborBank.filterLength` weights follow `weightStart`, and below `gridStart`
  ///   lie `GaborBank.side` rows, `stride` apart, with `GaborBank.rowLength` values each.
  @inline(__always)
  static func sum(
    weights: Span<Float>, weightStart: Int, grid: Span<Float>, gridStart: Int, stride: Int
  ) -> Float {
    precondition(weightStart >= 0 && weightStart + GaborBank.filterLength <= weights.count)
    let gridEnd = gridStart + (GaborBank.side - 1) * stride + GaborBank.rowLength
    precondition(gridStart >= 0 && stride >= 0 && gridEnd <= grid.count)
    // Safe: both preconditions cover every read, and the pointers do not outlive the closures.
    return unsafe weights.withUnsafeBufferPointer { weights in
      unsafe grid.withUnsafeBufferPointer { grid in
        guard let weight = weights.baseAddress, let value = grid.baseAddress else { return 0 }
        var sums = SIMD16<Float>.zero
        for row in 0..<GaborBank.side {
          let weightRow = unsafe UnsafeRawPointer(weight + weightStart + row * GaborBank.rowLength)
          let valueRow = unsafe UnsafeRawPointer(value + gridStart + row * stride)
          sums +=
            unsafe weightRow.loadUnaligned(as: SIMD16<Float>.self)
            * valueRow.loadUnaligned(as: SIMD16<Float>.self)
        }
        return total(of: sums)
      }
    }
  }

  /// Adds in a fixed order, so that every processor rounds alike.
  @inline(__always)
  private static func total(of sums: SIMD16<Float>) -> Float {
    let eight = sums.lowHalf + sums.highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}
