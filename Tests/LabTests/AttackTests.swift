import FingerprintMatching
import Glibc
import SyntheticPrints
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
    // The seed determines the touches: the finger is enrolled from one of them.
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

@Suite("The file of strangers' scores")
struct TailFileTests {
  private let path = "/tmp/authcore-tail-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).csv"

  @Test("a later run goes on where the first stopped, and other settings do not mix")
  func resumed() throws {
    defer { unsafe unlink(path) }
    var tail = ScoreTail()
    tail.add(3)
    var file = try TailFile(path, settings: "seed 1")
    #expect(file.rows.isEmpty)
    try file.add(TailFile.Row(name: "round 1", tail: tail))
    try file.add(TailFile.Row(name: "round 2", tail: ScoreTail()))

    let again = try TailFile(path, settings: "seed 1")
    #expect(again.rows.map(\.name) == ["round 1", "round 2"])
    #expect(again.rows.map(\.tail) == [tail, ScoreTail()])
    #expect(throws: BenchmarkFailure.self) { try TailFile(path, settings: "seed 2") }
  }

  @Test("a line that is no round is named")
  func damaged() throws {
    defer { unsafe unlink(path) }
    var file = try TailFile(path, settings: "seed 1")
    try file.add(TailFile.Row(name: "round 1", tail: ScoreTail()))
    try BenchmarkFile(path).write(try BenchmarkFile(path).read() + Array("round 2,1,2\n".utf8))
    let error = #expect(throws: BenchmarkFailure.self) { try TailFile(path, settings: "seed 1") }
    #expect(error?.description == "\(path), line 3: expected a round and its counts")
  }
}
