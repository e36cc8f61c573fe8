/// The finger of the models: a picture of ridges; every touch shows another part.
package enum SyntheticRidges {
  private static let width = 256
  private static let height = 640

  /// How strong the ridge is at each place, 0...15; made once, since a swipe shows most places
  /// several times.
  private static let picture: [UInt8] = {
    var picture: [UInt8] = []
    picture.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // Rings by squared distance get narrower outwards, so no two places look alike.
        let (dx, dy) = (x - 70, 2 * y / 3 + 90)
        let phase = (dx * dx + dy * dy + 31 * x) / 14 % 240
        let grain = (x * 7919 + y * 104_729 + x * y) >> 3 & 1
        picture.append(UInt8(min(15, abs(phase - 120) / 8 + grain)))
      }
    }
    return picture
  }()

  /// Pixels of a part of a touch, row by row, 0...15. Beyond its end the finger begins again.
  package static func part(x: Int, y: Int, width: Int, height: Int, touch: Int) -> [UInt8] {
    let left = x + touch % 5 * 13
    var part: [UInt8] = []
    for row in y..<y + height {
      let start = (row + touch % 7 * 9) % Self.height * Self.width + left
      part += picture[start..<start + width]
    }
    return part
  }

  /// Packs a stripe of 16 rows as the chips do: column by column, two pixels a byte, the upper one
  /// in the low nibble.
  static func packed(_ pixels: [UInt8], width: Int) -> [UInt8] {
    var packed: [UInt8] = []
    for column in 0..<width {
      for pair in 0..<8 {
        let upper = 2 * pair * width + column
        packed.append(pixels[upper] | pixels[upper + width] << 4)
      }
    }
    return packed
  }
}
