import AuthcoreABI
import Testing

@Suite("X3: drivers meet every fault at every call of a capture and of the beginning of the next")
struct ReaderFaultTests {
  @Test("the calls of a capture are as many as are swept below", arguments: SweptReader.all)
  func calls(reader: SweptReader) throws {
    #expect(try reader.sweep(captures: 1).callCount() == reader.callsOfOneCapture)
  }

  @Test("unplugged at any call, it says so, and says so again", arguments: SweptReader.all)
  func gone(reader: SweptReader) throws {
    try reader.sweep().atEveryCall(through: reader.lastCall, "gone") { run, call in
      run.expectGone(call)
      #expect(run.messages.allSatisfy { $0.contains("plug it in again") })
    }
  }

  @Test(
    "a halted endpoint, cut or wrong bytes spoil one touch, with a retry or a reason, and no other",
    arguments: SweptReader.all, ["stall", "short", "garbage"])
  func spoiltTouch(reader: SweptReader, fault: String) throws {
    let whole = try reader.frames()
    let status = fault == "stall" ? reader.statusOfStall : AC_ERR_PROTOCOL
    var hits = 0
    try reader.sweep(captures: 3).atEveryCall(through: reader.lastCall, fault) { run, call in
      #expect(run.opening == nil || !reader.opensInSpite, "call \(call)")
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.isEmpty || spoilt == [status], "call \(call): \(run.statuses)")
      #expect(run.messages.allSatisfy(reader.saysEnough), "call \(call): \(run.messages)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += spoilt.count
    }
    #expect(hits >= reader.leastSpoilt)
  }

  @Test(
    "a device that falls silent at any call is a failure or a timeout, in time",
    arguments: SweptReader.all)
  func silent(reader: SweptReader) throws {
    let sweep = reader.sweep(milliseconds: 1000)
    try sweep.atEveryCall(through: reader.lastCall, "silent") { run, call in
      let allowed = [AC_OK, AC_ERR_TIMEOUT, AC_ERR_IO]
      #expect(run.statuses.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
      #expect(run.statuses.last != AC_OK, "call \(call): \(run.statuses)")
      // A host ends a driver that is five seconds over its time.
      #expect(run.longest < 5000, "call \(call)")
    }
  }

  @Test("a device that answers late at any call is waited for", arguments: SweptReader.all)
  func late(reader: SweptReader) throws {
    try reader.sweep().atEveryCall(through: reader.lastCall, "nak") { run, call in
      #expect(run.statuses == [AC_OK, AC_OK], "call \(call)")
    }
  }

  @Test(
    "interrupted while any answer is awaited, it starts afresh and works",
    arguments: SweptReader.all)
  func interrupted(reader: SweptReader) throws {
    let whole = try reader.frames()
    var hits = 0
    let sweep = reader.sweep(captures: 3)
    // From some time before the alarm on the device answers late, for 300 ms.
    try sweep.atEveryCall(through: reader.lastCall, "nak", alarm: reader.alarm) { run, call in
      let interrupts = run.statuses.count { $0 == AC_ERR_INTERRUPTED }
      #expect(interrupts <= 1, "call \(call): \(run.statuses)")
      #expect(run.statuses.last == AC_OK, "call \(call): \(run.statuses)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += interrupts
    }
    #expect(hits >= reader.leastInterrupted)
  }
}

/// A driver and a simulated device, and how many calls there are at which something can go wrong.
struct SweptReader: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let driver: String
  let settings: String
  /// From opening to the end of the first capture.
  let callsOfOneCapture: Int
  /// Into the next capture as far as it is another than the first.
  let callsBeyond: Int
  /// Whether it opens in spite of a fault meanwhile.
  let opensInSpite: Bool
  /// The status of a capture in which an endpoint halts once.
  let statusOfStall: Int
  /// How many faults of each kind spoil a touch at least; the others hit calls that do without an
  /// answer.
  let leastSpoilt: Int
  /// One of these words is in each message about a spoilt touch; none: any will do.
  var saying: [String] = []
  /// When the host interrupts, in milliseconds after opening, and how many of those hit a wait at
  /// least.
  let alarm: UInt64
  let leastInterrupted: Int
  /// The frames that an undisturbed device gives.
  let frames: @Sendable () throws -> [CapturedFrame]

  var lastCall: Int { callsOfOneCapture + callsBeyond }

  func saysEnough(_ message: String) -> Bool {
    saying.isEmpty || saying.contains { message.contains($0) }
  }

  func sweep(captures: Int = 2, milliseconds: UInt32 = 5000) -> FaultSweep {
    FaultSweep(driver: driver, settings: settings, captures: captures, milliseconds: milliseconds)
  }
}

extension SweptReader {
  static let all = [nb1010, upek, authentecPress, authentecSwipe]

  /// Claiming; then a poll that finds no finger and one that does, two commands and 90 parts of an
  /// image. A command is a write and a read, a read two calls.
  private static let nb1010 = SweptReader(
    testDescription: "nb1010", driver: "nb1010", settings: "lift=100",
    callsOfOneCapture: 1 + 2 * 3 + 2 * 3 + 90 * 2, callsBeyond: 4 * 3,
    opensInSpite: true, statusOfStall: AC_RETRY_GENERAL, leastSpoilt: 100, alarm: 200,
    leastInterrupted: 100,
    frames: { (1...4).map(NB1010DriverTests.frame) })

  /// The smallest image, so that a sweep is short. Claiming, and six times a write and an answer;
  /// then the command, two statuses and a busy frame with their answers, and 21 frames of an image
  /// in two reads each but the last, whose end still needs two, with acknowledgements between them.
  private static let upek = SweptReader(
    testDescription: "upek", driver: "upek", settings: "sensor=5,busy=1",
    callsOfOneCapture: 1 + 6 * 3 + 1 + 3 * 3 + 21 * 4 + 20, callsBeyond: 4 * 3,
    opensInSpite: true, statusOfStall: AC_RETRY_GENERAL, leastSpoilt: 40, alarm: 150,
    leastInterrupted: 114,
    frames: { (1...4).map { UPEKDriverTests.frame(sensor: 5, touch: $0) } })

  /// Claiming and ten transfers; then three and a read.
  private static let authentecPress = SweptReader(
    testDescription: "authentec, press", driver: "authentec", settings: "chip=0x5731,hold=100",
    callsOfOneCapture: 1 + 10 + (3 + 2), callsBeyond: 10, opensInSpite: false,
    statusOfStall: AC_ERR_STALL,
    leastSpoilt: 3, saying: ["try again", "took"], alarm: 200,
    leastInterrupted: 9,
    frames: { try (1...5).map { try AuthenTecFrames.aes3500(touch: $0) } })

  /// Claiming, eight transfers and two reads; a look; two scans and nine stripes.
  private static let authentecSwipe = SweptReader(
    testDescription: "authentec, swipe", driver: "authentec", settings: "delay=0,rows=71,step=11",
    callsOfOneCapture: 1 + 8 + 2 * 2 + (3 + 2) + (4 + 2 * 2) + 9 * 3, callsBeyond: 10,
    opensInSpite: false, statusOfStall: AC_ERR_STALL, leastSpoilt: 3,
    saying: ["try again", "took"], alarm: 200,
    leastInterrupted: 22,
    frames: { (1...5).map { AuthenTecFrames.swipe(rows: 71, touch: $0) } })
}

@Suite(
  "X3: a reader that halts or garbles for ever is a failure; every call is in ReaderFaultTests")
struct BrokenReaderTests {
  /// The same fault at each of these calls.
  private func settings(_ fault: String, _ calls: ClosedRange<Int>) -> String {
    calls.map { "fault=\(fault)@\($0)" }.joined(separator: ",")
  }

  @Test(
    "a device that halts for ever is a failure in the end",
    arguments: [("nb1010", 1...40), ("upek", 20...300)])
  func haltsForEver(driver: String, calls: ClosedRange<Int>) throws {
    let run = try FaultSweep(driver: driver, settings: settings("stall", calls), captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }

  @Test(
    "an AuthenTec chip that halts for ever is a failure every time",
    arguments: ["chip=0x5731,hold=100", "delay=0,rows=71,step=11"])
  func authentecHaltsForEver(chip: String) throws {
    let run = try FaultSweep(
      driver: "authentec", settings: chip + "," + settings("stall", 12...60)
    ).run()
    #expect(run.opening != nil || run.statuses == [AC_ERR_STALL, AC_ERR_STALL])
  }

  @Test("bytes that are wrong again and again while it is opened are a failure, with the way out")
  func garbageWhileOpening() throws {
    let run = try FaultSweep(driver: "upek", settings: settings("garbage", 1...200)).run()
    #expect(run.statuses == [AC_ERR_PROTOCOL])
    #expect(run.opening?.message.contains("unplug it") == true)
  }
}
