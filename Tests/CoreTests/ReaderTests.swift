import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Testing

@testable import AuthCore

@Suite("Readers that come and go")
struct ReaderTests {
  private let owner = Evaluate(policy: .owner, reuseSeconds: 0, options: .test())
  private let biometrics = Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test())

  private func core(
    _ touches: [FakeDriver.Touch] = [], home: String = "/fake/home", clock: BootClock = .system
  ) throws -> TestCore {
    let test = TestCore(touches, home: home, clock: clock)
    try test.devices.install("alpha", for: .alpha)
    try test.devices.install("beta", for: .beta)
    test.enclave.set { $0.realFingers = 1 }
    return test
  }

  private func status(_ client: FakeClient) throws -> CoreStatus {
    try client.send(GetStatus())
    return try client.receive(CoreStatus.self)
  }

  /// Asks for the status until the watcher's thread has told the core whether a reader is there.
  private func waitUntilReader(isThere: Bool, _ client: FakeClient) throws {
    for _ in 0..<100_000 where try (status(client).sensor != nil) == isThere { return }
    Issue.record("the core was never told whether a reader is there")
  }

  @Test("without a named driver the reader that is connected is used, and status names it")
  func automatic() throws {
    let test = try core([.match])
    test.devices.plug(.alpha)
    let client = try test.greetedClient()
    let status = try status(client)
    #expect(status.driverName == "alpha" && status.device == "1209:000a at 1-1")
    #expect(status.sensor != nil)
    let id = try client.send(owner)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
  }

  @Test("what the open device says of itself holds instead of its driver's description")
  func identity() throws {
    let test = try core([.match])
    test.devices.plug(.alpha)
    test.driver.state.update {
      $0.identity = SensorIdentity(
        scanType: .swipe, width: 144, height: 0, pixelsPerInch: 508, serial: "S1")
    }
    let client = try test.greetedClient()
    #expect(
      try status(client).sensor
        == SensorFacts(kind: "press", width: 100, height: 120, pixelsPerInch: 500))
    let id = try client.send(owner)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    _ = try client.receiveAfterProgress(Evaluated.self)
    #expect(
      try status(client).sensor
        == SensorFacts(kind: "swipe", width: 144, height: 0, pixelsPerInch: 508))
  }

  @Test("L2, L10: without a reader biometry is not available")
  func none() throws {
    let client = try core().greetedClient()
    #expect(try status(client).sensor == nil)
    try client.send(biometrics)
    #expect(try client.receiveFailure() == .biometryNotAvailable)
  }

  @Test(
    "L10: why there is no reader tells one that took the enrolled fingers from a stranger",
    arguments: [
      (1, nil, ReaderAbsence.disconnected), (0, nil, .noReader), (0, "Hub", .noReader),
      (0, "ACME Fingerprint Sensor", .unpaired), (1, "ACME Fingerprint Sensor", .disconnected),
    ] as [(UInt32, String?, ReaderAbsence)])
  func absence(fingers: UInt32, stranger: String?, absence: ReaderAbsence) throws {
    let test = try core()
    test.enclave.set {
      $0.realFingers = fingers
      $0.syntheticFingers = 1
    }
    if let stranger {
      let match = DriverDescription.USBMatch(vendor: 0x1209, product: 0xC)
      test.devices.plug(USBPresence(match: match, bus: 1, address: 9, port: "1-3"), named: stranger)
    }
    let client = try test.greetedClient()
    #expect(try status(client).absence == absence)
    test.devices.plug(.alpha)
    try waitUntilReader(isThere: true, client)
    #expect(try status(client).absence == nil)
  }

  @Test("L10: a reader that is named, or was once, and is not connected is not paired")
  func expected() throws {
    try withTemporaryFolder { folder in
      let test = try core(home: folder)
      test.enclave.set { $0.realFingers = 0 }
      #expect(try status(test.greetedClient()).absence == .noReader)
      let client = try test.greetedClient()
      try client.send(UseDriver(driver: "beta", options: []))
      _ = try client.receive(Done.self)
      #expect(try status(client).absence == .unpaired)
      ReaderPreference(Reader(driver: test.devices.drivers[1], device: .beta))
        .write(folder + "/reader")
      #expect(try status(test.greetedClient()).absence == .unpaired)
    }
  }

  @Test("an external reader comes before a built-in one, whichever was there first")
  func externalFirst() throws {
    let test = try core()
    test.devices.plug(.alpha)
    test.devices.plug(.beta)
    #expect(try status(try test.greetedClient()).driverName == "beta")
  }

  @Test("a reader that was named by its place is remembered, also by another core of the folder")
  func preference() throws {
    try withTemporaryFolder { folder in
      let test = try core([.match], home: folder)
      test.devices.plug(.alpha)
      test.devices.plug(.beta)
      let client = try test.greetedClient()
      try client.send(
        UseDriver(
          driver: "alpha",
          options: [DriverOption(name: "device", value: "1-1", hasDescriptor: false)]))
      _ = try client.receive(Done.self)
      let id = try client.send(owner)
      let prompt = try client.receive(Prompt.self)
      try client.answer(prompt, .shown, request: id)
      _ = try client.receiveAfterProgress(Evaluated.self)

      let later = try core(home: folder)
      later.devices.plug(.alpha)
      later.devices.plug(.beta)
      #expect(try status(try later.greetedClient()).driverName == "alpha")
    }
  }

  @Test(
    "a reader that is unplugged while a touch is awaited ends that at once; the passcode is offered"
  )
  func unplugged() throws {
    let test = try core([.wait])
    test.devices.plug(.beta)
    let client = try test.greetedClient()
    let id = try client.send(owner)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture()
    test.devices.unplug(.beta)
    let (again, progress) = try client.receiveAfterProgress(Prompt.self)
    #expect(progress.last == .sensorLost(message: "the reader was unplugged"))
    #expect(!again.awaitsTouch)
    try client.answer(again, .passcode, "1234", request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .passcode)
    #expect(try status(client).sensor == nil)
  }

  @Test("plugged in again it is another device, which the next request opens")
  func pluggedAgain() throws {
    let test = try core([.gone, .match])
    test.devices.plug(.beta)
    let client = try test.greetedClient()
    let id = try client.send(biometrics)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveFailure() == .biometryDisconnected)
    test.devices.unplug(.beta)
    try waitUntilReader(isThere: false, client)
    let again = USBPresence(match: .beta, bus: 1, address: 8, place: .external, port: "1-2.3")
    test.devices.plug(again)
    try waitUntilReader(isThere: true, client)
    let second = try client.send(biometrics)
    try client.answer(try client.receive(Prompt.self), .shown, request: second)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.driver.starts == 2)
  }

  @Test("A6: one request waits for a touch at a time, whichever readers there are")
  func oneTouchAtATime() throws {
    let test = try core([.wait])
    test.devices.plug(.alpha)
    test.devices.plug(.beta)
    let first = try test.greetedClient()
    let id = try first.send(owner)
    try first.answer(try first.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    let second = try test.greetedClient()
    try second.send(
      UseDriver(
        driver: "alpha",
        options: [DriverOption(name: "device", value: "1-1", hasDescriptor: false)]))
    _ = try second.receive(Done.self)
    try second.send(owner)
    #expect(try second.receiveFailure() == .busy)
  }

  @Test("A6: a client that nobody sees the prompt of waits for no touch of a reader")
  func unseen() throws {
    let test = try core([.match])
    test.devices.plug(.alpha)
    let client = try test.greetedClient()
    for touch in [AwaitedTouch.none, .played] {
      try client.send(Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test(touch: touch)))
      #expect(try client.receiveFailure() == .notInteractive)
      try client.send(TestFinger(options: .test(touch: touch)))
      #expect(try client.receiveFailure() == .notInteractive)
      let id = try client.send(
        Evaluate(policy: .owner, reuseSeconds: 0, options: .test(touch: touch)))
      let prompt = try client.receive(Prompt.self)
      #expect(!prompt.awaitsTouch)
      try client.answer(prompt, .passcode, "1234", request: id)
      #expect(try client.receive(Evaluated.self).evidence == .passcode)
    }
    #expect(test.driver.starts == 0)
  }

  /// What nothing of ours was loaded for: a driver that finds its device itself, whatever it says.
  static let bare: [(name: String, flags: DriverDescription.Flags)] = [
    ("libfprint", .opensDevices), ("replay", []), ("pictures", .synthetic),
  ]

  private func bareCore(
    _ touches: [FakeDriver.Touch], _ driver: (name: String, flags: DriverDescription.Flags)
  ) throws -> TestCore {
    let test = try core(touches)
    test.enclave.set { $0.syntheticFingers = 1 }
    try test.devices.install(driver.name, for: nil, flags: driver.flags)
    return test
  }

  private func client(
    _ test: TestCore, of driver: String, _ options: [DriverOption] = []
  ) throws -> FakeClient {
    let client = try test.greetedClient()
    try client.send(UseDriver(driver: driver, options: options))
    _ = try client.receive(Done.self)
    return client
  }

  @Test(
    "FINDINGS A3: a driver without a USB match waits for nobody's touch where nobody sees the prompt",
    arguments: bare)
  func unseenBare(driver: (name: String, flags: DriverDescription.Flags)) throws {
    let test = try bareCore([.match], driver)
    let client = try client(test, of: driver.name)
    for touch in [AwaitedTouch.none, .played] {
      try client.send(Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test(touch: touch)))
      #expect(try client.receiveFailure() == .notInteractive)
      try client.send(TestFinger(options: .test(touch: touch)))
      #expect(try client.receiveFailure() == .notInteractive)
    }
    #expect(test.driver.starts == 0)
  }

  @Test("FINDINGS A3: nor for two at a time, and each finger is lifted first", arguments: bare)
  func oneBareTouch(driver: (name: String, flags: DriverDescription.Flags)) throws {
    let test = try bareCore([.wait, .match], driver)
    let (first, second) = (
      try client(test, of: driver.name), try client(test, of: driver.name)
    )
    let id = try first.send(owner)
    try first.answer(try first.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    #expect(test.driver.state.read { $0.lifts } == [true])
    try second.send(owner)
    #expect(try second.receiveFailure() == .busy)
    try first.send(Cancel(), request: id)
    #expect(try first.receiveFailure() == .appCancel)
    // The first connection's driver gives up the device.
    let next = try second.send(owner)
    try second.answer(try second.receive(Prompt.self), .shown, request: next)
    #expect(try second.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.driver.starts == 2)
    test.driver.hosts[0].waitForEnd()
  }

  @Test("FINDINGS A3: a real driver that was given a model is played, as our replay driver is")
  func playedModel() throws {
    let test = try core([.match])
    test.enclave.set { $0.syntheticFingers = 1 }
    let model = DriverOption(name: "device", value: "simulated", hasDescriptor: false)
    let client = try client(test, of: "alpha", [model])
    let id = try client.send(
      Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test(touch: .played)))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.driver.state.read { $0.lifts } == [false])
  }

  @Test("A6: an unattended touch is refused while anybody is asked, and gives way to whoever is")
  func unattended() throws {
    let test = try core([.wait, .wait, .match])
    test.devices.plug(.alpha)
    let unattended = Evaluate(
      policy: .owner, reuseSeconds: 0,
      options: .test(touch: .unattended, canGivePasscode: false))
    let (alone, person) = (try test.greetedClient(), try test.greetedClient())
    let id = try alone.send(unattended)
    try alone.answer(try alone.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    try person.send(owner)
    #expect(try person.receive(Prompt.self).awaitsTouch)
    #expect(try alone.receiveAfterProgress(Failure.self).value.code == .systemCancel)
    try alone.send(unattended)
    #expect(try alone.receiveFailure() == .busy)
  }

  @Test("A6: a touch that was awaited for two minutes is awaited by the next who is asked for one")
  func longAwaited() throws {
    let clock = TestClock()
    let test = try core([.wait, .match], clock: clock.boot)
    test.devices.plug(.alpha)
    let (first, second) = (try test.greetedClient(), try test.greetedClient())
    let id = try first.send(owner)
    try first.answer(try first.receive(Prompt.self), .shown, request: id)
    test.driver.waitForCapture()
    clock.advance(seconds: TouchTurn.longestWait / 1_000_000_000 - 1)
    try second.send(owner)
    #expect(try second.receiveFailure() == .busy)
    clock.advance(seconds: 1)
    let other = try second.send(owner)
    try second.answer(try second.receive(Prompt.self), .shown, request: other)
    #expect(try first.receiveAfterProgress(Failure.self).value.code == .systemCancel)
    #expect(try second.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
  }

  @Test("a reader that lies idle goes over to the client that wants it; one in use is busy")
  func sharing() throws {
    let test = try core([.match, .wait])
    test.devices.plug(.beta)
    let first = try test.greetedClient()
    let id = try first.send(owner)
    try first.answer(try first.receive(Prompt.self), .shown, request: id)
    _ = try first.receiveAfterProgress(Evaluated.self)

    let second = try test.greetedClient()
    let other = try second.send(owner)
    try second.answer(try second.receive(Prompt.self), .shown, request: other)
    test.driver.waitForCapture(2)
    #expect(test.driver.starts == 2 && test.driver.hosts[0].hasEnded)

    try first.send(owner)
    #expect(try first.receiveFailure() == .busy)
  }

  @Test("a reader whose driver is starting for one client is busy for another")
  func takenWhileStarting() throws {
    let test = try core([.match])
    test.devices.plug(.beta)
    test.driver.state.update { $0.isHeldUp = true }
    let first = try test.greetedClient()
    let id = try first.send(owner)
    test.driver.waitForAttempt()
    let second = try test.greetedClient()
    try second.send(owner)
    #expect(try second.receiveFailure() == .busy)
    test.driver.state.update { $0.isHeldUp = false }
    let prompt = try first.receive(Prompt.self)
    try second.send(owner)
    #expect(try second.receiveFailure() == .busy, "the first one's prompt is about to appear")
    try first.answer(prompt, .shown, request: id)
    #expect(try first.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.driver.starts == 1)
  }

  @Test("a reader that is unplugged while its driver starts is lost to the request")
  func unpluggedWhileStarting() throws {
    let test = try core([.wait])
    test.devices.plug(.beta)
    test.driver.state.update { $0.isHeldUp = true }
    let client = try test.greetedClient()
    let observer = try test.greetedClient()
    let id = try client.send(owner)
    test.driver.waitForAttempt()
    test.devices.unplug(.beta)
    try waitUntilReader(isThere: false, observer)
    test.driver.state.update { $0.isHeldUp = false }
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let (again, progress) = try client.receiveAfterProgress(Prompt.self)
    #expect(progress.last == .sensorLost(message: "the reader was unplugged"))
    #expect(!again.awaitsTouch)
  }

  @Test("a watcher that dies is started again by the next question")
  func watcherDies() throws {
    let test = try core()
    test.devices.plug(.beta)
    let client = try test.greetedClient()
    #expect(try status(client).sensor != nil)
    let watcher = try #require(test.devices.watcher)
    watcher.die()
    watcher.waitUntilReaped()
    #expect(try status(client).sensor != nil)
    #expect(test.devices.starts == 2)
  }

  @Test("a driver for a reader that is not connected says which one to plug in")
  func namedButAbsent() throws {
    let client = try core().greetedClient()
    try client.send(UseDriver(driver: "beta", options: []))
    _ = try client.receive(Done.self)
    try client.send(EnrollFinger(name: "thumb", touches: 0, options: .test()))
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .biometryNotAvailable && failure.hint?.contains("1209:000b") == true)
  }
}

@Suite("X3: the log of a driver that its client reads")
struct DriverLogTests {
  @Test("lines that no client reads are lost and hold up nothing, and no line steers a terminal")
  func unread() throws {
    let pipe = try Pipe(nonBlocking: .reader)
    let log = DriverLog(Descriptor(owning: dup(pipe.writer)))
    for number in 0..<10_000 { log.write(.debug, "line \(number)\u{1B}[2J") }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(pipe.reader, &bytes, bytes.count)
    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "debug    line 0\u{FFFD}[2J")
    #expect(lines.count > 1000 && lines.count < 10_000)
    #expect(lines.enumerated().allSatisfy { $1 == "debug    line \($0)\u{FFFD}[2J" })
  }
}
