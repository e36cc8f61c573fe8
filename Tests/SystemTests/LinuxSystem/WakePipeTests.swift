import LinuxSystem
import Testing

@Suite("Wake pipes")
struct WakePipeTests {
  private struct Counts: Sendable {
    var given = 0
    var taken = 0
  }

  @Test("whoever waits takes everything that is put before it is woken, in turns of two threads")
  func turns() throws {
    let rounds = 2000
    let there = try WakePipe()
    let back = try WakePipe()
    let counts = Guarded(Counts())
    SystemThread.start(name: "echo") {
      for round in 1...rounds {
        there.wait(on: counts) { $0.given >= round ? () : nil }
        counts.update { $0.taken += 1 }
        back.wake()
      }
    }
    for round in 1...rounds {
      counts.update { $0.given += 1 }
      there.wake()
      back.wait(on: counts) { $0.taken >= round ? () : nil }
    }
    #expect(counts.read { $0.taken } == rounds)
  }

  @Test(
    "waking more often than a pipe has room neither blocks nor loses the last time")
  func full() throws {
    let pipe = try WakePipe()
    for _ in 0..<100_000 { pipe.wake() }
    let calls = Guarded(0)
    pipe.wait(on: calls) { count in
      count += 1
      return count == 3 ? () : nil
    }
    #expect(calls.read { $0 } == 3)
  }
}
