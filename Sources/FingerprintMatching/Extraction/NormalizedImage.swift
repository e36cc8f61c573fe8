internal import Glibc

/// An image with local mean 0 and, where there is contrast, local variance 1; ridges are positive.
///
/// Hong, Wan and Jain, "Fingerprint image enhancement: algorithm and performance evaluation"
/// (1998), section 2.2, with the mean and variance of the neighbourhood in place of the image's.
struct NormalizedImage: Sendable {
  /// Half the side of the neighbourhood, in pixels: two to three ridge periods a side.
  static let reach = 12
  /// Contrast below this share of the image's strong contrast is not raised to 1.
  static let floorShare: Float = 0.2
  /// Grey levels of contrast below which an image is taken to be blank.
  static let blankContrast: Float = 2

  /// The normalised image.
  let plane: Plane
  /// Standard deviation of the grey levels around the middle of each cell.
  let contrast: [Float]
  /// The ninetieth percentile of ``contrast``.
  let strongContrast: Float
  /// Mean grey level around the middle of each cell.
  let brightness: [Float]

  init(_ image: Plane, grid: CellGrid) {
    let mean = Self.boxMean(image, reach: Self.reach)
    var squares = image
    for k in squares.samples.indices {
      let difference = image.samples[k] - mean.samples[k]
      squares.samples[k] = difference * difference
    }
    let variance = Self.boxMean(squares, reach: Self.reach)

    var contrast = [Float](repeating: 0, count: grid.count)
    var brightness = [Float](repeating: 0, count: grid.count)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let x = min(column * CellGrid.side + CellGrid.side / 2, image.width - 1)
        let y = min(row * CellGrid.side + CellGrid.side / 2, image.height - 1)
        contrast[row * grid.columns + column] = max(variance[x, y], 0).squareRoot()
        brightness[row * grid.columns + column] = mean[x, y]
      }
    }
    let strong = contrast.sorted()[contrast.count * 9 / 10]
    let floor = max(Self.floorShare * strong, Self.blankContrast)

    var result = image
    for k in result.samples.indices {
      let deviation = max(variance.samples[k], 0).squareRoot()
      let value = (mean.samples[k] - image.samples[k]) / max(deviation, floor)
      result.samples[k] = min(max(value, -2.5), 2.5)
    }
    plane = result
    self.contrast = contrast
    strongContrast = strong
    self.brightness = brightness
  }

  /// The mean over a square window clipped at the edges, by running sums.
  private static func boxMean(_ plane: Plane, reach: Int) -> Plane {
    var across = plane
    for y in 0..<plane.height {
      var sum: Float = 0
      var count: Float = 0
      for x in 0..<min(reach, plane.width) {
        sum += plane[x, y]
        count += 1
      }
      for x in 0..<plane.width {
        if x + reach < plane.width {
          sum += plane[x + reach, y]
          count += 1
        }
        if x - reach - 1 >= 0 {
          sum -= plane[x - reach - 1, y]
          count -= 1
        }
        across[x, y] = sum / count
      }
    }
    var result = plane
    var sums = [Float](repeating: 0, count: plane.width)
    var count: Float = 0
    for y in 0..<min(reach, plane.height) {
      for x in 0..<plane.width { sums[x] += across[x, y] }
      count += 1
    }
    for y in 0..<plane.height {
      if y + reach < plane.height {
        for x in 0..<plane.width { sums[x] += across[x, y + reach] }
        count += 1
      }
      if y - reach - 1 >= 0 {
        for x in 0..<plane.width { sums[x] -= across[x, y - reach - 1] }
        count -= 1
      }
      for x in 0..<plane.width { result[x, y] = sums[x] / count }
    }
    return result
  }
}
