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
