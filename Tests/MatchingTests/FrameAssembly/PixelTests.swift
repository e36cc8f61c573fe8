import FrameAssembly
import Testing

@Suite("Operations on pixels")
struct PixelTests {
  @Test("twice as large, the weights are one and three quarters, and the border fades to black")
  func twice() throws {
    let result = try Enlarging.image([100, 200, 40, 80], width: 2, height: 2, factor: 2)
    func weighed(_ corner: Int, _ side: Int, _ other: Int, _ far: Int) -> UInt8 {
      UInt8((corner * 9 + side * 3 + other * 3 + far) / 16)
    }
    #expect(
      result == [
        weighed(100, 0, 0, 0), weighed(100, 200, 0, 0), weighed(200, 100, 0, 0),
        weighed(200, 0, 0, 0),
        weighed(100, 40, 0, 0), weighed(100, 200, 40, 80), weighed(200, 100, 80, 40),
        weighed(200, 80, 0, 0),
        weighed(40, 100, 0, 0), weighed(40, 80, 100, 200), weighed(80, 40, 200, 100),
        weighed(80, 200, 0, 0),
        weighed(40, 0, 0, 0), weighed(40, 80, 0, 0), weighed(80, 40, 0, 0), weighed(80, 0, 0, 0),
      ])
  }

  @Test("enlarged once, a picture stays as it is; three times, each third pixel does")
  func otherFactors() throws {
    let picture = RidgePicture(width: 30, height: 20)
    #expect(
      try Enlarging.image(picture.pixels, width: 30, height: 20, factor: 1) == picture.pixels)
    let larger = try Enlarging.image(picture.pixels, width: 30, height: 20, factor: 3)
    #expect(larger.count == 90 * 60)
    for y in 0..<20 {
      for x in 0..<30 {
        // 21845 of 65536 is a little less than a third, so the weights are a little off.
        let middle: Int = (3 * y + 1) * 90 + 3 * x + 1
        let (found, expected) = (Int(larger[middle]), Int(picture.pixels[y * 30 + x]))
        #expect(abs(found - expected) <= 8)
      }
    }
  }

  @Test("a box is the mean of what falls onto it")
  func boxes() throws {
    let picture: [UInt8] = [0, 10, 20, 30, 40, 50]
    #expect(
      try BoxResizing.image(picture, width: 6, height: 1, newWidth: 3, newHeight: 1)
        == [5, 25, 45])
    #expect(
      try BoxResizing.image(picture, width: 3, height: 2, newWidth: 1, newHeight: 1) == [25])
    #expect(
      try BoxResizing.image(picture, width: 6, height: 1, newWidth: 6, newHeight: 2)
        == picture + picture)
    #expect(
      try BoxResizing.image([0, 100], width: 2, height: 1, newWidth: 4, newHeight: 1)
        == [0, 0, 100, 100])
  }

  @Test("gray is stretched from end to end, and flat gray is black")
  func stretch() {
    #expect(GrayStretch.image([1000, 1500, 2000, 1999]) == [0, 127, 255, 254])
    #expect(GrayStretch.image([0, 65_535, 32_768]) == [0, 255, 127])
    #expect(GrayStretch.image([9, 9]) == [0, 0])
    #expect(GrayStretch.image([]) == [])
  }

  @Test("a background brighter than the picture leaves nothing")
  func background() throws {
    #expect(try BackgroundSubtraction.image([5, 9, 7], without: [9, 5, 7]) == [0, 4, 0])
    #expect(throws: AssemblyError.pixelCount(expected: 2, found: 1)) {
      try BackgroundSubtraction.image([1, 2], without: [1])
    }
  }

  @Test("variance and squared difference are rounded down")
  func measures() throws {
    #expect(PixelMeasures.variance([1, 2, 4]) == 1)
    #expect(PixelMeasures.variance([0, 255]) == 16_256)
    #expect(PixelMeasures.variance([]) == 0)
    #expect(try PixelMeasures.meanSquaredDifference([1, 2], [4, 4]) == 6)
    #expect(throws: AssemblyError.self) { try PixelMeasures.meanSquaredDifference([1], []) }
  }

  @Test("flips and inversion are what they say")
  func orientation() throws {
    let picture: [UInt8] = [1, 2, 3, 4, 5, 6]
    #expect(
      try FrameLayout.flippedHorizontally.applied(to: picture, width: 3) == [3, 2, 1, 6, 5, 4])
    #expect(try FrameLayout.flippedVertically.applied(to: picture, width: 3) == [4, 5, 6, 1, 2, 3])
    #expect(
      try FrameLayout([.inverted, .flippedHorizontally]).applied(to: picture, width: 2)
        == [253, 254, 251, 252, 249, 250])
    #expect(throws: AssemblyError.self) {
      try FrameLayout.inverted.applied(to: picture, width: 4)
    }
  }
}

/// A picture of curved ridges, different everywhere, to cut swipes from.
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

  /// The stripes of a sensor of this size whose upper left corner is at each of these places in
  /// turn.
  func stripes(width: Int, height: Int, at places: [(x: Int, y: Int)]) -> [UInt8] {
    places.flatMap { place in
      (0..<height).flatMap { row -> ArraySlice<UInt8> in
        let start = (place.y + row) * self.width + place.x
        return pixels[start..<start + width]
      }
    }
  }

  func part(x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    stripes(width: width, height: height, at: [(x, y)])
  }
}
