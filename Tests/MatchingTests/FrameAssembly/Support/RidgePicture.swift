/// A picture of curved ridges whose every part looks different from every other, to cut swipes
/// from.
struct RidgePicture {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    var state: UInt32 = 1
    pixels = (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      // Rings around a point outside of the picture; a triangle wave across them.
      let (dx, dy) = (x + 60, y + 150)
      let phase = (dx * dx + dy * dy + 40 * x) / 24 % 200
      state = state &* 1_664_525 &+ 1_013_904_223
      let grain = Int(state >> 24) % 24
      return UInt8(min(255, abs(phase - 100) * 2 + 16 + grain))
    }
  }

  /// The stripes a sensor of this size sees, whose upper left corner is at each of these places in
  /// turn.
  func stripes(width: Int, height: Int, at places: [(x: Int, y: Int)]) -> [UInt8] {
    places.flatMap { place in
      (0..<height).flatMap { row -> ArraySlice<UInt8> in
        let start = (place.y + row) * self.width + place.x
        return pixels[start..<start + width]
      }
    }
  }

  /// A part of the picture.
  func part(x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    stripes(width: width, height: height, at: [(x, y)])
  }
}
