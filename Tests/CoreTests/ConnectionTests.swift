import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Connections")
struct ConnectionTests {
  @Test("Hello is answered with Welcome, and status works without a sensor")
  func greeting() throws {
    let test = TestCore()
    let client = try test.connect()
    let id = try client.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "9"))
    let welcome = try client.receive(Welcome.self, request: id)
    #expect(welcome.protocolVersion == ClientEnvelope.version && !welcome.isService)
    #expect(welcome.process == UInt32(getpid()))
    try client.send(GetStatus())
    let status = try client.receive(CoreStatus.self)
    #expect(status.driverName == nil && status.sensor == nil && status.isPasscodeSet)
    #expect(status.enclavePath == "/fake/enclave.so" && status.home == "/fake/home")
    #expect(status.sandboxes.map(\.process) == ["enclave"])
  }

  @Test("status tells the named driver from its description alone")
  func statusWithDriver() throws {
    let test = TestCore()
    let client = try test.clientWithSensor()
    try client.send(GetStatus())
    let status = try client.receive(CoreStatus.self)
    #expect(status.driverName == "fake" && status.matchableFingers == 1)
    #expect(
      status.sensor == SensorFacts(kind: "press", width: 100, height: 120, pixelsPerInch: 500))
    #expect(test.driver.starts == 0)
  }

  @Test("a client of another version is welcomed, may ask the core to quit, and nothing else")
  func otherVersion() throws {
    let test = TestCore()
    _ = try test.core.enclaves.enclave()
    let client = try test.connect()
    try client.send(Hello(protocolVersion: 99, softwareVersion: "99"))
    #expect(try client.receive(Welcome.self).protocolVersion == ClientEnvelope.version)
    try client.send(GetStatus())
    #expect(try client.receiveFailure() == .coreVersionMismatch)
    try client.send(Quit(unlessUnlocked: true))
    #expect(try client.receiveFailure() == .busy)
    test.enclave.set { $0.isLocked = true }
    try client.send(Quit(unlessUnlocked: true))
    _ = try client.receive(Done.self)
    #expect(test.core.waitForEnd(nanoseconds: .max))
  }

  private struct Naming: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: "/bin/x", isAgentProgram: false)
    }
  }

  @Test("to a client of another version the service recommends nothing that it refuses")
  func otherVersionOfService() throws {
    let test = TestCore(naming: Naming())
    let client = try test.connect()
    try client.send(Hello(protocolVersion: 99, softwareVersion: "99"))
    _ = try client.receive(Welcome.self)
    try client.send(GetStatus())
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .coreVersionMismatch)
    #expect(failure.hint?.contains("systemctl restart authcored") == true)
    #expect(failure.hint?.contains("authcore quit") == false)
    try client.send(Quit(unlessUnlocked: false))
    #expect(try client.receiveFailure() == .refusedByService)
  }

  @Test("Quit needs no Hello, and the answer comes before the end")
  func quit() throws {
    let test = TestCore()
    let client = try test.connect()
    try client.send(Quit(unlessUnlocked: false))
    _ = try client.receive(Done.self)
    #expect(test.core.waitForEnd(nanoseconds: .max))
    test.core.end()
    let late = try test.connect()
    #expect(try late.receiveFailure() == .systemCancel)
    #expect(late.isDisconnected())
  }

  @Test("a request before Hello, and a second Hello, end the connection")
  func unexpected() throws {
    let test = TestCore()
    let first = try test.connect()
    try first.send(GetStatus())
    #expect(try first.receiveFailure() == .usage)
    #expect(first.isDisconnected())
    let second = try test.greetedClient()
    try second.send(Hello(protocolVersion: 1, softwareVersion: "again"))
    #expect(try second.receiveFailure() == .usage)
    #expect(second.isDisconnected())
  }

  @Test(
    "garbage is answered with a failure and the end of the connection, and disturbs nobody else",
    arguments: [
      [], [0], [6], [6, 0, 0, 0], [6, 0, 0, 0, 9, 1], [7, 0, 0, 0, 9], [255, 0, 0, 0, 9],
      [0, 0, 0, 0, 9], [8, 0, 0, 0, 9], [9, 0, 0, 0, 9], [9, 0, 0, 0, 9, 0, 0, 0, 1, 77],
      [10, 0, 0, 0, 9, 1], [12, 0, 0, 0, 9, 3], [12, 0, 0, 0, 9, 1, 255, 255, 255, 255],
      [16, 0, 0, 0, 9, 255, 255, 255, 255], [20, 0, 0, 0, 9, 0, 0, 0, 1, 0xC3],
      [5, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 255], [44, 0, 0, 0, 9, 2], [34, 0, 0, 0, 9, 0],
      [34, 0, 0, 0, 9, 0, 0, 0, 1, 0], [35, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1],
      [36, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 1],
    ] as [[UInt8]])
  func garbage(bytes: [UInt8]) throws {
    let test = TestCore()
    let neighbor = try test.greetedClient()
    let client = try test.greetedClient()
    try client.send(raw: bytes)
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
    try neighbor.send(GetStatus())
    _ = try neighbor.receive(CoreStatus.self)
  }

  @Test("a message longer than a client may send is refused before it is read")
  func oversize() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let count = UInt32(ClientEnvelope.longestRequest + 1)
    let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    #expect(unsafe write(client.stream.descriptor.number, header, 4) == 4)
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
  }

  @Test("only a message to an engine may be longer than usual, and of these one that says so")
  func longMessages() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let long = [UInt8](repeating: 7, count: ApplicationRequest.longestMessage)
    for certificate in [long, [UInt8](repeating: 7, count: largestCertificate), long] {
      try client.ask(AddCertificate(attributes: ItemAttributes(), certificate: certificate))
      #expect(try client.receiveFailure() == .engineFailed)
    }
    #expect(
      test.keychain.state.read { $0.asked }
        == [UInt8](repeating: AddCertificate.number, count: 3))
    try client.ask(UseKey(query: KeyQuery(), operation: .decrypt, input: long))
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
    let other = try test.greetedClient()
    try other.send(raw: [GetStatus.number, 0, 0, 0, 9] + long)
    #expect(try other.receiveFailure() == .usage)
    #expect(other.isDisconnected())
    #expect(test.keychain.state.read { $0.asked }.count == 3)
  }

  @Test("too many waiting requests end the connection, and the one that runs is interrupted")
  func flood() throws {
    let test = TestCore([.wait]) { $0.waitingRequests = 3 }
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture()
    for _ in 0..<4 { try client.send(GetStatus()) }
    #expect(try client.receiveFailure() == .busy)
    #expect(client.isDisconnected())
    test.driver.hosts.first?.waitForEnd()
    #expect(test.driver.stops == 1)
  }

  @Test("a prompt that is answered without end ends the connection")
  func answerFlood() throws {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    test.enclave.state.update { $0.silentTo = VerifyPasscode.number }
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .passcode, "1234", request: id)
    test.enclave.waitUntilAsked(VerifyPasscode.number)
    for _ in 0..<17 { try client.answer(prompt, .shown, request: id) }
    #expect(try client.receiveFailure() == .busy)
    #expect(client.isDisconnected())
    test.enclave.host?.die()
  }

  @Test("the id of a request that has not been answered cannot be used again")
  func idInUse() throws {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    _ = try client.receive(Prompt.self)
    try client.send(GetStatus(), request: id)
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
  }

  @Test("an id is free as soon as its answer has come")
  func idReused() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    for _ in 0..<200 {
      try client.send(GetStatus(), request: 7)
      _ = try client.receive(CoreStatus.self, request: 7)
    }
  }

  @Test("Cancel ends the request that runs and one that waits; each is answered once")
  func cancel() throws {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    let running = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: running)
    test.driver.waitForCapture()
    let waiting = try client.send(GetStatus())
    try client.send(Cancel(), request: waiting)
    let (cancelled, _) = try client.receiveAfterProgress(Failure.self)
    #expect(cancelled.code == .appCancel)
    try client.send(Cancel(), request: running)
    #expect(try client.receiveFailure() == .appCancel)
    #expect(test.driver.stops == 1)
    try client.send(Cancel(), request: running)
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  @Test("Cancel at a prompt for the passcode ends the request")
  func cancelAtPasscode() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let id = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    _ = try client.receive(Prompt.self)
    try client.send(Cancel(), request: id)
    #expect(try client.receiveFailure() == .appCancel)
    test.enclave.waitUntilAsked(CloseContext.number)
  }

  @Test("a client that leaves during a capture stops it, and its driver and context end")
  func leaving() throws {
    let test = TestCore([.wait])
    do {
      let client = try test.clientWithSensor()
      let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
      let prompt = try client.receive(Prompt.self)
      try client.answer(prompt, .shown, request: id)
      test.driver.waitForCapture()
    }
    test.driver.hosts.first?.waitForEnd()
    #expect(test.driver.stops == 1)
    #expect(test.enclave.state.update { $0.contexts.isEmpty && $0.matches.isEmpty })
  }

  @Test("a client that does not read is disconnected")
  func stalled() throws {
    let test = TestCore { $0.sendMilliseconds = 50 }
    let client = try test.greetedClient()
    #expect(throws: StreamError.self) {
      for _ in 0..<100_000 { try client.send(GetStatus()) }
    }
  }

  @Test("another user's process is refused")
  func otherUser() throws {
    let test = TestCore()
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    test.core.serve(
      Descriptor(owning: ends[0]),
      peer: PeerCredentials(process: 1, user: geteuid() &+ 1))
    let client = FakeClient(Descriptor(owning: ends[1]))
    #expect(try client.receiveFailure() == .errSecMissingEntitlement)
    #expect(client.isDisconnected())
  }

  @Test("requests that wait when the core ends are dropped, and the one that runs is answered")
  func ending() throws {
    let (test, client, _, _) = try TestCore.awaitingTouch(
      Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    test.core.end()
    #expect(try client.receiveFailure() == .systemCancel)
    #expect(throws: StreamError.timedOut, "the end comes with the process") {
      _ = try client.stream.receive(milliseconds: 0)
    }
    #expect(test.driver.hosts.count { !$0.hasEnded } == 0)
    #expect(test.enclave.host?.hasEnded == true)
  }

  @Test("a driver is refused by name, by unknown option, and by a file that did not come")
  func wrongDriver() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    try client.send(UseDriver(driver: "none", options: []))
    #expect(try client.receiveFailure() == .driverNotFound)
    for option in [
      DriverOption(name: "speed", value: "1", hasDescriptor: false),
      DriverOption(name: "tape", value: "/tmp/x", hasDescriptor: false),
      DriverOption(name: "tape", value: "/tmp/x", hasDescriptor: true),
    ] {
      try client.send(UseDriver(driver: "fake", options: [option]))
      #expect(try client.receiveFailure() == .usage)
    }
  }

  @Test("a tape that is a person's makes its frames those of a tape, and no synthetic ones")
  func realTape() throws {
    let test = TestCore([.match])
    test.enclave.set { $0.tapeFingers = 1 }
    let client = try test.greetedClient()
    let message = ClientEnvelope.encode(
      UseDriver(
        driver: "fake", options: [DriverOption(name: "tape", value: "/tmp/x", hasDescriptor: true)]
      ), request: 50)
    try client.stream.send(message, descriptors: [0])
    _ = try client.receive(Done.self, request: 50)
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    _ = try client.receiveAfterProgress(Evaluated.self)
    #expect(
      test.enclave.state.update {
        $0.channels.values.contains(FrameSource(.tape, mayRepeat: true))
      })
  }
}
