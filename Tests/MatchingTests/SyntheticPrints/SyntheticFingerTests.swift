import Glibc
import GrayImage
import Testing

@testable import SyntheticPrints

@Suite("Synthetic fingers")
struct SyntheticFingerTests {
  private static let rightLoop = SyntheticFinger(seed: 1, pattern: .rightLoop)
  private let finger = Self.rightLoop

  private func mean(_ picture: GrayImage) -> Double {
    Double(picture.pixels.reduce(0) { $0 + Int($1) }) / Double(picture.pixels.count)
  }

  @Test("a seed gives the same pixels on every machine")
  func sameEverywhere() {
    #expect(finger.impression(seed: 1).digest == 10_572_987_158_947_653_564)
  }

  @Test("a finger made again leaves the same print")
  func repeatable() {
    let again = SyntheticFinger(seed: 1, pattern: .rightLoop)
    #expect(again.impression(seed: 9) == finger.impression(seed: 9))
  }

  @Test("another finger and another touch leave other prints")
  func different() {
    let print = finger.impression(seed: 1)
    #expect(finger.impression(seed: 2) != print)
    #expect(SyntheticFinger(seed: 2, pattern: .rightLoop).impression(seed: 1) != print)
  }

  @Test(
    "a print has the size of the sensor's window", arguments: [(300, 400), (144, 144), (88, 88)])
  func windowSize(width: Int, height: Int) {
    let conditions = ImpressionConditions.everyday.window(width: width, height: height)
    let print = finger.impression(seed: 3, conditions: conditions)
    #expect(print.width == width)
    #expect(print.height == height)
  }

  @Test("a small window shows the middle of what a large one shows")
  func smallWindow() {
    let conditions = ImpressionConditions.careful
    let whole = finger.impression(seed: 4, conditions: conditions)
    let part = finger.impression(seed: 4, conditions: conditions.window(width: 88, height: 88))
    let middle = whole.cropped(x: 106, y: 156, width: 88, height: 88)
    let alike = zip(part.pixels, middle.pixels).count { abs(Int($0) - Int($1)) < 64 }
    #expect(alike > 88 * 88 * 7 / 10)
  }

  @Test("ridges are dark and the ground around the finger is light")
  func polarity() {
    let print = finger.impression(seed: 5, conditions: .careful)
    let corner = print.cropped(x: 0, y: 0, width: 20, height: 20)
    let middle = print.cropped(x: 120, y: 170, width: 60, height: 60)
    #expect(mean(corner) > 200)
    #expect(mean(middle) < 170)
    #expect(mean(middle) > 60)
  }

  @Test("wet skin leaves more ink than dry skin")
  func moisture() {
    var wet = ImpressionConditions.careful
    wet.moisture = 0.6...0.6
    var dry = ImpressionConditions.careful
    dry.moisture = -0.6 ... -0.6
    let difference =
      mean(finger.impression(seed: 6, conditions: dry))
      - mean(finger.impression(seed: 6, conditions: wet))
    #expect(difference > 20)
  }

  @Test("ridges lie about nine pixels apart", arguments: RidgePattern.allCases)
  func ridgeSpacing(pattern: RidgePattern) {
    let window = ImpressionConditions.careful.window(width: 64, height: 64)
    let print = SyntheticFinger(seed: 8, pattern: pattern).impression(seed: 1, conditions: window)
    // A straight line at angle a to the ridges' normal crosses 2·cos(a) edges in each period, in
    // the mean over all a 4/π; rows and columns together stand for all directions.
    var edges = 0
    for y in 0..<63 {
      for x in 0..<63 {
        let isDark = print[x: x, y: y] < 128
        if isDark != (print[x: x + 1, y: y] < 128) { edges += 1 }
        if isDark != (print[x: x, y: y + 1] < 128) { edges += 1 }
      }
    }
    let period = 4 / .pi * 2 * 63 * 63 / Double(edges)
    #expect((6.5...11.5).contains(period), "\(period)")
  }
}

extension GrayImage {
  /// FNV-1a, to compare pictures by one number.
  var digest: UInt64 {
    pixels.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

@Suite("Trigonometry without the system's library")
struct TrigonometryTests {
  @Test("sines and cosines agree with the system's")
  func sinesAndCosines() {
    for step in -2000...2000 {
      let angle = Double(step) * 0.037
      #expect(abs(Trigonometry.sine(angle) - sin(angle)) < 1e-6)
      #expect(abs(Trigonometry.cosine(angle) - cos(angle)) < 1e-6)
    }
  }

  @Test("directions agree with the system's all around")
  func directions() {
    for step in -314...314 {
      let angle = Double(step) * 0.01
      let direction = Trigonometry.direction(x: 7 * cos(angle), y: 7 * sin(angle))
      #expect(abs(direction - angle) < 1e-6)
    }
    #expect(Trigonometry.direction(x: 0, y: 0) == 0)
  }

  @Test("decay agrees with the system's exponential")
  func decay() {
    for step in 0...1000 {
      let x = Double(step) * 0.1
      #expect(abs(Trigonometry.decay(x) - exp(-x)) < 1e-6)
    }
  }
}

@Suite("The flow of ridges")
struct RidgeFlowTests {
  /// Counts the places around which directions turn by half a turn, to either side, on a grid fine
  /// enough to separate neighbors.
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
