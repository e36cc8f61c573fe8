import AuthcoreABI
import FrameAssembly
import Testing

@testable import SensorKit

@Suite("assemble/1 from Swift, as a driver has it")
struct FrameAssemblerTests {
  private let picture = RidgePicture(width: 64, height: 120)
  private let assembler: FrameAssembler

  init() {
    let memory = UnsafeMutablePointer<ac_assemble_service_t>.allocate(capacity: 1)
    unsafe memory.initialize(to: AssembleService.table())
    assembler = unsafe FrameAssembler(memory)
  }

  private func swipe(_ heights: ClosedRange<Int>) throws -> AssembledSwipe {
    try assembler.assemble(
      stripes: picture.stripes(width: 64, height: 16, at: (0..<10).map { (0, 6 * $0) }),
      StripeGeometry(width: 64, height: 16, imageWidth: 96, imageHeights: heights))
  }

  @Test("a swipe comes out with its layout and quality")
  func stripes() throws {
    let image = try swipe(0...200)
    #expect([image.width, image.height, image.pixels.count] == [96, 70, 96 * 70])
    #expect(image.layout == [.flippedHorizontally, .flippedVertically])
    #expect(image.quality.verdict == nil && image.quality.pairs == 9)
    #expect(image.quality.overall > 0.97)
    let middle = (0..<70).flatMap { image.pixels[$0 * 96 + 16..<$0 * 96 + 80] }
    #expect(middle == picture.part(x: 0, y: 0, width: 64, height: 70))
  }

  @Test("a verdict is a retry's reason, and an image that is too high a failure")
  func verdicts() throws {
    #expect(try swipe(100...200).quality.verdict == .tooShort)
    let failure = #expect(throws: SensorFailure.self) { try swipe(0...69) }
    #expect(failure?.code == .data)
    #expect(failure?.message.contains("stripes of 64x16 pixels") == true)
  }

  @Test("lines are compared by the driver's own measure")
  func lines() throws {
    let image = try assembler.assemble(
      lines: picture.pixels,
      SensorKit.LineGeometry(
        width: 64, resolution: 8, medianSize: 5, searchRange: 16, imageHeights: 0...500)
    ) { earlier, later in abs(later - earlier - 4) }
    #expect(image.width == 64 && 230...250 ~= image.height)
  }

  @Test("sizes that are not possible are failures")
  func sizes() {
    for (width, height) in [(0, 16), (64, 0), (63, 16), (-1, 1), (.max, .max), (4097, 1)] {
      let failure = #expect(throws: SensorFailure.self) {
        try assembler.assemble(
          stripes: picture.pixels,
          StripeGeometry(width: width, height: height, imageWidth: 96, imageHeights: 0...100))
      }
      #expect(failure?.code == .argument)
    }
    #expect(throws: SensorFailure.self) {
      try assembler.enlarge([1], width: 1, height: 1, factor: .max)
    }
    #expect(throws: SensorFailure.self) {
      try assembler.resize([1], width: 1, height: 1, newWidth: .max, newHeight: .max)
    }
    #expect(throws: SensorFailure.self) {
      try assembler.orient([1], width: -1, height: -1, layout: [])
    }
    #expect(throws: SensorFailure.self) { try assembler.subtract(background: [], from: []) }
    #expect(throws: SensorFailure.self) { try assembler.normalise([]) }
    #expect(throws: SensorFailure.self) { try assembler.variance([]) }
    #expect(throws: SensorFailure.self) { try assembler.meanSquaredDifference([1], []) }
  }

  @Test("pixels are enlarged, resized, turned, cleared of the background, stretched and measured")
  func operations() throws {
    #expect(try assembler.enlarge([100], width: 1, height: 1, factor: 2) == [56, 56, 56, 56])
    #expect(
      try assembler.resize([0, 10, 20, 30], width: 2, height: 2, newWidth: 1, newHeight: 1) == [15])
    #expect(try assembler.orient([1, 2], width: 2, height: 1, layout: .inverted) == [254, 253])
    #expect(try assembler.subtract(background: [300, 6], from: [900, 5]) == [600, 0])
    #expect(try assembler.normalise([600, 0]) == [255, 0])
    #expect(try assembler.variance([0, 255]) == 16_256)
    #expect(try assembler.meanSquaredDifference([1], [4]) == 9)
  }
}
