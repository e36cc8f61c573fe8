import Testing

@testable import FingerprintMatching

@Suite("Coverage of a finger")
struct FingerCoverageTests {
  private func coverage(_ depths: [Int], cellArea: Double = 1) -> Double {
    FingerCoverage(depths: depths, cellArea: cellArea).share
  }

  @Test("nothing seen, and nothing seen twice, is no coverage")
  func nothing() {
    #expect(coverage([]) == 0)
    #expect(coverage([0, -3, 0]) == 0)
    #expect(coverage([Int](repeating: 1, count: 500)) == 0)
    #expect(coverage([5, 5, 5], cellArea: 0) == 0)
  }

  @Test("a touch that shows what was seen raises it until the finger is known")
  func deeper() {
    var last = 0.0
    for depth in 2...3 {
      let next = coverage([Int](repeating: depth, count: 200))
      #expect(next > last && next < Enrollment.enough)
      last = next
    }
    #expect(coverage([Int](repeating: 4, count: 200)) == 1)
  }

  @Test("a part that was seen once only holds it back")
  func singles() {
    let known = [Int](repeating: 4, count: 200)
    #expect(coverage(known + [Int](repeating: 1, count: 200)) < Enrollment.enough)
  }

  @Test("the same spot again and again is not a finger")
  func oneSpot() {
    #expect(coverage([Int](repeating: 1000, count: 20)) == 0.25)
  }
}
