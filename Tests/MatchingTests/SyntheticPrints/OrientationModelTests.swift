import Testing

@testable import SyntheticPrints

@Suite("The flow of ridges")
struct RidgeFlowTests {
  /// Counts the places around which directions turn by half a turn, to either side, on a grid fine
  /// enough to tell neighboring ones apart.
  private func singularPoints(of flow: OrientationModel) -> (loops: Int, deltas: Int) {
    var loops = 0
    var deltas = 0
    let step = 4.0
    for row in -36...36 {
      for column in -36...36 {
        let x = Double(column) * step + 0.5
        let y = Double(row) * step + 0.5
        let corners = [(x, y), (x + step, y), (x + step, y + step), (x, y + step), (x, y)]
        let angles = corners.map { flow.angle(x: $0.0, y: $0.1) }
        let turn = zip(angles, angles.dropFirst()).reduce(0.0) { sum, pair in
          let change = pair.1 - pair.0
          return sum + change - (change / .pi).rounded() * .pi
        }
        if turn > 1 { loops += 1 } else if turn < -1 { deltas += 1 }
      }
    }
    return (loops, deltas)
  }

  @Test(
    "each pattern has the loops and deltas that define it",
    arguments: [
      (RidgePattern.arch, 0), (.tentedArch, 1), (.leftLoop, 1), (.rightLoop, 1), (.whorl, 2),
      (.doubleLoop, 2),
    ])
  func loopsAndDeltas(pattern: RidgePattern, count: Int) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = RandomStream(seed: seed, for: .anatomy)
      let found = singularPoints(of: OrientationModel(pattern: pattern, from: &random))
      #expect(found == (count, count), "seed \(seed)")
    }
  }

  @Test("the open side of a left loop points to the left, of a right loop to the right")
  func openSides() {
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = RandomStream(seed: seed, for: .anatomy)
      let left = OrientationModel(pattern: .leftLoop, from: &random)
      let right = OrientationModel(pattern: .rightLoop, from: &random)
      #expect(rises(left.angle(x: -40, y: -30)), "seed \(seed)")
      #expect(!rises(right.angle(x: 40, y: -30)), "seed \(seed)")
    }
  }

  /// Whether a line at this angle climbs from left to right.
  private func rises(_ angle: Double) -> Bool {
    Trigonometry.sine(2 * angle) > 0
  }

  @Test("patterns are drawn as often as they are found on people's fingers")
  func frequencies() {
    var random = RandomStream(seed: 5, for: .anatomy)
    var counts: [RidgePattern: Int] = [:]
    for _ in 0..<10_000 { counts[RidgePattern(from: &random), default: 0] += 1 }
    #expect((250...500).contains(counts[.arch, default: 0]))
    #expect((200...400).contains(counts[.tentedArch, default: 0]))
    #expect((3100...3700).contains(counts[.leftLoop, default: 0]))
    #expect((2900...3450).contains(counts[.rightLoop, default: 0]))
    #expect((1850...2350).contains(counts[.whorl, default: 0]))
    #expect((550...850).contains(counts[.doubleLoop, default: 0]))
  }
}
