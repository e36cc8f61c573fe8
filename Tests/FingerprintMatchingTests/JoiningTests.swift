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
      parts.add(view)
    }
    return (parts, views)
  }

  @Test("five touches of a full sensor become one print that shows what each of them shows")
  func full() throws {
    let (parts, views) = try Self.parts(81, touches: 5, conditions: .everyday)
    let mosaic = try #require(parts.mosaics.first)
    #expect(parts.mosaics.count == 1)
    #expect(mosaic.touches == 5)
    let largest = try #require(views.map(\.flow.ridgeCells).max())
    #expect(mosaic.view.flow.ridgeCells >= largest)
    #expect(mosaic.depths.max() == 5)
    #expect(mosaic.depths.count == mosaic.view.flow.grid.count)
  }

  @Test("minutiae that several touches show are there once, and clearer than those of one touch")
  func minutiae() throws {
    let (parts, views) = try Self.parts(82, touches: 4, conditions: .careful)
    let mosaic = try #require(parts.mosaics.first)
    let all = views.reduce(0) { $0 + $1.minutiae.count }
    #expect(mosaic.view.minutiae.count < all * 3 / 4)
    #expect(mosaic.view.minutiae.count >= views[0].minutiae.count / 2)
  }

  @Test("touches of a small sensor become fewer parts than touches, each keeping its ridges")
  func small() throws {
    let small = ImpressionConditions.everyday.window(width: 104, height: 104)
    let (parts, views) = try Self.parts(83, touches: 10, conditions: small)
    #expect(parts.touches == views.count)
    #expect(parts.mosaics.count <= 5)
    let template = try #require(FingerTemplate(joining: parts))
    #expect(template.parts.allSatisfy { $0.sheet != nil })
  }

  @Test("strangers' touches stay parts of their own")
  func strangers() throws {
    var parts = FingerParts()
    for seed in UInt64(84)...87 {
      parts.add(try touch(SyntheticFinger(seed: seed), 1, conditions: .careful).view)
    }
    #expect(parts.mosaics.count == 4)
  }

  @Test("the template of a full sensor keeps no ridges, which only small touches need")
  func withoutRidges() throws {
    let (parts, _) = try Self.parts(88, touches: 2, conditions: .careful)
    let template = try #require(FingerTemplate(joining: parts))
    #expect(template.parts.allSatisfy { $0.sheet == nil })
  }
}
