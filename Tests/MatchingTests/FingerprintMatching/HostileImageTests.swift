import FingerprintMatching
import Glibc
import SyntheticPrints
import Testing

@Suite("Hostile images")
struct HostileImageTests {
  /// Windows of a full sensor and of small ones.
  static let windows = [(width: 300, height: 400), (112, 112), (88, 88)]

  private struct Owner: Sendable {
    let template: FingerTemplate
    let probes: [PrintFeatures]
  }

  /// Four fingers enrolled on each sensor, and touches of them that were not enrolled.
  private static let owners: [Owner] = {
    do {
      return try windows.flatMap { width, height in
        try (UInt64(0)..<4).map { try owner(440 + $0, width: width, height: height) }
      }
    } catch {
      Issue.record("no fingers to compare with: \(error)")
      return []
    }
  }()

  private static func owner(_ seed: UInt64, width: Int, height: Int) throws -> Owner {
    let finger = SyntheticFinger(seed: seed)
    let conditions = ImpressionConditions.careful.window(width: width, height: height)
    let probes = try (UInt64(5)...6).map { try touch(finger, $0, conditions: conditions) }
    return Owner(
      template: try enrolled(finger, touches: 1...4, conditions: conditions), probes: probes)
  }

  @Test(
    "E2: no pattern matches any enrolled finger, nor does a finger that was enrolled from it, however often, match any print",
    arguments: HostilePattern.all)
  func matchesNoFinger(pattern: HostilePattern) throws {
    #expect(Self.owners.count == 12)
    let matcher = PrintMatcher()
    for features in try pattern.features(Self.windows) {
      var enrollment = Enrollment()
      for _ in 1...8 { _ = enrollment.add(features) }
      let pretender = enrollment.template()
      for (number, owner) in Self.owners.enumerated() {
        let score = matcher.score(probe: features, against: owner.template)
        #expect(score.isFinite)
        #expect(score < PrintMatcher.threshold, "against finger \(number)")
        guard let pretender else { continue }
        for probe in owner.probes {
          let score = matcher.score(probe: probe, against: pretender)
          #expect(score < PrintMatcher.threshold, "a touch of finger \(number)")
        }
      }
    }
  }

  @Test("an owner's touch is accepted by the full sensor that the patterns are tried on")
  func ownersAreAccepted() {
    for owner in Self.owners.prefix(4) {
      for probe in owner.probes {
        #expect(
          PrintMatcher().score(probe: probe, against: owner.template) >= PrintMatcher.threshold)
      }
    }
  }

  @Test(
    "an image without ridges has none",
    arguments: [
      "black", "white", "middle gray", "a gradient", "a single dark pixel",
    ])
  func noRidges(name: String) throws {
    let pattern = try #require(HostilePattern.plain.first { $0.testDescription == name })
    #expect(try pattern.features(Self.windows).allSatisfy { !$0.hasRidges })
  }
}

@Suite("Images of any size and resolution")
struct HostileSizeTests {
  /// What holds for the features of any image, and for everything made of them.
  private func check(_ image: FingerprintImage) throws {
    let features = FeatureExtractor().features(of: image)
    let size = "\(image.width) by \(image.height) at \(image.pixelsPerInch)"
    #expect(features.minutiae.count <= 100, "\(size)")
    #expect((0...1).contains(features.quality), "\(size)")
    #expect((0...1).contains(features.darkness), "\(size)")
    // At most 1024 pixels of 1/500 inch a side are worked on.
    #expect(features.ridgeArea <= 52.1 * 52.1, "\(size)")
    let condition = features.condition
    for share in [condition.clarity, condition.evenness, condition.windowShare] {
      #expect((0...1).contains(share), "\(size)")
    }
    for share in [
      condition.cut.left, condition.cut.right, condition.cut.top, condition.cut.bottom,
    ] {
      #expect((0...1).contains(share), "\(size)")
    }
    #expect(condition.skewness.isFinite, "\(size)")
    var enrollment = Enrollment()
    for _ in 1...3 { _ = enrollment.add(features) }
    #expect((0...1).contains(enrollment.coverage), "\(size)")
    guard let template = enrollment.template() else { return }
    let bytes = template.encoded()
    #expect(bytes.count <= FingerTemplate.mostBytes, "\(size)")
    let score = PrintMatcher().score(
      probe: features, against: try FingerTemplate(decoding: bytes))
    #expect(score.isFinite, "\(size)")
  }

  @Test(
    "the extremes are taken",
    arguments: [
      (1, 1, 100), (1, 1, 2000), (1, 4096, 100), (1, 4096, 500), (1, 4096, 2000), (4096, 1, 100),
      (4096, 1, 500), (4096, 1, 2000), (2, 2, 100), (7, 9, 2000), (8, 8, 500), (9, 9, 500),
      (15, 17, 100), (4096, 4096, 100), (4096, 4096, 500), (4096, 4096, 2000), (4096, 8, 100),
      (8, 4096, 2000),
    ])
  func extremes(width: Int, height: Int, pixelsPerInch: Int) throws {
    // One row of waves and noise, shifted from row to row: made quickly at any size.
    var noise = RandomNumbers(seed: 50)
    let row = (0..<8192).map { x in UInt8((x % 9 * 20 + noise.byte() / 3) % 256) }
    let pixels = (0..<height).flatMap { y in row[(y * 37 % 4096)...].prefix(width) }
    try check(
      try FingerprintImage(
        width: width, height: height, pixelsPerInch: pixelsPerInch, pixels: pixels))
  }

  @Test("any size, resolution and pattern is taken")
  func random() throws {
    var noise = RandomNumbers(seed: 51)
    for _ in 0..<120 {
      // Most sides short, a few long, at most a quarter of a million pixels.
      let widest = UInt64(1) << (noise.next() % 13)
      let width = 1 + Int(noise.next() % widest)
      let highest = UInt64(1) << (noise.next() % 13)
      let height = min(1 + Int(noise.next() % highest), 1 + 250_000 / width)
      let pixelsPerInch = 100 + Int(noise.next() % 1901)
      let pattern = HostilePattern.all[Int(noise.next() % UInt64(HostilePattern.plain.count + 24))]
      try check(
        try image(width: width, height: height, pixelsPerInch: pixelsPerInch, pattern.gray))
    }
  }

  /// Processor time that this thread took: other threads and programs do not count.
  private func timeOfThread() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test(
    "no pattern takes much longer than a print of its size",
    arguments: ["noise", "a checkerboard", "plaid", "black and white noise"])
  func boundedTime(name: String) throws {
    let pattern = try #require(HostilePattern.plain.first { $0.testDescription == name })
    let ridges = try image(width: 1024, height: 1024) { x, y in
      let distance = Double((x - 500) * (x - 500) + (y - 500) * (y - 500)).squareRoot()
      return Int(distance) % 9 < 4 ? 0 : 255
    }
    let hostile = try image(width: 1024, height: 1024, pattern.gray)
    func shortest(_ image: FingerprintImage) -> Duration {
      (0..<3).map { _ in
        let start = timeOfThread()
        _ = FeatureExtractor().features(of: image)
        return timeOfThread() - start
      }.min() ?? .zero
    }
    #expect(shortest(hostile) < shortest(ridges) * 12)
  }
}
