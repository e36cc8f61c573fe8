import FrameAssembly
import Testing

@Suite("Lines of a swipe")
struct LineAssemblyTests {
  private let picture = RidgePicture(width: 64, height: 400)

  /// Lines of the first row at these places of the picture; the second row sees what lies 10 rows
  /// ahead.
  private func assembled(
    at places: [Int], least: Int = 0, most: Int = 1000, searchRange: Int = 30
  ) throws -> SwipeImage {
    let lines = places.flatMap { picture.part(x: 0, y: $0, width: 64, height: 1) }
    let ahead = places.map { picture.part(x: 0, y: $0 + 10, width: 64, height: 1) }
    let later = places.map { picture.part(x: 0, y: $0, width: 64, height: 1) }
    let series = try LineSeries(width: 64, count: places.count, pixels: lines)
    let geometry = try LineGeometry(
      resolution: 10, medianSize: 5, searchRange: searchRange, heights: least...most)
    return series.assembled(geometry) { first, second in
      zip(ahead[first], later[second]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
  }

  @Test("a steady swipe of one row per line comes out as it is")
  func steady() throws {
    let image = try assembled(at: Array(20..<220))
    #expect(image.layout == .flippedVertically)
    #expect(image.height >= 180)
    // Until the second row runs out of lines to compare with.
    #expect(image.pixels.prefix(64 * 180) == picture.part(x: 0, y: 20, width: 64, height: 180)[...])
    #expect(image.report.verdict == .good)
    #expect(image.report.agreement > 0.9)
  }

  @Test("a swipe at half the speed is shrunk to the same image")
  func slower() throws {
    // Every row is seen twice: 20 lines lie between the two rows of the sensor.
    let image = try assembled(at: (40..<440).map { $0 / 2 })
    #expect(image.pixels.prefix(64 * 170) == picture.part(x: 0, y: 20, width: 64, height: 170)[...])
  }

  @Test("the verdict says what was wrong with a swipe")
  func verdicts() throws {
    #expect(try assembled(at: Array(20..<60), least: 300).report.verdict == .tooShort)
    let fast = try assembled(at: (0..<30).map { 20 + 10 * $0 })
    #expect(fast.report.verdict == .tooFast)
    let slow = try assembled(at: (160..<760).map { $0 / 8 }, searchRange: 30)
    #expect(slow.report.quality < (try assembled(at: Array(20..<220))).report.quality)
  }

  @Test("no more lines come out than the image may have")
  func cut() throws {
    #expect(try assembled(at: Array(20..<220), most: 50).height == 50)
  }
}
