import AuthcoreABI
import Testing

/// What goes wrong, at each call of a capture and of the lift after it.
@Suite("X3: the driver nb1010 meets every fault at every call")
struct NB1010FaultTests {
  private let sweep = FaultSweep(driver: "nb1010", settings: "lift=100")

  /// Claiming; then a capture: a poll that finds no finger and one that does, two commands and 90 parts of an image. A
  /// command is a write and a read, a read two calls.
  private static let callsOfOneCapture = 1 + 2 * 3 + 2 * 3 + 90 * 2
  /// Four polls and commands into the next capture; from there on it is the first over again.
  private static let lastCall = callsOfOneCapture + 4 * 3

  @Test("the calls of a capture are as many as are swept below")
  func calls() throws {
    var sweep = sweep
    sweep.captures = 1
    #expect(try sweep.callCount() == Self.callsOfOneCapture)
  }

  @Test("unplugged at any call, it says so, and says so again")
  func gone() throws {
    try sweep.atEveryCall(through: Self.lastCall, "gone") { run, call in
      let statuses = run.statuses
      let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
      #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "call \(call): \(statuses)")
      #expect(gone < statuses.count, "call \(call): \(statuses)")
      #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "call \(call): \(statuses)")
      #expect(run.messages.allSatisfy { $0.contains("plug it in again") })
    }
  }

  @Test(
    "a halted endpoint, cut or wrong bytes spoil one touch, with a retry or a reason, and no other",
    arguments: [
      ("stall", AC_RETRY_GENERAL), ("short", AC_ERR_PROTOCOL), ("garbage", AC_ERR_PROTOCOL),
    ]
  )
  func spoiltTouch(fault: String, status: Int) throws {
    var sweep = sweep
    sweep.captures = 3
    var hits = 0
    let whole = (1...4).map(NB1010DriverTests.frame)
    try sweep.atEveryCall(through: Self.lastCall, fault) { run, call in
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.isEmpty || spoilt == [status], "call \(call): \(run.statuses)")
      #expect(run.messages.allSatisfy { $0.contains("unplug it") || $0.contains("of") })
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += spoilt.count
    }
    #expect(hits > Self.lastCall / 2)
  }

  @Test("a device that falls silent at any call is a failure or a timeout, in time")
  func silent() throws {
    var sweep = sweep
    sweep.milliseconds = 1000
    try sweep.atEveryCall(through: Self.lastCall, "silent") { run, call in
      let allowed = [AC_OK, AC_ERR_TIMEOUT, AC_ERR_IO]
      #expect(run.statuses.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
      #expect(run.statuses.last != AC_OK, "call \(call): \(run.statuses)")
      // A host ends a driver that is five seconds over its time.
      #expect(run.longest < 5000, "call \(call)")
    }
  }

  @Test("a device that answers late at any call is waited for")
  func late() throws {
    try sweep.atEveryCall(through: Self.lastCall, "nak") { run, call in
      #expect(run.statuses == [AC_OK, AC_OK], "call \(call)")
    }
  }

  @Test("interrupted while any answer is awaited, it reads away the rest and then works")
  func interrupted() throws {
    var hits = 0
    // The device answers late from 50 or 100 ms on, for 300 ms.
    var sweep = sweep
    sweep.captures = 3
    try sweep.atEveryCall(through: Self.lastCall, "nak", alarm: 200) { run, call in
      #expect(run.statuses.filter { $0 == AC_ERR_INTERRUPTED }.count <= 1, "call \(call)")
      #expect(run.statuses.last == AC_OK, "call \(call): \(run.statuses)")
      let whole = (1...4).map(NB1010DriverTests.frame)
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += run.statuses.filter { $0 == AC_ERR_INTERRUPTED }.count
    }
    #expect(hits > Self.lastCall / 2)
  }

  @Test("an interrupt in the middle of an image is heard within 100 ms")
  func interruptedImage() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "nb1010", "fault=nak@100")
      let sensor = try LoadedDriver.built("nb1010").open()
      let start = host.clock.now
      host.clock.after(milliseconds: 200) { sensor.interrupt() }
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(200_000_000...300_000_000 ~= host.clock.now - start)
      withExtendedLifetime(device) {}
    }
  }

  @Test("a device that halts for ever is a failure in the end")
  func haltsForEver() throws {
    let settings = (1...40).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "nb1010", settings: settings, captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }
}
