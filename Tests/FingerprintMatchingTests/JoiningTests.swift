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

  @Test("the template of a full sensor keeps no ridges, which only small touches need")
  func withoutRidges() throws {
    let (parts, _) = try Self.parts(88, touches: 2, conditions: .careful)
    let finger = try #require(parts.finger)
    let template = try #require(FingerTemplate(joining: [finger]))
    #expect(template.parts.allSatisfy { $0.sheet == nil })
  }
}
