import GrayImage
import Testing

@testable import authcore_bench

/// A striped disc and a striped corner on even ground.
private func stripedPrint() -> GrayImage {
  let (width, height) = (96, 80)
  let pixels = (0..<width * height).map { index -> UInt8 in
    let (x, y) = (index % width, index / width)
    let isDisc = (x - 40) * (x - 40) + (y - 38) * (y - 38) < 30 * 30
    guard isDisc || (x >= 84 && y >= 68) else { return 200 }
    return (x + y) / 3 % 2 == 0 ? 40 : 220
  }
  return GrayImage(width: width, height: height, pixels: pixels)
}

/// The numbers are those of the protocol's own program (`patches.py`) on the same picture.
@Suite("Patches of a small sensor")
struct PatchCutterTests {
  @Test("the foreground is the largest part where gray levels vary")
  func foreground() {
    let foreground = FingerForeground(of: stripedPrint())
    #expect(foreground.mask.count { $0 } == 4940)
    #expect(foreground.mask.firstIndex(of: true) == 18)
    #expect(foreground.mask.lastIndex(of: true) == 79 * 96 + 56)
  }

  @Test("of two parts that touch at corners only, the larger is kept")
  func parts() {
    let mask = Mask(
      width: 4, height: 3,
      isSet: [true, true, false, false, false, false, true, true, false, false, false, true])
    let largest = mask.largestPart.isSet
    #expect(
      largest == [Bool](repeating: false, count: 6) + [true, true, false, false, false, true])
  }

  @Test(
    "a patch may lie where nine tenths of it are finger, or less where there is no such place",
    arguments: [(24, 2600, [13, 0, 38, 56]), (60, 391, [0, 0, 17, 20]), (72, 60, [0, 0, 5, 8])])
  func places(size: Int, count: Int, ends: [Int]) throws {
    let places = PatchCutter(stripedPrint(), size: size).places
    #expect(places.count == count)
    let (first, last) = (try #require(places.first), try #require(places.last))
    #expect([first.x, first.y, last.x, last.y] == ends)
  }

  @Test("an image smaller than the patch is continued by its border")
  func small() throws {
    let patches = PatchCutter(stripedPrint(), size: 100).patches(2, of: "set/1_1")
    #expect(patches.map(\.foreground) == [5680, 5680])
    let patch = try #require(patches.first).image
    #expect(patch.width == 100 && patch.height == 100)
    #expect(patch[x: 99, y: 10] == stripedPrint()[x: 95, y: 10])
    #expect(patch[x: 90, y: 99] == stripedPrint()[x: 90, y: 79])
  }

  @Test("a name always gives the same patches, another name others, all of them mostly finger")
  func repeatable() {
    let cutter = PatchCutter(stripedPrint(), size: 24)
    let patches = cutter.patches(3, of: "set/1_1")
    #expect(patches.map(\.image) == cutter.patches(3, of: "set/1_1").map(\.image))
    #expect(patches.map(\.image) != cutter.patches(3, of: "set/1_2").map(\.image))
    #expect(patches[0].image != patches[1].image)
    for patch in patches {
      #expect(patch.foreground >= 519)
      #expect(
        patch.image == stripedPrint().cropped(x: patch.x, y: patch.y, width: 24, height: 24))
    }
  }
}

@Suite("Resampling to another resolution")
struct BicubicResamplingTests {
  @Test("sides are rounded to whole pixels and even gray stays even", arguments: [250, 569, 1000])
  func even(ppi: Int) {
    let gray = GrayImage(width: 40, height: 31, pixels: Array(repeating: 90, count: 40 * 31))
    let result = BicubicResampling.image(gray, from: ppi, to: 500)
    #expect(result.width == Int((40 * 500 / Double(ppi)).rounded()))
    #expect(result.height == Int((31 * 500 / Double(ppi)).rounded()))
    #expect(Set(result.pixels) == [90])
  }

  @Test("a slope keeps its levels in the middle, whether enlarged or reduced")
  func slope() {
    let slope = GrayImage(
      width: 64, height: 1, pixels: (0..<64).map { UInt8(3 * $0) })
    let larger = BicubicResampling.image(slope, from: 500, to: 1000)
    let smaller = BicubicResampling.image(slope, from: 1000, to: 500)
    // The middle of pixel x of the result lies at (x + 0.5) / scale of the source.
    for x in 40..<88 {
      #expect(abs(Double(larger.pixels[x]) - 3 * ((Double(x) + 0.5) / 2 - 0.5)) <= 0.5)
    }
    for x in 8..<24 { #expect(abs(Double(smaller.pixels[x]) - 3 * (2 * Double(x) + 0.5)) <= 0.5) }
  }
}
