import Glibc
import Testing

@testable import authcore_bench

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
