import GrayImage
import SyntheticPrints
import Testing

@Suite("What is done to the skin")
struct SkinTreatmentTests {
  private static let fingers = (1...3).map { SyntheticFinger(seed: UInt64($0), pattern: .arch) }
  private static let plain = ImpressionConditions.careful

  private static func treated(
    _ treat: (inout SkinTreatment) -> Void
  ) -> ImpressionConditions {
    var conditions = plain
    treat(&conditions.treatment)
    return conditions
  }

  /// The mean of a measure over impressions of several fingers.
  private func mean(
    _ conditions: ImpressionConditions, _ measure: (GrayImage) -> Double
  ) -> Double {
    let values = Self.fingers.flatMap { finger in
      (1...3).map { measure(finger.impression(seed: $0, conditions: conditions)) }
    }
    return values.reduce(0, +) / Double(values.count)
  }

  private func ink(_ print: GrayImage) -> Double {
    Double(print.pixels.count { $0 < 128 }) / Double(print.pixels.count)
  }

  /// How often ridge and valley change down the middle columns, between two rows.
  private func edges(_ print: GrayImage, rows: Range<Int>) -> Double {
    var edges = 0
    for x in 110..<190 {
      for y in rows where (print[x: x, y: y] < 128) != (print[x: x, y: y + 1] < 128) { edges += 1 }
    }
    return Double(edges)
  }

  /// The share of rows and columns between the first and the last ink.
  private func outline(_ print: GrayImage) -> Double {
    let dark = print.pixels.indices.filter { print.pixels[$0] < 128 }
    let columns = Set(dark.map { $0 % print.width })
    let rows = Set(dark.map { $0 / print.width })
    return Double(columns.count * rows.count)
  }

  @Test("skin that is left alone is as if nothing could be done to it")
  func untouched() {
    var conditions = ImpressionConditions.everyday
    conditions.treatment.stretch = 1...1
    #expect(conditions == .everyday)
    #expect(ImpressionConditions.everyday.treatment == .none)
  }

  @Test("pressed fingers leave more ink and touch with more skin")
  func pressing() {
    let pressed = Self.treated { $0.pressing = 1...1 }
    #expect(mean(pressed, ink) > 1.2 * mean(Self.plain, ink))
    #expect(mean(pressed, outline) > 1.05 * mean(Self.plain, outline))
  }

  @Test("ridges of a finger pressed flat lie a little farther apart")
  func flattening() {
    var pressed = Self.treated { $0.pressing = 1...1 }
    var plain = Self.plain
    // So dry that it undoes what pressing adds to the ridges' breadth.
    plain.moisture = 0...0
    pressed.moisture = -0.8 ... -0.8
    let ratio =
      mean(pressed) { edges($0, rows: 120..<260) } / mean(plain) { edges($0, rows: 120..<260) }
    #expect((0.86...0.97).contains(ratio), "\(ratio)")
  }

  @Test(
    "dragging stretches one end of the contact by up to 1.6 times and presses the other together")
  func dragging() {
    let dragged = Self.treated { $0.stretch = 1.6...1.6 }
    var (loosest, tightest) = (1.0, 1.0)
    for finger in Self.fingers {
      for seed in UInt64(1)...6 {
        let plain = finger.impression(seed: seed, conditions: Self.plain)
        let print = finger.impression(seed: seed, conditions: dragged)
        for rows in [50..<130, 260..<340] {
          let ratio = edges(print, rows: rows) / edges(plain, rows: rows)
          loosest = min(loosest, ratio)
          tightest = max(tightest, ratio)
        }
      }
    }
    #expect((0.55...0.75).contains(loosest), "\(loosest)")
    #expect((1.05...1.4).contains(tightest), "\(tightest)")
  }

  @Test("a twist turns the middle of the contact and leaves its edge")
  func twisting() {
    let twisted = Self.treated { $0.twist = 30...30 }
    func alike(_ first: GrayImage, _ second: GrayImage, x: Int, y: Int) -> Double {
      let parts = [first, second].map { $0.cropped(x: x, y: y, width: 60, height: 40) }
      let same = zip(parts[0].pixels, parts[1].pixels).count { abs(Int($0) - Int($1)) < 64 }
      return Double(same) / (60 * 40)
    }
    let finger = Self.fingers[0]
    let plain = finger.impression(seed: 2, conditions: Self.plain)
    let print = finger.impression(seed: 2, conditions: twisted)
    #expect(alike(plain, print, x: 120, y: 345) > 0.9)
    #expect(alike(plain, print, x: 120, y: 180) < 0.8)
  }

  @Test("water closes valleys: more ink, and fewer edges")
  func wetness() {
    let wet = Self.treated { $0.wetness = 1...1 }
    #expect(mean(wet, ink) > 1.25 * mean(Self.plain, ink))
    #expect(
      mean(wet) { edges($0, rows: 120..<260) } < 0.9
        * mean(Self.plain) {
          edges($0, rows: 120..<260)
        })
  }

  @Test("dry ridges break: less ink, in more pieces")
  func dryness() {
    let dry = Self.treated { $0.dryness = 1...1 }
    #expect(mean(dry, ink) < 0.75 * mean(Self.plain, ink))
    /// Edges along the ridges, which run from side to side here.
    func breaks(_ print: GrayImage) -> Double {
      var breaks = 0
      for y in 120..<260 {
        for x in 110..<190 where (print[x: x, y: y] < 128) != (print[x: x + 1, y: y] < 128) {
          breaks += 1
        }
      }
      return Double(breaks) / ink(print)
    }
    #expect(mean(dry, breaks) > 1.5 * mean(Self.plain, breaks))
  }

  @Test("a treated touch is the same picture on every machine")
  func sameEverywhere() {
    let finger = SyntheticFinger(seed: 1, pattern: .rightLoop)
    let treatments: [(String, ImpressionConditions, UInt64)] = [
      ("pressed", .pressed, 1_086_536_911_366_953_672),
      ("dragged", .dragged, 5_953_588_759_261_507_604),
      ("twisted", .twisted, 15_182_079_291_110_449_537),
      ("wet", .wet, 16_076_428_830_071_511_769), ("dry", .dry, 8_658_209_365_284_600_685),
    ]
    for (name, conditions, expected) in treatments {
      #expect(finger.impression(seed: 1, conditions: conditions).digest == expected, "\(name)")
    }
  }
}
