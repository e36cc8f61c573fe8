import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Joining touches")
struct JoiningTests {
  private static func parts(
    _ seed: UInt64, touches: Int, conditions: ImpressionConditions
  ) throws -> (parts: FingerParts, views: [PrintView]) {
    let finger = SyntheticFinger(seed: seed)
    var parts = FingerParts()
    var views: [PrintView] = []
    for number in 1...touches {
      let view = try touch(finger, UInt64(number), conditions: conditions).view
      views.append(view)
      _ = parts.add(view)
    }
    return (parts, views)
  }

  @Test("five touches of a full sensor become one print that shows what each of them shows")
  func full() throws {
    let (parts, views) = try Self.parts(81, touches: 5, conditions: .everyday)
    let mosaic = try #require(parts.finger)
    #expect(parts.waiting.isEmpty)
    #expect(mosaic.touches == 5)
    let largest = try #require(views.map(\.flow.ridgeCells).max())
    #expect(mosaic.view.flow.ridgeCells >= largest)
    #expect(mosaic.depths.max() == 5)
    #expect(mosaic.depths.count == mosaic.view.flow.grid.count)
  }

  @Test("minutiae that several touches show are there once, and clearer than those of one touch")
  func minutiae() throws {
    let (parts, views) = try Self.parts(82, touches: 4, conditions: .careful)
    let mosaic = try #require(parts.finger)
    let all = views.reduce(0) { $0 + $1.minutiae.count }
    #expect(mosaic.view.minutiae.count < all * 3 / 4)
    #expect(mosaic.view.minutiae.count >= views[0].minutiae.count / 2)
  }

  @Test("touches of a small sensor become one part that keeps its ridges, and few that wait")
  func small() throws {
    let small = ImpressionConditions.everyday.window(width: 128, height: 128)
    let (parts, views) = try Self.parts(83, touches: 10, conditions: small)
    #expect(parts.touches == views.count)
    let finger = try #require(parts.finger)
    #expect(finger.touches >= 6)
    #expect(parts.waiting.reduce(finger.touches) { $0 + $1.touches } == views.count)
    let template = try #require(FingerTemplate(joining: [finger]))
    #expect(template.parts.allSatisfy { $0.sheet != nil })
  }

  @Test("strangers' touches wait, each by itself, and it is plain that the first one is meant")
  func strangers() throws {
    var parts = FingerParts()
    for seed in UInt64(84)...87 {
      let view = try touch(SyntheticFinger(seed: seed), 1, conditions: .careful).view
      #expect(parts.add(view) == (seed == 84))
    }
    #expect(parts.finger?.touches == 1 && parts.waiting.count == 3)
    #expect(parts.isPlain)
  }

  @Test("however many strangers' touches come, no more than sixteen wait")
  func bounded() throws {
    var parts = FingerParts()
    let small = ImpressionConditions.careful.window(width: 128, height: 128)
    for seed in UInt64(300)...319 {
      _ = parts.add(try touch(SyntheticFinger(seed: seed), 1, conditions: small).view)
    }
    #expect(parts.waiting.count == FingerParts.mostWaiting)
    #expect(parts.touches == 20)
  }

  @Test("a distance of ridges that is not known leaves the known one as it is")
  func unknownPeriods() {
    let grid = CellGrid(columns: 4, rows: 4)
    let flow = OrientationField(
      grid: grid, orientation: [UInt8](repeating: 0, count: grid.count),
      clarity: [UInt8](repeating: 200, count: grid.count))
    func minutiae(period: Float) -> MosaicMinutiae {
      MosaicMinutiae([Minutia(x: 16, y: 16, direction: 1, quality: 1, period: period)])
    }
    for (first, second, joined) in [(0, 9, 9), (9, 0, 9), (8, 10, 9)] as [(Float, Float, Float)] {
      var all = minutiae(period: first)
      all.join(minutiae(period: second), RidgeRegistration(), moved: .zero, grid: grid)
      let weighed = all.weighed(by: [Float](repeating: 2, count: grid.count), on: flow)
      #expect(weighed.map(\.period) == [joined])
    }
  }

  @Test("a template keeps the ridges between minutiae and how far apart they lie")
  func ridgesAreKept() throws {
    let (parts, _) = try Self.parts(88, touches: 2, conditions: .careful)
    let finger = try #require(parts.finger)
    let template = try #require(FingerTemplate(joining: [finger]))
    #expect(template.parts.allSatisfy { $0.sheet != nil })
    let periods = template.parts.flatMap(\.periods)
    #expect(periods.count > 10)
    #expect(periods.allSatisfy { RidgeWave.periods.contains($0) })
  }

  @Test("a finger too large for its ridges to fit is kept by its minutiae alone")
  func tooLarge() throws {
    let grid = CellGrid(columns: CellGrid.mostCells, rows: CellGrid.mostCells)
    let flow = OrientationField(
      grid: grid, orientation: [UInt8](repeating: 9, count: grid.count),
      clarity: [UInt8](repeating: 200, count: grid.count))
    let sheet = PhaseField(
      flow: flow,
      waves: Array(
        repeating: SIMD2(1, 0), count: grid.count * PhaseField.density * PhaseField.density),
      periods: Array(repeating: RidgeWave.usualPeriod, count: grid.count))
    let minutiae = (0..<20).map {
      Minutia(x: Float($0) * 40, y: 500, direction: 0, quality: 1, period: 9)
    }
    let bytes = TemplateCoding.bytes(
      of: [PrintView(minutiae: minutiae, flow: flow, sheet: sheet)])
    #expect(bytes.count <= FingerTemplate.mostBytes)
    let parts = try TemplateCoding.parts(in: bytes)
    #expect(parts.map(\.minutiae.count) == [20])
    #expect(parts.allSatisfy { $0.sheet == nil })
  }
}
