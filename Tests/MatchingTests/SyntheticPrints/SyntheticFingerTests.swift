import GrayImage
import SyntheticPrints
import Testing

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
