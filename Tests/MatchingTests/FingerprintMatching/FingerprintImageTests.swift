import Testing

@testable import FingerprintMatching

@Suite("Fingerprint images")
struct FingerprintImageTests {
  @Test("an image with an impossible side is refused", arguments: [0, -1, 4097, Int.max])
  func impossibleSide(side: Int) {
    #expect(throws: FingerprintImageError.unsupportedSize(width: side, height: 8)) {
      try FingerprintImage(width: side, height: 8, pixelsPerInch: 500, pixels: [])
    }
    #expect(throws: FingerprintImageError.unsupportedSize(width: 8, height: side)) {
      try FingerprintImage(width: 8, height: side, pixelsPerInch: 500, pixels: [])
    }
  }

  @Test("an absurd resolution is refused", arguments: [0, 99, 2001, Int.min])
  func absurdResolution(pixelsPerInch: Int) {
    #expect(throws: FingerprintImageError.unsupportedResolution(pixelsPerInch: pixelsPerInch)) {
      try FingerprintImage(width: 1, height: 1, pixelsPerInch: pixelsPerInch, pixels: [0])
    }
  }

  @Test("an image whose size lies is refused", arguments: [0, 15, 17])
  func sizeLies(count: Int) {
    #expect(throws: FingerprintImageError.wrongPixelCount(expected: 16, found: count)) {
      try FingerprintImage(
        width: 4, height: 4, pixelsPerInch: 500, pixels: [UInt8](repeating: 0, count: count))
    }
  }

  @Test("extents that do not fit the image are refused")
  func extentsLie() {
    let pixels = [UInt8](repeating: 0, count: 16)
    #expect(throws: FingerprintImageError.wrongExtentCount(expected: 4, found: 3)) {
      try FingerprintImage(
        width: 4, height: 4, pixelsPerInch: 500, pixels: pixels,
        extents: Array(repeating: 0..<4, count: 3))
    }
    for outside in [-1..<2, 2..<5] {
      #expect(throws: FingerprintImageError.extentOutside(row: 2)) {
        try FingerprintImage(
          width: 4, height: 4, pixelsPerInch: 500, pixels: pixels,
          extents: [0..<4, 1..<1, outside, 0..<4])
      }
    }
  }

  @Test("an image is brought to 500 pixels per inch", arguments: [250, 500, 569, 1000])
  func resampling(pixelsPerInch: Int) throws {
    let image = try FingerprintImage(
      width: 100, height: 80, pixelsPerInch: pixelsPerInch,
      pixels: [UInt8](repeating: 90, count: 8000))
    let plane = WorkingImage(image).plane
    #expect(abs(plane.width - 100 * 500 / pixelsPerInch) <= 1)
    #expect(abs(plane.height - 80 * 500 / pixelsPerInch) <= 1)
    #expect(plane.samples.allSatisfy { abs($0 - 90) < 0.01 })
  }
}
