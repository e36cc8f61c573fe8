import CountedAllocation
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

  @Test(
    "X2: comparing full prints allocates nothing after the first comparison",
    .enabled(if: counts_allocations(), "a sanitizer has its own allocator"))
  func fullPrints() throws {
    let finger = SyntheticFinger(seed: 31)
    var enrolment = Enrolment()
    for seed in 1...3 { _ = enrolment.add(try touch(finger, UInt64(seed))) }
    let template = try #require(enrolment.template())
    let first = try touch(finger, 8)
    let probes = [
      try touch(finger, 9), try touch(SyntheticFinger(seed: 32), 1),
      try touch(SyntheticFinger(seed: 33), 1),
    ]
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    let atFirst = Self.allocations {
      _ = matcher.score(probe: first, against: template, using: &storage)
    }
    let later = probes.map { probe in
      Self.allocations { _ = matcher.score(probe: probe, against: template, using: &storage) }
    }
    // That the first comparison allocates shows that allocations are counted.
    #expect(atFirst > 0)
    #expect(later == [0, 0, 0])
  }

  @Test("storage that has seen other prints gives the same scores")
  func sameScores() throws {
    let finger = SyntheticFinger(seed: 31)
    var enrolment = Enrolment()
    _ = enrolment.add(try touch(finger, 1))
    let template = try #require(enrolment.template())
    let probes = [try touch(finger, 2), try touch(SyntheticFinger(seed: 32), 1)]
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    for probe in probes + probes {
      let kept = matcher.score(probe: probe, against: template, using: &storage)
      #expect(kept == matcher.score(probe: probe, against: template))
    }
  }
}
