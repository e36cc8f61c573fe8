/// An image with local mean 0 and, where there is contrast, local variance 1; ridges are positive.
///
/// Hong, Wan and Jain, "Fingerprint image enhancement: algorithm and performance evaluation"
/// (1998), section 2.2, but with the mean and variance of the neighborhood, not of the image: those
/// of the cell and the eight around it (two to three ridge periods a side), interpolated between
/// the middles of the cells. The variance is that about the interpolated mean, so a shadow is not
/// contrast.
///
/// Pixels that are not seen take no part in mean and variance and are 0. So filters meet nothing
/// there, and the edge of the window does not look like an edge.
struct NormalizedImage: Sendable {
  /// Contrast below this share of the image's strong contrast is not raised to 1.
  static let floorShare: Float = 0.2
  /// Gray levels of contrast below which an image counts as blank.
  static let blankContrast: Float = 2
  /// Normalized samples are cut off at this many standard deviations.
  static let limit: Float = 2.5
  /// Steps per gray level in which contrast is counted for its percentile.
  static let contrastSteps: Float = 8

  let plane: Plane
  /// Standard deviation of the gray levels around each cell.
  let contrast: [Float]
  /// The ninetieth percentile of ``contrast``.
  let strongContrast: Float
  /// Mean gray level around each cell.
  let brightness: [Float]

  init(_ image: WorkingImage, seen: SeenArea, grid: CellGrid) {
    let own = Self.sums(image, seen: seen, grid: grid)
    let sums = Self.summed(own, seen: seen, grid: grid)
    brightness = sums.map { $0.x / max($0.z, 1) }
    var plane = Self.deviations(image, from: InterpolatedField(brightness, grid: grid))
    seen.clear(&plane)
    let squares = grid.squares(plane.samples, width: image.width, height: image.height)
    let variances = Self.summed(
      (0..<grid.count).map { SIMD4(squares[$0], 0, own[$0].z, 0) }, seen: seen, grid: grid)
    contrast = variances.map { ($0.x / max($0.z, 1)).squareRoot() }
    strongContrast = Self.strong(zip(contrast, own).filter { $1.z > 0 }.map(\.0))
    let floor = max(Self.floorShare * strongContrast, Self.blankContrast)
    let gains = contrast.map { 1 / max($0, floor) }
    Self.scale(&plane, by: InterpolatedField(gains, grid: grid))
    self.plane = plane
  }

  /// Fewest pixels that stand for a cell's surroundings: a third of all.
  static let enoughPixels: Float = 192

  /// Sums over a cell and the eight around it, or over more if few of their pixels (z) are seen: a
  /// single ridge along the window's edge would be its own mean.
  private static func summed(
    _ fields: [SIMD4<Float>], seen: SeenArea, grid: CellGrid
  ) -> [SIMD4<Float>] {
    let near = grid.summedWithNeighbors(fields)
    guard !seen.isWhole else { return near }
    let wide = grid.summedWithNeighbors(near)
    return near.indices.map { near[$0].z < enoughPixels ? wide[$0] : near[$0] }
  }

  /// For each cell the sum of its seen gray levels (x) and their number (z).
  private static func sums(
    _ image: WorkingImage, seen: SeenArea, grid: CellGrid
  ) -> [SIMD4<Float>] {
    var result = [SIMD4<Float>](repeating: .zero, count: grid.count)
    let levels = image.levels.span
    for row in 0..<grid.rows {
      let ys = CellGrid.pixels(of: row, length: image.height)
      for column in 0..<grid.columns {
        let xs = CellGrid.pixels(of: column, length: image.width)
        let cell = row * grid.columns + column
        if seen.shares[cell] < 1 {
          guard seen.shares[cell] > 0 else { continue }
          for y in ys {
            for x in xs where seen.contains(x, y) {
              result[cell] += SIMD4(Float(levels[image.row(y) + x]), 0, 1, 0)
            }
          }
          continue
        }
        var sums = SIMD8<UInt16>.zero
        for y in ys {
          let start = image.row(y) + xs.lowerBound
          if xs.count == CellGrid.side {
            sums &+= SIMD8(truncatingIfNeeded: levels.eightLevels(at: start))
          } else {
            for x in 0..<xs.count { sums[x] &+= UInt16(levels[start + x]) }
          }
        }
        result[cell] = SIMD4(Float(sums.wrappedSum()), 0, Float(xs.count * ys.count), 0)
      }
    }
    return result
  }

  /// The contrast that a tenth of the cells exceed, to a step.
  private static func strong(_ contrast: [Float]) -> Float {
    // No gray levels of 0...255 have a standard deviation above 127.5.
    var counts = [Int](repeating: 0, count: 128 * Int(contrastSteps))
    for value in contrast { counts[min(Int(value * contrastSteps), counts.count - 1)] += 1 }
    var left = contrast.count * 9 / 10
    for step in counts.indices {
      left -= counts[step]
      if left < 0 { return (Float(step) + 0.5) / contrastSteps }
    }
    return 0
  }

  /// How much darker than the mean each pixel is.
  private static func deviations(_ image: WorkingImage, from mean: InterpolatedField) -> Plane {
    var mean = mean
    var plane = Plane(width: image.width, height: image.height)
    var samples = plane.samples.mutableSpan
    let levels = image.levels.span
    for y in 0..<image.height {
      mean.move(to: y)
      let (first, origin) = (y * image.width, image.row(y))
      for gap in mean.gaps {
        let start = InterpolatedField.start(of: gap)
        let means = mean.values(in: gap)
        if start >= 0 && start + CellGrid.side <= image.width {
          let values = means - SIMD8<Float>(levels.eightLevels(at: origin + start))
          samples.set(values, at: first + start)
        } else {
          for k in 0..<CellGrid.side where start + k >= 0 && start + k < image.width {
            samples[first + start + k] = means[k] - Float(levels[origin + start + k])
          }
        }
      }
    }
    return plane
  }

  /// Multiplies by the gain and cuts off at ``limit``.
  private static func scale(_ plane: inout Plane, by gain: InterpolatedField) {
    var gain = gain
    let (width, height) = (plane.width, plane.height)
    var samples = plane.samples.mutableSpan
    for y in 0..<height {
      gain.move(to: y)
      for gap in gain.gaps {
        let start = InterpolatedField.start(of: gap)
        let gains = gain.values(in: gap)
        let first = y * width + start
        if start >= 0 && start + CellGrid.side <= width {
          let values = samples.span.eight(at: first)
          samples.set(limited(values * gains), at: first)
        } else {
          for k in 0..<CellGrid.side where start + k >= 0 && start + k < width {
            samples[first + k] = min(max(samples[first + k] * gains[k], -limit), limit)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func limited(_ values: SIMD8<Float>) -> SIMD8<Float> {
    values.replacing(with: limit, where: values .> limit)
      .replacing(with: -limit, where: values .< -limit)
  }
}

/// A field of cells at every pixel: interpolated between the middles of the cells, constant beyond
/// the outermost.
private struct InterpolatedField {
  private let grid: CellGrid
  private let field: [Float]
  /// The field at the middles of the cells, at the height of one row; one cell more at each end.
  private var across: [Float]

  init(_ field: [Float], grid: CellGrid) {
    (self.grid, self.field) = (grid, field)
    across = [Float](repeating: 0, count: grid.columns + 2)
  }

  mutating func move(to y: Int) {
    let place = (Float(y) + 0.5) / Float(CellGrid.side) + 0.5
    let above = min(max(Int(place) - 1, 0), grid.rows - 1) * grid.columns
    let below = min(Int(place), grid.rows - 1) * grid.columns
    let share = place - Float(Int(place))
    for column in 0..<grid.columns {
      let value = field[above + column]
      across[column + 1] = value + share * (field[below + column] - value)
    }
    across[0] = across[1]
    across[grid.columns + 1] = across[grid.columns]
  }

  /// The gaps between the middles of cells, and at both ends of a row; each is eight pixels wide.
  var gaps: Range<Int> { 0..<grid.columns + 1 }

  /// The first pixel of a gap; the first gap starts half a cell before the image.
  static func start(of gap: Int) -> Int { gap * CellGrid.side - CellGrid.side / 2 }

  /// The field at the eight pixels of a gap.
  @inline(__always)
  func values(in gap: Int) -> SIMD8<Float> {
    let shares = SIMD8<Float>(0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375)
    return across[gap] + shares * (across[gap + 1] - across[gap])
  }
}
