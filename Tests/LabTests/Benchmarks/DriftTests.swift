import Testing

@testable import authcore_bench

@Suite("Drift, as it is measured")
struct DriftTests {
  @Test("touches turn from the owner's into the other's, which come alone in between")
  func drifts() throws {
    let drift = try Drift(owner: 3, size: 160, matches: 40)
    #expect(drift.strangers == 4 && drift.strangersAccepted == 0)
    #expect((1..<36).contains(drift.accepted))
    #expect(drift.learned <= drift.accepted)
    let same = try Drift(owner: 3, size: 160, matches: 40)
    #expect(same.highest == drift.highest && same.accepted == drift.accepted)
  }
}
