import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("Hostile images")
struct HostileImageTests {
  struct Pattern: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let grey: @Sendable (Int, Int) -> Int

    init(_ name: String, _ grey: @escaping @Sendable (Int, Int) -> Int) {
      testDescription = name
      self.grey = grey
    }
  }

  static let patterns = [
    Pattern("black") { _, _ in 0 },
    Pattern("white") { _, _ in 255 },
    Pattern("noise") { x, y in
      var noise = Noise(seed: UInt64(y * 5000 + x))
      return noise.byte()
    },
    Pattern("vertical stripes of a ridge's period") { x, _ in x % 9 < 4 ? 0 : 255 },
    Pattern("slanted stripes") { x, y in (x + 2 * y) % 16 < 8 ? 0 : 255 },
    Pattern("a checkerboard") { x, y in (x / 5 + y / 5) % 2 * 255 },
    Pattern("a checkerboard of single pixels") { x, y in (x + y) % 2 * 255 },
    Pattern("a gradient") { x, y in (x + y) / 3 },
    Pattern("rings") { x, y in
      let (dx, dy) = (x - 150, y - 150)
      return Int(Double(dx * dx + dy * dy).squareRoot()) % 9 < 4 ? 0 : 255
    },
    Pattern("lines of text") { x, y in
      y % 24 < 14 && (x * 7 + y / 24 * 13) % 11 < 5 && (x + y) % 7 < 4 ? 0 : 255
    },
    Pattern("one giant ridge") { x, _ in abs(x - 150) < 60 ? 0 : 255 },
    Pattern("a single dark pixel") { x, y in x == 150 && y == 150 ? 0 : 255 },
  ]

  @Test("E2: no pattern matches an enrolled finger", arguments: patterns)
  func matchesNoFinger(pattern: Pattern) throws {
    let features = FeatureExtractor().features(
      of: try image(width: 300, height: 300, pattern.grey))
    for seed in [41, 42] {
      let finger = SyntheticFinger(seed: UInt64(seed))
      var enrolment = Enrolment()
      for number in 1...3 { _ = enrolment.add(try touch(finger, UInt64(number))) }
      let template = try #require(enrolment.template())
      let score = PrintMatcher().score(probe: features, against: template)
      #expect(score < PrintMatcher.threshold)
      #expect(score.isFinite)
    }
  }

  @Test("a finger that was enrolled from a pattern matches no print", arguments: patterns)
  func patternAsFinger(pattern: Pattern) throws {
    let features = FeatureExtractor().features(
      of: try image(width: 300, height: 300, pattern.grey))
    var enrolment = Enrolment()
    for _ in 1...3 { _ = enrolment.add(features) }
    guard let template = enrolment.template() else { return }
    for seed in [43, 44] {
      let probe = try touch(SyntheticFinger(seed: UInt64(seed)), 1)
      #expect(PrintMatcher().score(probe: probe, against: template) < PrintMatcher.threshold)
    }
  }

  @Test(
    "an image without ridges has none",
    arguments: ["black", "white", "a gradient", "a single dark pixel"])
  func noRidges(name: String) throws {
    let pattern = try #require(Self.patterns.first { $0.testDescription == name })
    let features = FeatureExtractor().features(
      of: try image(width: 300, height: 300, pattern.grey))
    #expect(!features.hasRidges)
  }

  @Test(
    "images of any size and resolution are taken",
    arguments: [
      (1, 1, 100), (1, 1, 2000), (1, 4096, 500), (4096, 1, 100), (7, 9, 2000), (8, 8, 500),
      (4096, 4096, 100), (4096, 4096, 2000),
    ])
  func extremeSizes(width: Int, height: Int, pixelsPerInch: Int) throws {
    let features = FeatureExtractor().features(
      of: try image(width: width, height: height, pixelsPerInch: pixelsPerInch) { x, y in
        (x * x + y * 31) % 256
      })
    #expect(features.minutiae.count <= 100)
    #expect((0...1).contains(features.quality))
    #expect(features.ridgeArea <= 52.1 * 52.1)
  }
}
