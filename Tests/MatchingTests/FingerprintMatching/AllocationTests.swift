import CTestSupport
import FingerprintMatching
import SyntheticPrints
import Testing

@Suite("What comparing allocates")
struct AllocationTests {
  /// Allocations of the calling thread while `body` runs.
  private static func allocations(_ body: () -> Void) -> Int {
    let before = counted_allocations()
    body()
    return counted_allocations() - before
  }

  /// What the first comparison with a finger allocates, and each of all when they are repeated.
  private static func allocations(
    enrolling touches: [PrintFeatures], comparing probes: [PrintFeatures],
    wiping isWiped: Bool = false
  ) throws -> (first: Int, later: [Int]) {
    var enrollment = Enrollment()
    for touch in touches { _ = enrollment.add(touch) }
    let template = try #require(enrollment.template())
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    let counts = (probes + probes).map { probe in
      allocations {
        _ = matcher.score(probe: probe, against: template, using: &storage)
        if isWiped { storage.wipe() }
      }
    }
    return (counts[0], Array(counts.dropFirst(probes.count)))
  }

  @Test(
    "X2: comparing full prints allocates nothing the second time",
    .enabled(if: counts_allocations(), "a sanitizer has its own allocator"))
  func fullPrints() throws {
    let finger = SyntheticFinger(seed: 31)
    let counts = try Self.allocations(
      enrolling: try (1...3).map { try touch(finger, $0) },
      comparing: [
        try touch(finger, 9), try touch(finger, 8), try touch(SyntheticFinger(seed: 32), 1),
        try touch(SyntheticFinger(seed: 33), 1),
      ])
    // That the first comparison allocates shows that allocations are counted.
    #expect(counts.first > 0)
    #expect(counts.later == [0, 0, 0, 0])
  }

  @Test(
    "X2: comparing the ridges of small touches allocates nothing the second time",
    .enabled(if: counts_allocations(), "a sanitizer has its own allocator"),
    arguments: [88, 160], [false, true])
  func smallTouches(side: Int, isWiped: Bool) throws {
    let small = ImpressionConditions.careful.window(width: side, height: side)
    let finger = SyntheticFinger(seed: 34)
    let probes = try [(34, 8), (34, 9), (35, 1), (36, 1)].map { finger, seed in
      try touch(SyntheticFinger(seed: finger), seed, conditions: small)
    }
    let counts = try Self.allocations(
      enrolling: try (1...6).map { try touch(finger, $0, conditions: small) },
      comparing: probes, wiping: isWiped)
    #expect(counts.first > 0)
    #expect(counts.later == [0, 0, 0, 0])
  }

  @Test("storage that has seen other prints gives the same scores", arguments: [false, true])
  func sameScores(isSmall: Bool) throws {
    let conditions =
      isSmall ? ImpressionConditions.careful.window(width: 160, height: 160) : .everyday
    let finger = SyntheticFinger(seed: 31)
    var enrollment = Enrollment()
    _ = enrollment.add(try touch(finger, 1, conditions: conditions))
    let template = try #require(enrollment.template())
    let probes = [
      try touch(finger, 2, conditions: conditions),
      try touch(SyntheticFinger(seed: 32), 1, conditions: conditions),
    ]
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    for probe in probes + probes {
      let kept = matcher.score(probe: probe, against: template, using: &storage)
      #expect(kept == matcher.score(probe: probe, against: template))
      storage.wipe()
    }
  }
}
