import FrameAssembly
import Testing

@Suite("Whatever the sizes, there is an image or an error in bounded time")
struct HostileInputTests {
  private static let sides = [0, 1, 2, 3, 7, 8, 9, 4096, 4097, -1, .max]

  @Test("stripes of every size", arguments: sides, sides)
  func stripeSizes(width: Int, height: Int) {
    for count in [0, 1, 2, 3, 5000, .max] {
      let (area, isTooWide) = width.multipliedReportingOverflow(by: height)
      let (total, isTooLong) = area.multipliedReportingOverflow(by: count)
      let pixels = isTooWide || isTooLong || !(0..<1 << 19 ~= total) ? 0 : total
      let bytes = (0..<pixels).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      guard
        let series = try? StripeSeries(
          width: width, height: height, count: count, pixels: bytes)
      else { continue }
      for placement in [StripePlacement.exact, .robust] {
        let image = try? series.assembled(
          imageWidth: min(4096, width + width / 2), heights: 0...4096, placement: placement)
        guard let image else { continue }
        #expect(image.pixels.count == image.width * image.height)
        #expect(image.extents.count == image.height)
        #expect(image.extents.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= image.width })
        #expect(0...1 ~= image.report.quality)
      }
    }
  }

  @Test("what would take minutes is refused at once")
  func work() throws {
    let series = try StripeSeries(
      width: 512, height: 512, count: 64, pixels: Array(repeating: 1, count: 1 << 24))
    #expect(throws: AssemblyError.self) { try series.assembled(imageWidth: 512, heights: 0...4096) }
  }

  @Test("thousands of stripes end in an error about the height, not in memory")
  func thousands() throws {
    let pixels = (0..<4000 * 64 * 16).map { UInt8(truncatingIfNeeded: ($0 / 64) &* 37) }
    let series = try StripeSeries(width: 64, height: 16, count: 4000, pixels: pixels)
    let error = #expect(throws: AssemblyError.self) {
      try series.assembled(imageWidth: 96, heights: 0...4096)
    }
    guard case .tooHigh(_, limit: 4096) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("flat, black and white stripes are worth nothing", arguments: [0, 128, 255] as [UInt8])
  func flat(gray: UInt8) throws {
    let series = try StripeSeries(
      width: 32, height: 8, count: 9, pixels: Array(repeating: gray, count: 32 * 8 * 9))
    let image = try series.assembled(imageWidth: 48, heights: 0...4096)
    #expect(image.report.quality == 0)
    _ = try series.assembled(imageWidth: 48, heights: 0...4096, placement: .robust)
  }

  @Test("lines of every size and deviation", arguments: [0, 1, 2, 3, 5, 400, 32_768, 32_769, -1])
  func lines(count: Int) throws {
    for (resolution, median, range) in [(1, 1, 1), (256, 255, 512), (10, 2, 30)] {
      if count == 32_768 && range > 1 { continue }
      for width in [0, 1, 3, 4096] {
        let total = width * max(0, count)
        let pixels = [UInt8](repeating: 9, count: total <= 1 << 22 ? total : 0)
        guard let series = try? LineSeries(width: width, count: count, pixels: pixels) else {
          continue
        }
        let geometry = try LineGeometry(
          resolution: resolution, medianSize: median, searchRange: range, heights: 0...4096)
        for deviation in [0, .max, -1] {
          let image = series.assembled(geometry) { _, _ in deviation }
          #expect(image.pixels.count == image.width * image.height)
          #expect(image.height <= 4096 && 0...1 ~= image.report.quality)
        }
      }
    }
    #expect(throws: AssemblyError.self) {
      try LineGeometry(resolution: 0, medianSize: 1, searchRange: 1, heights: 0...1)
    }
    #expect(throws: AssemblyError.self) {
      try LineGeometry(resolution: 1, medianSize: 1, searchRange: 1, heights: 0...4097)
    }
  }

  @Test("pictures of every size", arguments: sides, sides)
  func pictures(width: Int, height: Int) {
    let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
    let pixels = [UInt8](repeating: 9, count: isTooLarge || !(0..<1 << 20 ~= area) ? 0 : area)
    for factor in [-1, 0, 1, 3, 8, 9, .max] {
      _ = try? Enlarging.image(pixels, width: width, height: height, factor: factor)
    }
    for side in [0, 1, 64, 4097] {
      let result = try? BoxResizing.image(
        pixels, width: width, height: height, newWidth: side, newHeight: 1)
      if let result { #expect(result == Array(repeating: 9, count: side)) }
    }
    _ = try? FrameLayout(rawValue: .max).applied(to: pixels, width: width)
  }
}
