import AuthcoreABI
import Testing

/// The driver as built, against a simulated reader with a fault at each of its calls in turn.
@Suite("X3: the Elan driver survives what goes wrong, wherever it does")
struct ElanFaultTests {
  /// Opening (7 calls) and two swipes of 8 frames with a calibration before the first.
  private static let settings = "width=32,height=24,speed=4,frames=8,running=2"
  private static let calls = 7 + 2 * (6 + 1 + 8 * 6 + 3 + 1) + 6 + 3 * 3

  @Test("unplugged at any call, it says so, and says so again")
  func gone() throws {
    let hits = try sweep("gone") { run, call in run.expectGone(call) }
    #expect(hits == Self.calls)
  }

  @Test(
    "halted endpoints, cut or wrong bytes and slow answers spoil one capture at most, which says how",
    arguments: [
      ("stall", [AC_ERR_STALL, AC_RETRY_GENERAL], 100),
      ("short", [AC_ERR_PROTOCOL, AC_RETRY_TOO_SHORT], 100),
      ("garbage", [AC_ERR_PROTOCOL], 60), ("nak", [AC_RETRY_TOO_SHORT], 10),
    ])
  func passing(fault: String, allowed: [Int], least: Int) throws {
    let hits = try sweep(fault) { run, call in
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
      // A reader whose size was read wrongly stays unreadable.
      #expect(
        spoilt.count <= 1 || fault == "garbage" && call <= 7, "call \(call): \(run.statuses)")
    }
    #expect(hits >= least)
  }

  @Test("a reader that falls silent at any call is a failure in time, never a hang")
  func silent() throws {
    let hits = try sweep("silent") { run, call in
      let allowed =
        run.opening == nil
        ? [AC_OK, AC_ERR_IO, AC_ERR_TIMEOUT, AC_RETRY_TOO_SHORT] : [AC_ERR_IO]
      #expect(run.statuses.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
    }
    #expect(hits >= Self.calls - 10)
  }

  @Test("interrupted in any wait, one capture reports it within 100 ms and the next ones work")
  func interrupt() throws {
    // Without calibration and delay no time passes before the first slow answer, in which the host
    // interrupts.
    for call in 8...(7 + 6 + 1 + 8 * 6 + 3) {
      try withSensor("elan", "width=32,height=24,speed=4,frames=8,fault=nak@\(call)") {
        sensor, host in
        let start = host.clock.now
        host.clock.after(milliseconds: 10) { sensor.interrupt() }
        #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED, "call \(call)")
        #expect(host.clock.now - start <= 110_000_000, "call \(call)")
        let statuses = (1...2).map { _ in sensor.captureStatus(milliseconds: 5000) }
        #expect(statuses == [AC_OK, AC_OK], "call \(call): \(statuses)")
      }
    }
  }

  /// Opens and captures three times with `fault` at the first, second, … call.
  /// - Returns: at how many calls the fault showed.
  private func sweep(
    _ fault: String, _ check: (FaultSweep.Run, Int) throws -> Void
  ) throws -> Int {
    try FaultSweep(driver: "elan", settings: Self.settings, captures: 3)
      .atEveryCall(through: Self.calls, fault) { run, call in
        // A capture may go on for a swipe after its time.
        #expect(run.total < 3 * 10_000, "call \(call)")
        try check(run, call)
      }
  }
}
