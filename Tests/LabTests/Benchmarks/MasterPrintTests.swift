import FingerprintMatching
import Testing

@testable import authcore_bench

@Suite("Search for master prints")
struct MasterPrintTests {
  @Test("the same seed makes the same touch, and a change another one")
  func touches() {
    var (one, same) = (RandomNumbers(seed: 1), RandomNumbers(seed: 1))
    let (touch, again) = (ForgedTouch(from: &one), ForgedTouch(from: &same))
    let picture = touch.picture(width: 88, height: 88)
    #expect(again.picture(width: 88, height: 88) == picture)
    let changes = (0..<6).map { _ in touch.changed(from: &one).picture(width: 88, height: 88) }
    #expect(changes.count { $0 != picture } >= 4)
  }

  @Test("an owner's own print is found to open the owner's finger, and is chosen once")
  func found() async throws {
    // Whoever knows the seed knows the touches: the finger is enrolled from one of them.
    var numbers = RandomNumbers(seed: 6)
    let touch = ForgedTouch(from: &numbers).picture(width: 300, height: 400)
    var enrollment = Enrollment()
    _ = enrollment.add(
      FeatureExtractor().features(of: try touch.fingerprint(named: "own", pixelsPerInch: 500)))
    let owner = try #require(enrollment.template())
    let search = try await MasterPrintSearch(
      6, known: [owner], sensor: (300, 400), seed: 6, report: { _ in })
    #expect(search.candidates.count == 6)
    #expect(search.candidates[0].opened == [0])
    #expect(search.best.count == MasterPrintSearch.tries)
    #expect(search.best[0].opened == [0])
  }
}
