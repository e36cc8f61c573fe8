import AuthcoreABI
import Testing

/// What goes wrong, at each call of opening, a capture and the beginning of the next.
@Suite("X3: the driver upek meets every fault at every call")
struct UPEKFaultTests {
  /// The smallest image, so that a sweep is short.
  private let sweep = FaultSweep(driver: "upek", settings: "sensor=5,busy=1", captures: 2)

  /// Claiming, and six times a write and an answer; a read is two calls.
  private static let callsOfOpening = 1 + 6 * 3
  /// The command, two statuses and a busy frame with their answers, and 21 frames of an image in two reads each but the
  /// last, whose end still needs two, with acknowledgements between them.
  private static let callsOfOneCapture = callsOfOpening + 1 + 3 * 3 + 21 * 4 + 20
  /// Four turns into the next capture; from there on it is the first over again.
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
    ])
  func spoiltTouch(fault: String, status: Int) throws {
    var sweep = sweep
    sweep.captures = 3
    var hits = 0
    let whole = (1...4).map { UPEKDriverTests.frame(sensor: 5, touch: $0) }
    try sweep.atEveryCall(through: Self.lastCall, fault) { run, call in
      #expect(run.opening == nil, "call \(call)")
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.isEmpty || spoilt == [status], "call \(call): \(run.statuses)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += spoilt.count
    }
    #expect(hits > 40)
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

  @Test("interrupted while any answer of a capture is awaited, it opens the device anew and works")
  func interrupted() throws {
    var sweep = sweep
    sweep.captures = 3
    var hits = 0
    let whole = (1...4).map { UPEKDriverTests.frame(sensor: 5, touch: $0) }
    // The device answers late for 300 ms, from the first capture's beginning on.
    try sweep.atEveryCall(through: Self.lastCall, "nak", alarm: 150) { run, call in
      #expect(run.statuses.filter { $0 == AC_ERR_INTERRUPTED }.count <= 1, "call \(call)")
      #expect(run.statuses.last == AC_OK, "call \(call): \(run.statuses)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += run.statuses.filter { $0 == AC_ERR_INTERRUPTED }.count
    }
    #expect(hits > Self.callsOfOneCapture - Self.callsOfOpening)
  }

  @Test("a device that halts for ever is a failure in the end")
  func haltsForEver() throws {
    let settings = (20...300).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "upek", settings: settings, captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }

  @Test("bytes that are wrong again and again while it is opened are a failure, with the way out")
  func garbageWhileOpening() throws {
    let settings = (1...200).map { "fault=garbage@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "upek", settings: settings).run()
    #expect(run.statuses == [AC_ERR_PROTOCOL])
    #expect(run.opening?.message.contains("unplug it") == true)
  }
}
