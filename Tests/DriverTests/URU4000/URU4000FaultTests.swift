import AuthcoreABI
import Testing

/// A fault at each call from the opening to the third capture.
@Suite("X3: the driver uru4000 meets every fault at every call")
struct URU4000FaultTests {
  private static let sweep = FaultSweep(
    driver: "uru4000", settings: "delay=50,lift=100", captures: 3)

  /// Opening: claiming, two reads queued, looking for old messages, a power cycle of four register
  /// accesses, the report of power and a read in its place, versions. A capture: looking for old
  /// messages, two modes, two messages that mean nothing and one that does with reads in their
  /// places, an image in three calls, two accesses for its key, asking for the lift.
  private static let opening = 11
  private static let capture = 14
  /// The message of the lift, and a read in its place.
  private static let lift = 2
  private static let lastCall = opening + 3 * capture + 2 * lift

  /// The frames of a run without faults.
  private static let frames = Result { try sweep.run().frames.map(\.pixels) }

  @Test("the calls are as many as are swept below")
  func calls() throws {
    // The last one, after the third frame is whole, spoils nothing.
    #expect(try Self.sweep.callCount() == Self.lastCall - 1)
    #expect(try Self.frames.get().count == 3)
  }

  @Test("unplugged at any call, it says so, and says so again")
  func gone() throws {
    try Self.sweep.atEveryCall(through: Self.lastCall - 1, "gone") { run, call in
      let statuses = run.statuses
      let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
      #expect(gone < statuses.count, "call \(call): \(statuses)")
      #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "call \(call): \(statuses)")
      #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "call \(call): \(statuses)")
      #expect(run.messages.allSatisfy { $0.contains("plug it in again") })
    }
  }

  @Test(
    "halted endpoints, cut and wrong bytes spoil one touch with a retry or a reason, and never a frame",
    arguments: [("stall", 20), ("short", 50), ("garbage", 15)])
  func spoiltTouch(fault: String, least: Int) throws {
    let whole = try Self.frames.get()
    var hits = 0
    try Self.sweep.atEveryCall(through: Self.lastCall, fault) { run, call in
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.count <= 1, "call \(call): \(run.statuses)")
      let allowed = [AC_RETRY_GENERAL, AC_ERR_STALL, AC_ERR_PROTOCOL, AC_ERR_TIMEOUT]
      #expect(spoilt.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
      #expect(
        run.messages.allSatisfy { $0.contains("plug it in again") || $0.contains("finger") })
      // Wrong bytes of a key cannot be told from right ones.
      let isKey = fault == "garbage" && run.frames.contains { !whole.contains($0.pixels) }
      #expect(!isKey || [0, 1].contains((call - 23) % 16), "call \(call): a frame is mixed")
      hits += spoilt.count
    }
    #expect(hits >= least)
  }

  @Test("a reader that falls silent at any call is a failure in the end, never a hang")
  func silent() throws {
    try Self.sweep.atEveryCall(through: Self.lastCall - 4, "silent") { run, call in
      let statuses = run.statuses
      let allowed = [AC_OK, AC_RETRY_GENERAL, AC_ERR_TIMEOUT, AC_ERR_IO]
      #expect(statuses.allSatisfy(allowed.contains), "call \(call): \(statuses)")
      #expect(statuses.last != AC_OK, "call \(call): \(statuses)")
    }
  }

  @Test("a reader that answers late at any call is waited for")
  func late() throws {
    try Self.sweep.atEveryCall(through: Self.lastCall, "nak") { run, call in
      #expect(run.statuses == [AC_OK, AC_OK, AC_OK], "call \(call)")
    }
  }

  @Test("interrupted at any time, one capture reports it and the others work")
  func interrupted() throws {
    let whole = try Self.frames.get()
    var sweep = Self.sweep
    sweep.captures = 4
    for time in stride(from: 5, through: 700, by: 10) {
      let run = try sweep.run(alarm: UInt64(time))
      let statuses = run.statuses
      #expect(statuses.filter { $0 == AC_ERR_INTERRUPTED }.count == 1, "\(time) ms: \(statuses)")
      #expect(statuses.filter { $0 == AC_OK }.count == 3, "\(time) ms: \(statuses)")
      #expect(Set(run.frames.map(\.pixels)).count == 3, "\(time) ms: a scan was read twice")
      #expect(run.frames.first?.pixels == whole.first || statuses[0] != AC_OK)
    }
  }

  @Test("a reader that halts for ever is a failure, and so is one whose scans always fail")
  func brokenForEver() throws {
    let settings = (1...80).map { "fault=stall@\($0)" }.joined(separator: ",")
    let halting = try FaultSweep(driver: "uru4000", settings: settings, captures: 3).run()
    #expect(halting.statuses == [AC_ERR_STALL])
    let dying = try FaultSweep(driver: "uru4000", settings: "death=4294967295", captures: 6).run()
    #expect(dying.statuses == Array(repeating: AC_RETRY_GENERAL, count: 4) + [AC_ERR_IO, 1])
    #expect(dying.messages.allSatisfy { $0.contains("5 scans in a row failed") })
  }
}
