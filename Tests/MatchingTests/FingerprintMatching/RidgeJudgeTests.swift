import Glibc
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("The judge of ridges")
struct RidgeJudgeTests {
  private static let grid = CellGrid(columns: 11, rows: 11)

  /// What the judge says of parallel ridges. `lag` is how far a cell's
  /// ridges lie beside the finger's, in periods; nil if the finger does not show it.
  private static func evidence(lag: (_ column: Int, _ row: Int) -> Float?) -> Float {
    var (cells, shares) = ([Float](), [Float]())
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let share: Float = lag(column, row) == nil ? 0 : 1
        let phase = 2 * Float.pi * (lag(column, row) ?? 0)
        shares.append(share)
        cells += [0.8, 0.8, 1, 0, 0, 0, share].map { $0 * share }
        cells += [Float](repeating: cosf(phase) * share, count: 16)
        cells += [Float](repeating: sinf(phase) * share, count: 16)
      }
    }
    let net = RidgeNet.learned
    var (seen, combined): ([Float], [Float]) = ([], [])
    net.see(cells, shares, &seen)
    net.combine(seen, shares, grid, &combined)
    return net.evidence(combined, shares, grid, paired: 3)
  }

  @Test("X2: ridges on each other speak for a finger, and those that drift or scatter against it")
  func lag() {
    let same = Self.evidence { _, _ in 0 }
    let drifting = Self.evidence { column, row in Float(column - row) / 20 }
    let scattered = [Float(0.1), 0.4].map { most in
      var numbers = RandomNumbers(seed: 5)
      return Self.evidence { _, _ in Float.random(in: -most...most, using: &numbers) }
    }
    #expect(same > scattered[0] && scattered[0] > scattered[1])
    #expect(same > 0 && scattered[1] < 0 && drifting < 0)
  }

  @Test("X2: ridges that a finger does not show say nothing")
  func unseen() {
    let nothing = Self.evidence { _, _ in nil }
    let little = Self.evidence { column, row in column < 2 && row < 2 ? 0 : nil }
    let all = Self.evidence { _, _ in 0 }
    #expect(nothing < little && little < all)
    #expect(nothing < 0)
  }

  @Test("E5: the judge opens nothing without minutiae, nor if it says no number")
  func bounds() {
    let threshold = PrintMatcher.threshold
    let small = JudgedTouch.small
    #expect(small.score(cells: threshold, evidence: .infinity, paired: 0) < threshold)
    #expect(small.score(cells: threshold, evidence: -.infinity, paired: 9) == threshold - 60 / 2.8)
    for touch in [small, .placed, .large] {
      let score = touch.score(cells: 20, evidence: .nan, paired: 9)
      #expect(!(score >= threshold))
      var lowest = TouchScore.lowest
      let isSurer = lowest.include(TouchScore(sure: score))
      #expect(!isSurer)
    }
  }

  @Test(
    "E5: synthetic strangers whose minutiae pair by chance are told apart by their ridges",
    arguments: [
      (.small, 17.3, 8.8, 11.3, 10.7), (.placed, 18.1, 3.8, 10.3, 9.3),
      (.placed, 16, 7, 12.1, 10.8), (.placed, 15.9, 9.6, 11.4, 12.4),
      (.placed, 13.2, 12.3, 5.5, 13.4),
    ] as [(JudgedTouch, Double, Float, Float, Double)])
  func pairsByChance(
    touch: JudgedTouch, cells: Double, evidence: Float, paired: Float, most: Double
  ) {
    let score = touch.score(cells: cells, evidence: evidence, paired: paired)
    #expect(score <= most)
  }

  @Test(
    "E5: agreement opens no large touch to which the judge objects, or of which it says no number")
  func objection() {
    let least = MatchRate.relaxedSmall.threshold(fingers: 1)
    for (evidence, isSearched) in [
      (-12.8, false), (6.3, true), (-.infinity, false), (.nan, false), (.nan, true),
    ] as [(Float, Bool)] {
      let score = JudgedTouch.heard(19.1, evidence: evidence, isSearched: isSearched)
      #expect(score < least)
    }
    #expect(JudgedTouch.heard(19.1, evidence: -9, isSearched: false) == 19.1)
    #expect(JudgedTouch.heard(19.1, evidence: 11, isSearched: true) == 19.1)
  }
}
