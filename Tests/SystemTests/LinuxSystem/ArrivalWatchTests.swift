import Glibc
import LinuxSystem
import Protocol
import Testing

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
