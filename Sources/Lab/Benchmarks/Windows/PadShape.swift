import GrayImage
import SyntheticPrints

/// The window of a sensor: its pad's outline, what surrounds the pad in its pictures, and what is
/// burnt into them. All its pictures share it.
struct PadShape: Sendable {
  struct Surround: Sendable {
    let level: UInt8
    /// The greatest difference of a pixel from it.
    let grain: Int
  }

  /// A rectangle that the pad shows at the same place in every picture, by shares of the picture.
  struct Block: Sendable {
    let x, y, width, height: Double
    /// The share of light that passes through it, 0 (black) to 1.
    let light: Double
  }

  let name: String
  let outline: PadOutline
  let surround: Surround
  let block: Block?

  init(_ name: String, _ outline: PadOutline, level: UInt8, grain: Int = 0, block: Block? = nil) {
    (self.name, self.outline) = (name, outline)
    surround = Surround(level: level, grain: grain)
    self.block = block
  }

  /// Lays the pad's window over the picture of a sensor without borders. The same touch gives the
  /// same picture.
  ///
  /// The extents are the pixels that lie wholly on the pad; they include a block.
  func laid(over picture: GrayImage, touch: UInt64) -> SensorPicture {
    var numbers = RandomNumbers(seed: touch)
    let rows = outline.rows(width: picture.width, height: picture.height, from: &numbers)
    var pixels = picture.pixels
    if let block { burn(block, into: &pixels, of: picture) }
    var extents: [Range<Int>] = []
    for (y, span) in rows.enumerated() {
      for x in 0..<picture.width {
        let index = y * picture.width + x
        let shown = span.map { min($0.upperBound, Double(x + 1)) - max($0.lowerBound, Double(x)) }
        let share = min(max(shown ?? 0, 0), 1)
        guard share < 1 else { continue }
        let grain =
          surround.grain > 0 ? Int.random(in: -surround.grain...surround.grain, using: &numbers) : 0
        let ground = Double(Int(surround.level) + grain)
        let gray = share * Double(pixels[index]) + (1 - share) * ground
        pixels[index] = UInt8(min(max(gray.rounded(), 0), 255))
      }
      let first = Int((span?.lowerBound ?? 0).rounded(.up))
      let end = Int((span?.upperBound ?? 0).rounded(.down))
      extents.append(first..<max(first, end))
    }
    return SensorPicture(
      image: GrayImage(width: picture.width, height: picture.height, pixels: pixels),
      extents: extents)
  }

  private func burn(_ block: Block, into pixels: inout [UInt8], of picture: GrayImage) {
    let columns = Self.cells(from: block.x, length: block.width, of: picture.width)
    for y in Self.cells(from: block.y, length: block.height, of: picture.height) {
      for x in columns {
        let index = y * picture.width + x
        pixels[index] = UInt8((Double(pixels[index]) * block.light).rounded())
      }
    }
  }

  private static func cells(from start: Double, length: Double, of side: Int) -> Range<Int> {
    let first = Int((start * Double(side)).rounded())
    return first..<min(side, first + Int((length * Double(side)).rounded()))
  }
}

/// A picture as a sensor with borders delivers it.
struct SensorPicture: Sendable {
  let image: GrayImage
  /// For each row the columns that show the pad, or nil if unknown.
  var extents: [Range<Int>]?
}

/// Which part of a picture a sensor's pad fills, row by row.
///
/// Places are shares of the picture's width and height, from its top left corner, so one pad fits
/// pictures of any size.
enum PadOutline: Sendable {
  /// A straight border: inside is where `across * x + down * y <= limit`.
  struct Border: Sendable {
    let across: Double
    let down: Double
    let limit: Double
  }

  /// Inside all borders.
  case straight([Border])
  /// Inside an ellipse about (`x`, `y`).
  case round(x: Double, y: Double, halfWidth: Double, halfHeight: Double)
  /// A strip of a share of the width that wanders sideways by up to `drift` of the width,
  /// differently in each touch, like assembled swipes on a wider picture.
  case wandering(share: Double, drift: Double)

  /// For each row where the pad begins and ends, in pixels; nil if it is not there.
  func rows(
    width: Int, height: Int, from numbers: inout some RandomNumberGenerator
  ) -> [ClosedRange<Double>?] {
    let whole = Double(width)
    switch self {
    case .straight(let borders):
      return (0..<height).map { row in
        let y = (Double(row) + 0.5) / Double(height)
        return Self.span(of: borders, y: y).map { $0.lowerBound * whole...$0.upperBound * whole }
      }
    case .round(let x, let y, let halfWidth, let halfHeight):
      return (0..<height).map { row in
        let away = ((Double(row) + 0.5) / Double(height) - y) / halfHeight
        guard abs(away) < 1 else { return nil }
        let half = halfWidth * (1 - away * away).squareRoot()
        return max(0, x - half) * whole...min(1, x + half) * whole
      }
    case .wandering(let share, let drift):
      return Self.wander(
        height: height, free: whole * (1 - share), reach: whole * drift, from: &numbers
      ).map { Double($0)...Double($0) + (whole * share).rounded() }
    }
  }

  private static func span(of borders: [Border], y: Double) -> ClosedRange<Double>? {
    var (left, right) = (0.0, 1.0)
    for border in borders {
      let rest = border.limit - border.down * y
      if border.across > 0 {
        right = min(right, rest / border.across)
      } else if border.across < 0 {
        left = max(left, rest / border.across)
      } else if rest < 0 {
        return nil
      }
    }
    return left < right ? left...right : nil
  }

  /// Stripes of a few rows, each a pixel or two beside the one before.
  private static func wander(
    height: Int, free: Double, reach: Double, from numbers: inout some RandomNumberGenerator
  ) -> [Int] {
    let middle = free / 2
    var (left, way) = (middle, 0.0)
    var lefts: [Int] = []
    while lefts.count < height {
      way = 0.7 * way + Double.random(in: -1...1, using: &numbers)
      left = min(max(left + way, max(0, middle - reach)), min(free, middle + reach))
      let rows = Int.random(in: 5...11, using: &numbers)
      lefts += [Int](repeating: Int(left.rounded()), count: min(rows, height - lefts.count))
    }
    return lefts
  }
}
