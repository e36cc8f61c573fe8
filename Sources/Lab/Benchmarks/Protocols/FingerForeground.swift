import GrayImage

/// Where in an image the finger is: where gray levels vary, without small parts.
///
/// The steps and figures are those of the patch protocol (docs/accuracy.md, "Small sensors").
struct FingerForeground {
  /// Side of the window in which gray levels are compared, in pixels.
  static let window = 17
  /// Least standard deviation of gray levels in the window.
  static let leastDeviation = 8.0
  /// The same as a share of the image's 95th percentile.
  static let leastShare = 0.35
  /// Side of the square by which the mask is closed and opened, in pixels.
  static let cleaning = 17

  let width: Int
  let height: Int
  let mask: [Bool]

  /// The mean of the pixels that show the finger, or nil if none does.
  var middle: SIMD2<Double>? {
    var (sum, count) = (SIMD2(0, 0), 0)
    for index in mask.indices where mask[index] {
      sum &+= SIMD2(index % width, index / width)
      count += 1
    }
    return count > 0 ? SIMD2(Double(sum.x), Double(sum.y)) / Double(count) : nil
  }

  init(of image: GrayImage) {
    width = image.width
    height = image.height
    let deviations = Self.deviations(of: image)
    let limit = max(Self.leastDeviation, Self.leastShare * Self.percentile95(of: deviations))
    var mask = Mask(width: width, height: height, isSet: deviations.map { $0 >= limit })
    mask = mask.dilated(by: Self.cleaning).eroded(by: Self.cleaning)
    mask = mask.eroded(by: Self.cleaning).dilated(by: Self.cleaning)
    self.mask = mask.largestPart.isSet
  }

  private static func deviations(of image: GrayImage) -> [Double] {
    let levels = image.pixels.map(Int.init)
    let sums = SummedArea(width: image.width, height: image.height, values: levels)
    let squares = SummedArea(
      width: image.width, height: image.height, values: levels.map { $0 * $0 })
    return levels.indices.map { index in
      let (x, y) = (index % image.width, index / image.width)
      let (sum, count) = sums.sum(around: x, y, side: window)
      // In whole numbers, so that the mask is the same everywhere.
      let spread = squares.sum(around: x, y, side: window).sum * count - sum * sum
      return (Double(spread) / Double(count * count)).squareRoot()
    }
  }

  /// With straight lines between the values.
  private static func percentile95(of values: [Double]) -> Double {
    let sorted = values.sorted()
    let place = 0.95 * Double(sorted.count - 1)
    let index = Int(place)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (place - Double(index)) * (sorted[next] - sorted[index])
  }
}

/// A picture of pixels that are set or not.
struct Mask: Equatable {
  let width: Int
  let height: Int
  let isSet: [Bool]

  private var sums: SummedArea {
    SummedArea(width: width, height: height, values: isSet.map { $0 ? 1 : 0 })
  }

  private func mapped(_ value: (_ x: Int, _ y: Int) -> Bool) -> Mask {
    Mask(
      width: width, height: height,
      isSet: isSet.indices.map { value($0 % width, $0 / width) })
  }

  /// Set where any pixel of the square around it is.
  func dilated(by side: Int) -> Mask {
    let sums = sums
    return mapped { sums.sum(around: $0, $1, side: side).sum > 0 }
  }

  /// Set where all pixels of the square around it, as far as it lies in the picture, are.
  func eroded(by side: Int) -> Mask {
    let sums = sums
    return mapped { x, y in
      let (sum, count) = sums.sum(around: x, y, side: side)
      return sum == count
    }
  }

  /// The largest part connected by sides of pixels; the first in row order of equal ones.
  var largestPart: Mask {
    var part = [Int](repeating: 0, count: isSet.count)
    var (parts, largest, size) = (0, 0, 0)
    for start in isSet.indices where isSet[start] && part[start] == 0 {
      parts += 1
      part[start] = parts
      var (open, count) = ([start], 0)
      func visit(_ next: Int, if isInside: Bool) {
        guard isInside, isSet[next], part[next] == 0 else { return }
        part[next] = parts
        open.append(next)
      }
      while let pixel = open.popLast() {
        count += 1
        let x = pixel % width
        visit(pixel - 1, if: x > 0)
        visit(pixel + 1, if: x + 1 < width)
        visit(pixel - width, if: pixel >= width)
        visit(pixel + width, if: pixel + width < isSet.count)
      }
      if count > size { (largest, size) = (parts, count) }
    }
    return Mask(width: width, height: height, isSet: part.map { $0 > 0 && $0 == largest })
  }
}

/// Sums of whole numbers over any rectangle of a picture, each in constant time (Crow, "Summed-area
/// tables for texture mapping", 1984).
struct SummedArea {
  let width: Int
  let height: Int
  private let table: [Int]

  init(width: Int, height: Int, values: [Int]) {
    var table = [Int](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = 0
      for x in 0..<width {
        row += values[y * width + x]
        table[(y + 1) * (width + 1) + x + 1] = table[y * (width + 1) + x + 1] + row
      }
    }
    (self.width, self.height, self.table) = (width, height, table)
  }

  func sum(columns: Range<Int>, rows: Range<Int>) -> Int {
    let (top, bottom) = (rows.lowerBound * (width + 1), rows.upperBound * (width + 1))
    return table[bottom + columns.upperBound] - table[bottom + columns.lowerBound]
      - table[top + columns.upperBound] + table[top + columns.lowerBound]
  }

  /// The sum over the square of an odd side around a pixel, as far as it lies in the picture, and
  /// the number of its pixels.
  func sum(around x: Int, _ y: Int, side: Int) -> (sum: Int, count: Int) {
    let columns = max(x - side / 2, 0)..<min(x + side / 2 + 1, width)
    let rows = max(y - side / 2, 0)..<min(y + side / 2 + 1, height)
    return (sum(columns: columns, rows: rows), columns.count * rows.count)
  }
}
