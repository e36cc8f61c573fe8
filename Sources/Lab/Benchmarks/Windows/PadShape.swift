import GrayImage

/// What a sensor shows of what lies on it: its pad's outline, what surrounds the pad in its
/// pictures, and what is burnt into them. It belongs to the sensor, so that all its pictures share
/// it.
struct PadShape: Sendable {
  /// The gray level around the pad.
  struct Surround: Sendable {
    let level: UInt8
    /// How far single pixels are from it at most.
    let grain: Int
  }

  /// A rectangle that the pad shows at the same place in every picture, by shares of the picture.
  struct Block: Sendable {
    let x, y, width, height: Double
    /// What is left of the light that skin and pad send through it, 0 (black) to 1.
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

  /// Lays the pad's window over a picture.
  ///
  /// - Parameters:
  ///   - picture: What a sensor without borders would see.
  ///   - touch: Which touch it is; the same number gives the same picture.
  /// - Returns: What this sensor shows of it. The extents are the pixels that lie wholly on the
  ///   pad; a block is not left out of them.
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
  /// For each row the columns that show what lies on the pad; nil where nobody could say.
  let extents: [Range<Int>]?
}
