import GrayImage
import Testing

@testable import authcore_bench

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
