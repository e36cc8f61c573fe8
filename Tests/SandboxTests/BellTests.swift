import Sandbox
import Testing

@Suite("Bells")
struct BellTests {
  private struct Counts: Sendable {
    var given = 0
    var taken = 0
  }

  @Test("whoever waits takes everything that is put before a ring, in turns of two threads")
  func turns() throws {
    let rounds = 2000
    let there = try Bell()
    let back = try Bell()
    let counts = Monitor(Counts())
    SystemThread.start(name: "echo") {
      for round in 1...rounds {
        there.wait(on: counts) { $0.given >= round ? () : nil }
        counts.withLock { $0.taken += 1 }
        back.ring()
      }
    }
    for round in 1...rounds {
      counts.withLock { $0.given += 1 }
      there.ring()
      back.wait(on: counts) { $0.taken >= round ? () : nil }
    }
    #expect(counts.withLock { $0.taken } == rounds)
  }

  @Test(
    "a bell that is rung more often than a pipe has room neither blocks nor loses the last ring")
  func full() throws {
    let bell = try Bell()
    for _ in 0..<100_000 { bell.ring() }
    let calls = Monitor(0)
    bell.wait(on: calls) { count in
      count += 1
      return count == 3 ? () : nil
    }
    #expect(calls.withLock { $0 } == 3)
  }
}
