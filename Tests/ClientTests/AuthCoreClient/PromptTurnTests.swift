import LinuxSystem
import Protocol
import Testing

@testable import CoreClient

@Suite("One prompt at a time", .serialized, .timeLimit(.minutes(15)))
struct PromptTurnTests {
  private let turn = PromptTurn()

  private struct Seen: Sendable {
    var running = 0
    var most = 0
    var ended = 0
  }

  @Test("requests of many threads have their turns one after the other")
  func oneByOne() {
    let (turn, seen) = (turn, Guarded(Seen()))
    for _ in 0..<8 {
      SystemThread.start(name: "prompting") {
        for _ in 0..<50 {
          try? turn.take(nil) { () throws(Failure) in
            seen.update {
              $0.running += 1; $0.most = max($0.most, $0.running)
            }
            seen.update { $0.running -= 1 }
          }
        }
        seen.update { $0.ended += 1 }
      }
    }
    let most = seen.wait { $0.ended == 8 ? $0.most : nil }
    #expect(most == 1)
  }

  @Test("a request that waits for its turn can be cancelled, and leaves the turn to the others")
  func cancelledWhileWaiting() throws {
    let turn = turn
    let cancellation = CancellationSignal()
    let code = Guarded<FailureCode?>(nil)
    try turn.take(nil) { () throws(Failure) in
      SystemThread.start(name: "waiting") {
        do throws(Failure) {
          try turn.take(cancellation) { () throws(Failure) in }
        } catch {
          code.update { $0 = error.code }
        }
      }
      turn.cancel(cancellation)
      #expect(code.wait { $0 } == .appCancel)
    }
    var ran = false
    try turn.take(nil) { () throws(Failure) in ran = true }
    #expect(ran)
  }

  @Test("a request that was cancelled before does not begin")
  func cancelledBefore() throws {
    let cancellation = CancellationSignal()
    cancellation.cancel()
    cancellation.cancel()
    let failure = #expect(throws: Failure.self) {
      try turn.take(cancellation) { () throws(Failure) in
        Issue.record("it ran")
      }
    }
    #expect(failure?.code == .appCancel)
  }

  @Test("what a request fails with ends its turn")
  func failure() {
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) {
        try turn.take(nil) { () throws(Failure) in throw Failure(.userCancel, "no") }
      }
      #expect(failure?.code == .userCancel)
    }
  }
}
