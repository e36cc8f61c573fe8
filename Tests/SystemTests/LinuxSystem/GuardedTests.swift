import Glibc
import LinuxSystem
import Testing

@Suite("Waiting for another thread")
struct GuardedTests {
  @Test("a waiter gets what another thread leaves")
  func handOver() {
    let box = Guarded<Int?>(nil)
    SystemThread.start(name: "giver") { box.update { $0 = 7 } }
    #expect(box.wait { $0.take() } == 7)
  }

  @Test("a wait with a deadline in the past asks once and gives up")
  func deadline() {
    let box = Guarded<Int?>(nil)
    #expect(box.wait(nanoseconds: 0) { $0 } == nil)
    box.update { $0 = 1 }
    #expect(box.wait(nanoseconds: 0) { $0 } == 1)
    #expect(Deadline(milliseconds: 0).remainingMilliseconds == 0)
    #expect(Deadline(milliseconds: -1).remainingMilliseconds == -1)
    #expect(Deadline(milliseconds: Int32.max).remainingMilliseconds > 1 << 30)
  }

  @Test("a wait beyond all time does not overflow")
  func forEver() {
    let box = Guarded(true)
    #expect(box.wait(nanoseconds: .max) { $0 ? 1 : nil } == 1)
  }

  private struct Asked: Sendable {
    var times = 0
    var isOver = false
  }

  @Test("who only reads wakes nobody; who changes something wakes who waits")
  func reading() {
    let asked = Guarded(Asked())
    let isDone = Guarded(false)
    SystemThread.start(name: "waiter") {
      asked.wait { state in
        state.times += 1
        return state.isOver ? () : nil
      }
      isDone.update { $0 = true }
    }
    while asked.read({ $0.times }) == 0 { sched_yield() }
    for _ in 0..<1000 { #expect(asked.read { !$0.isOver }) }
    asked.update { $0.isOver = true }
    isDone.wait { $0 ? () : nil }
    #expect(asked.read { $0.times } == 2)
  }
}
