import ElanDriver
import SensorKit
import Testing

@Suite("What an Elan reader sends, taken apart")
struct ElanParsingTests {
  @Test(
    "the size is read by variant, and made even where the reader tells the last index",
    arguments: [
      ([64, 0, 144, 0], 0x0C26, 144, 64, 50), ([64, 0, 144, 0], 0x0C03, 64, 144, 50),
      ([95, 0, 95, 0], 0x0903, 96, 96, 50), ([95, 0, 96, 0], 0x0903, 96, 95, 50),
      ([255, 0, 255, 0], 0x0C42, 256, 256, 50), ([40, 0, 48, 0], 0x0907, 48, 40, 40),
    ] as [([UInt8], UInt16, Int, Int, Int)])
  func sizes(answer: [UInt8], product: UInt16, width: Int, sensorHeight: Int, height: Int) throws {
    let geometry = try ElanGeometry(answer: answer, product: product)
    #expect(geometry.width == width && geometry.sensorHeight == sensorHeight)
    #expect(geometry.height == height && geometry.frameLength == width * sensorHeight * 2)
  }

  @Test(
    "a size that no sensor has is refused",
    arguments: [[], [64, 0, 144], [0, 0, 144, 0], [64, 0, 2, 0], [64, 0, 144, 0, 0]] as [[UInt8]])
  func impossibleSizes(answer: [UInt8]) {
    let failure = #expect(throws: SensorFailure.self) {
      try ElanGeometry(answer: answer, product: 0x0C26)
    }
    #expect(failure?.code == .protocolViolation)
  }

  @Test("columns become rows, and the middle rows are kept")
  func transposition() throws {
    let standard = try ElanGeometry(answer: [60, 0, 16, 0], product: 0x0C26)
    let rows = try ElanGeometry(answer: [16, 0, 60, 0], product: 0x0C03)
    #expect(rows.width == 16 && rows.sensorHeight == 60)
    // The value of a pixel is its place: x + 100 y.
    let byColumn = (0..<16).flatMap { x in (0..<60).map { y in x + 100 * y } }
    let byRow = (0..<60).flatMap { y in (0..<16).map { x in x + 100 * y } }
    let expected = (5..<55).flatMap { y in (0..<16).map { x in UInt16(x + 100 * y) } }
    #expect(try standard.pixels(of: bytes(byColumn)) == expected)
    #expect(try rows.pixels(of: bytes(byRow)) == expected)
  }

  @Test("a frame of another length, and a pixel of more than 14 bits, are refused")
  func lies() throws {
    let geometry = try ElanGeometry(answer: [16, 0, 16, 0], product: 0x0C26)
    for count in [0, 511, 513] {
      #expect(throws: SensorFailure.self) {
        try geometry.pixels(of: [UInt8](repeating: 0, count: count))
      }
    }
    var frame = [UInt8](repeating: 0, count: 512)
    frame[301] = 0x3F
    #expect(try geometry.pixels(of: frame).max() == 0x3F00)
    frame[301] = 0x40
    #expect(throws: SensorFailure.self) { try geometry.pixels(of: frame) }
  }

  @Test("gray in three ranges has its corners at 30 % and 65 % of the pixels")
  func threeRanges() {
    let pixels = (0..<100).map { UInt16($0 * 3) }
    let gray = ElanGray.threeRanges.mapped(pixels)
    #expect([0, 29, 30, 64, 65, 99].map { gray[$0] } == [0, 95, 99, 153, 155, 255])
    #expect(gray == gray.sorted())
  }

  @Test("flat frames do not divide by zero")
  func flatFrames() {
    let flat = [UInt16](repeating: 7, count: 20)
    #expect(ElanGray.threeRanges.mapped(flat) == [UInt8](repeating: 255, count: 20))
    #expect(ElanGray.linear.mapped(flat) == [UInt8](repeating: 0, count: 20))
    #expect(ElanGray.linear.mapped([0, 1, 16383]) == [0, 0, 255])
    #expect(ElanGray.threeRanges.mapped([]) == [])
  }

  private func bytes(_ values: [Int]) -> [UInt8] {
    values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
