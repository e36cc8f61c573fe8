import AuthcoreABI
import Testing

/// What goes wrong, at each call of a capture and of the beginning of the next.
@Suite("X3: the driver authentec meets every fault at every call")
struct AuthenTecFaultTests {
  enum Kind: CaseIterable {
    case press, swipe
  }

  private func sweep(_ kind: Kind) -> FaultSweep {
    switch kind {
    case .press:
      FaultSweep(driver: "authentec", settings: "chip=0x5731,hold=100")
    case .swipe:
      FaultSweep(driver: "authentec", settings: "delay=0,rows=71,step=11")
    }
  }

  /// Claiming, readying, and a capture. A read is two calls.
  private func callsOfOneCapture(_ kind: Kind) -> Int {
    switch kind {
    // Ten transfers; then three and a read.
    case .press: 1 + 10 + (3 + 2)
    // Eight transfers and two reads; a look; two scans and nine stripes.
    case .swipe: 1 + 8 + 2 * 2 + (3 + 2) + (4 + 2 * 2) + 9 * 3
    }
  }

  /// Into the next capture as far as it is another than the first.
  private func lastCall(_ kind: Kind) -> Int { callsOfOneCapture(kind) + 10 }

  private func frames(_ kind: Kind) throws -> [CapturedFrame] {
    try (1...5).map { touch in
      switch kind {
      case .press: try AuthenTecFrames.aes3500(touch: touch)
      case .swipe: AuthenTecFrames.swipe(rows: 71, touch: touch)
      }
    }
  }

  @Test("the calls of a capture are as many as are swept below", arguments: Kind.allCases)
  func calls(kind: Kind) throws {
    var sweep = sweep(kind)
    sweep.captures = 1
    #expect(try sweep.callCount() == callsOfOneCapture(kind))
  }

  @Test("unplugged at any call, it says so, and says so again", arguments: Kind.allCases)
  func gone(kind: Kind) throws {
    try sweep(kind).atEveryCall(through: lastCall(kind), "gone") { run, call in
      let statuses = run.statuses
      let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
      #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "call \(call): \(statuses)")
      #expect(gone < statuses.count, "call \(call): \(statuses)")
      #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "call \(call): \(statuses)")
      #expect(run.messages.allSatisfy { $0.contains("plug it in again") })
    }
  }

  @Test(
    "a halted endpoint, cut or wrong bytes spoil one touch, with a reason, and no other",
    arguments: Kind.allCases,
    [("stall", AC_ERR_STALL), ("short", AC_ERR_PROTOCOL), ("garbage", AC_ERR_PROTOCOL)])
  func spoiltTouch(kind: Kind, fault: (name: String, status: Int)) throws {
    let whole = try frames(kind)
    var sweep = sweep(kind)
    sweep.captures = 3
    var hits = 0
    try sweep.atEveryCall(through: lastCall(kind), fault.name) { run, call in
      let spoilt = run.statuses.filter { $0 != AC_OK }
      #expect(spoilt.isEmpty || spoilt == [fault.status], "call \(call): \(run.statuses)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      #expect(run.messages.allSatisfy { $0.contains("try again") || $0.contains("took") })
      hits += spoilt.count
    }
    #expect(hits >= 3)
  }

  @Test(
    "a device that falls silent at any call is a failure or a timeout, never a hang",
    arguments: Kind.allCases)
  func silent(kind: Kind) throws {
    try sweep(kind).atEveryCall(through: lastCall(kind), "silent") { run, call in
      let allowed = [AC_OK, AC_ERR_TIMEOUT, AC_ERR_IO]
      #expect(run.statuses.allSatisfy(allowed.contains), "call \(call): \(run.statuses)")
      #expect(run.statuses.last != AC_OK, "call \(call): \(run.statuses)")
    }
  }

  @Test("a device that answers late at any call is waited for", arguments: Kind.allCases)
  func late(kind: Kind) throws {
    try sweep(kind).atEveryCall(through: lastCall(kind), "nak") { run, call in
      #expect(run.statuses == [AC_OK, AC_OK], "call \(call)")
    }
  }

  @Test(
    "interrupted while any answer is awaited, it reads away the rest and then works",
    arguments: Kind.allCases)
  func interrupted(kind: Kind) throws {
    let whole = try frames(kind)
    var hits = 0
    var sweep = sweep(kind)
    sweep.captures = 3
    // From some time within the first 200 ms on the device answers late, for 300 ms.
    try sweep.atEveryCall(through: lastCall(kind), "nak", alarm: 200) { run, call in
      let interrupts = run.statuses.count { $0 == AC_ERR_INTERRUPTED }
      #expect(interrupts <= 1, "call \(call): \(run.statuses)")
      #expect(run.statuses.last == AC_OK, "call \(call): \(run.statuses)")
      #expect(run.frames.allSatisfy(whole.contains), "call \(call): a frame is mixed")
      hits += interrupts
    }
    #expect(hits > lastCall(kind) / 3)
  }

  @Test("an interrupt in the middle of a swipe is heard within 100 ms")
  func interruptedSwipe() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "authentec", "delay=0,fault=nak@40")
      let sensor = try LoadedDriver.built("authentec").open()
      let start = host.clock.now
      host.clock.after(milliseconds: 200) { sensor.interrupt() }
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(200_000_000...300_000_000 ~= host.clock.now - start)
      withExtendedLifetime(device) {}
    }
  }

  @Test("a device that halts for ever is a failure every time", arguments: Kind.allCases)
  func haltsForEver(kind: Kind) throws {
    var sweep = sweep(kind)
    sweep.settings += "," + (12...60).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try sweep.run()
    #expect(run.opening != nil || run.statuses == [AC_ERR_STALL, AC_ERR_STALL])
  }
}
