import Glibc
import LinuxSystem
import Protocol
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

@Suite("Arrivals in a mailbox")
struct ArrivalWatchTests {
  @Test("what arrives while arrivals are held is reported when they are released")
  func held() throws {
    let pair = try SocketPair()
    let watch = try ArrivalWatch(pair.near.number)
    watch.report(false)
    var byte: UInt8 = 1
    #expect(unsafe write(pair.far.number, &byte, 1) == 1)
    watch.report(true)
    watch.wait()
    #expect(unsafe read(pair.near.number, &byte, 1) == 1)
  }

  @Test("the end of a mailbox is reported even while arrivals are held")
  func end() throws {
    let pair = try SocketPair()
    let watch = try ArrivalWatch(pair.near.number)
    watch.report(false)
    shutdown(pair.near.number, Int32(SHUT_RDWR))
    watch.wait()
  }

  @Test("releasing arrivals wakes a thread that sleeps already")
  func sleeping() throws {
    let pair = try SocketPair()
    let (near, far) = (pair.near.number, pair.far.number)
    let hasWoken = Guarded(false)
    let shared = Shared(watch: try ArrivalWatch(near))
    shared.watch.report(false)
    SystemThread.start(name: "sleeper") {
      shared.watch.wait()
      hasWoken.update { $0 = true }
    }
    var byte: UInt8 = 1
    #expect(unsafe write(far, &byte, 1) == 1)
    shared.watch.report(true)
    hasWoken.wait { $0 ? () : nil }
    #expect(unsafe read(near, &byte, 1) == 1)
  }

  private final class Shared: Sendable {
    let watch: ArrivalWatch
    init(watch: consuming ArrivalWatch) { self.watch = watch }
  }
}

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
