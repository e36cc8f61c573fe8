import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Contexts of clients")
struct ClientContextTests {
  /// A client with a sensor, and a context of its own.
  private func clientWithContext(_ test: TestCore) throws -> (FakeClient, UInt64) {
    let client = try test.clientWithSensor()
    try client.send(NewContext())
    return (client, try client.receive(ContextOpened.self).context)
  }

  /// An item behind a touch.
  private func testCore(_ touches: [FakeDriver.Touch] = [.match]) -> TestCore {
    let test = TestCore(touches)
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "biometry-any") }
    return test
  }

  /// Gets the item behind a touch.
  private func getWithTouch(_ client: FakeClient, in context: UInt64) throws {
    let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    _ = try client.receive(Progress.self)
    _ = try client.receive(Progress.self)
    _ = try client.receive(GotItem.self, request: id)
  }

  @Test("A8: one touch serves every request that names the context, until it is invalidated")
  func oneTouch() throws {
    let test = testCore()
    let (client, context) = try clientWithContext(test)
    try getWithTouch(client, in: context)
    for _ in 0..<3 {
      let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
      _ = try client.receive(GotItem.self, request: id)
    }
    #expect(test.driver.captures == 1)
    #expect(test.enclave.state.read { $0.contexts.count } == 1)
    try client.send(InvalidateContext(context: context))
    _ = try client.receive(Done.self)
    #expect(test.enclave.state.read { $0.contexts.isEmpty })
    try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    #expect(try client.receiveFailure() == .invalidContext)
    // Also where no evidence is wanted: who names a context means it.
    try client.ask(FindItems(query: ItemQuery()), .test(), in: context)
    #expect(try client.receiveFailure() == .invalidContext)
    // Invalidating it again is nothing.
    try client.send(InvalidateContext(context: context))
    _ = try client.receive(Done.self)
  }

  @Test("a request that names no context proves everything anew, and leaves none behind")
  func noContext() throws {
    let test = testCore([.match, .match])
    let (client, context) = try clientWithContext(test)
    try getWithTouch(client, in: context)
    try getWithTouch(client, in: Protocol.noContext)
    #expect(test.driver.captures == 2)
    #expect(test.enclave.state.read { $0.contexts.map(\.key.number) } == [context])
  }

  @Test("E4: another connection cannot name a context, nor end it")
  func otherConnection() throws {
    let test = testCore()
    let (client, context) = try clientWithContext(test)
    try getWithTouch(client, in: context)
    let thief = try test.clientWithSensor()
    try thief.ask(GetItem(query: ItemQuery()), .test(), in: context)
    #expect(try thief.receiveFailure() == .invalidContext)
    try thief.send(Evaluate(policy: .owner, context: context, options: .test()))
    #expect(try thief.receiveFailure() == .invalidContext)
    try thief.send(InvalidateContext(context: context))
    _ = try thief.receive(Done.self)
    let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    _ = try client.receive(GotItem.self, request: id)
  }

  @Test("contexts end with their connection, others stay")
  func connectionEnds() throws {
    let test = testCore()
    let (other, kept) = try clientWithContext(test)
    do {
      let (client, _) = try clientWithContext(test)
      try client.send(NewContext())
      _ = try client.receive(ContextOpened.self)
      #expect(test.enclave.state.read { $0.contexts.count } == 3)
    }
    test.enclave.waitUntilAsked(CloseContexts.number)
    let left = test.enclave.state.wait { $0.contexts.count == 1 ? $0.contexts.first?.key : nil }
    #expect(left.number == kept)
    try getWithTouch(other, in: kept)
  }

  @Test("contexts end when another process writes into the connection, whatever it says")
  func otherProcess() throws {
    let test = testCore()
    let (client, context) = try clientWithContext(test)
    try getWithTouch(client, in: context)
    // What needs no answer, and names a request that there is not.
    try write(ClientEnvelope.encode(Cancel(), request: 9999), to: client)
    let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    let failure = try client.receive(Failure.self, request: id)
    #expect(failure.code == .invalidContext)
    #expect(test.enclave.asked.contains(CloseContexts.number))
    #expect(test.enclave.state.read { $0.contexts.isEmpty })
    // The process that opened it may open another one.
    try client.send(NewContext())
    let next = try client.receive(ContextOpened.self).context
    try client.send(Evaluate(policy: .owner, context: next, options: .test(mayPrompt: false)))
    #expect(try client.receiveFailure() == .notInteractive)
    #expect(test.enclave.state.read { $0.contexts.map(\.key.number) } == [next])
  }

  @Test("a context is opened by a process that the core can tell from others")
  func unknownProcess() throws {
    let test = TestCore()
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    // A socket on which the kernel says nothing.
    test.core.serve(
      Descriptor(owning: ends[0]), peer: PeerCredentials(process: getpid(), user: geteuid()))
    let client = FakeClient(Descriptor(owning: ends[1]))
    try client.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "test"))
    _ = try client.receive(Welcome.self)
    try client.send(NewContext())
    #expect(try client.receiveFailure() == .unsupported)
  }

  @Test("who speaks is known by the kernel's word about each message")
  func speakers() {
    var change = SpeakerChange()
    let one = MessageWriter(process: 1, user: 2, group: 3)
    let others = [
      MessageWriter(process: 9, user: 2, group: 3), MessageWriter(process: 1, user: 9, group: 3),
      MessageWriter(process: 1, user: 2, group: 9), nil,
    ]
    for other in others {
      let first = change.speaker(of: one)
      let again = change.speaker(of: one)
      #expect(again == first)
      let second = change.speaker(of: other)
      #expect(second != first)
      let third = change.speaker(of: one)
      #expect(third != first && third != second)
    }
    let unknown = change.speaker(of: nil)
    let stillUnknown = change.speaker(of: nil)
    #expect(stillUnknown != unknown)
  }

  @Test("who cancels permits nothing: what a failed request had proved is gone from the context")
  func cancelled() throws {
    let test = TestCore([.match])
    test.keychain.state.update {
      $0.accessControl = try? AccessControl(parsing: "biometry-any and passcode")
    }
    let (client, context) = try clientWithContext(test)
    let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let prompt = try client.receivePrompt()
    #expect(!prompt.awaitsTouch)
    #expect(test.enclave.state.read { $0.contexts.first?.value } == .biometry)
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
    #expect(test.enclave.state.read { $0.contexts.map(\.value) } == [[]])
  }

  @Test("contexts that the core made for one request cannot be named")
  func requestContexts() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    // The enclave is told of its end too late.
    test.enclave.state.update { $0.lie = (CloseContext.number, Array(Done().encoded().array)) }
    let id = try client.send(Evaluate(policy: .owner, options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    _ = try client.receive(Evaluated.self, request: id)
    let left = try #require(test.enclave.state.read { $0.contexts.first?.key })
    try client.ask(GetItem(query: ItemQuery()), .test(), in: left.number)
    #expect(try client.receiveFailure() == .invalidContext)
  }

  @Test("L8: a policy is satisfied by what the context holds, and that is no new proof")
  func evaluate() throws {
    let test = TestCore([.match])
    let (client, context) = try clientWithContext(test)
    var id = try client.send(Evaluate(policy: .owner, context: context, options: .test()))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let first = try client.receiveAfterProgress(Evaluated.self).value
    #expect(first.evidence == .biometry && first.age == 0)
    let proof = test.core.activity.lastProof
    for policy in [EvaluatedPolicy.owner, .biometrics] {
      id = try client.send(Evaluate(policy: policy, context: context, options: .test()))
      let again = try client.receive(Evaluated.self, request: id)
      #expect(again.evidence == .biometry && again.finger == "thumb" && again.age == 7)
    }
    #expect(test.core.activity.lastProof == proof)
    #expect(test.driver.captures == 1)
  }

  @Test("a passcode in the context satisfies the owner's policy, and not that of biometrics")
  func passcode() throws {
    let test = TestCore([.wait])
    let (client, context) = try clientWithContext(test)
    var id = try client.send(Evaluate(policy: .owner, context: context, options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .passcode)
    id = try client.send(Evaluate(policy: .owner, context: context, options: .test()))
    let again = try client.receive(Evaluated.self, request: id)
    #expect(again.evidence == .passcode && again.finger == nil && again.age == 9)
    id = try client.send(Evaluate(policy: .biometrics, context: context, options: .test()))
    let prompt = try client.receive(Prompt.self)
    #expect(prompt.awaitsTouch)
    try client.answer(prompt, .cancel, request: id)
    #expect(try client.receiveFailure() == .userCancel)
  }

  @Test("FINDINGS A4: an unlock by touch answers a policy in a context, and no request after it")
  func reuse() throws {
    let test = testCore()
    let (client, context) = try clientWithContext(test)
    test.enclave.state.update { $0.reuse = .biometry }
    let id = try client.send(
      Evaluate(policy: .biometrics, reuseSeconds: 300, context: context, options: .test()))
    let answer = try client.receive(Evaluated.self, request: id)
    #expect(answer.evidence == .biometry && answer.age == 7)
    #expect(test.enclave.state.read { $0.contexts.map(\.value) } == [[]])
    try client.ask(GetItem(query: ItemQuery()), .test(), .forbidden, in: context)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
    try getWithTouch(client, in: context)
    #expect(test.driver.captures == 1)
  }

  @Test("a longer reuse and numbers of no context are refused")
  func refused() throws {
    let test = TestCore([.match])
    let (client, context) = try clientWithContext(test)
    try client.send(
      Evaluate(
        policy: .owner, reuseSeconds: longestReuse + 1, context: context, options: .test()))
    #expect(try client.receiveFailure() == .usage)
    for number in [context + 1, UInt64.max] {
      try client.send(Evaluate(policy: .owner, context: number, options: .test()))
      #expect(try client.receiveFailure() == .invalidContext)
    }
    #expect(test.enclave.state.read { $0.contexts.count } == 1)
  }

  @Test("a context that could not be opened, for whatever reason, leaves nothing behind")
  func openingFails() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    test.enclave.state.update {
      $0.lie = (OpenContext.number, Array(Failure(.busy, "too many").encoded().array))
    }
    try client.send(NewContext())
    #expect(try client.receiveFailure() == .busy)
    #expect(test.enclave.asked.contains(CloseContext.number))
  }

  @Test("a context that could not be closed when it should is closed with the connection")
  func leftOpen() throws {
    let test = TestCore()
    _ = try test.core.enclaves.enclave()
    let contexts = ClientContexts(of: Requester(application: "uid:1", connection: 1))
    contexts.end(test.core.enclaves)
    #expect(!test.enclave.asked.contains(CloseContexts.number))
    contexts.noteLeftOpen()
    for _ in 0..<2 { contexts.end(test.core.enclaves) }
    #expect(test.enclave.asked.count { $0 == CloseContexts.number } == 1)
  }

  @Test("of a thousand clients that keep a context open those that are served have theirs")
  func thousandClients() throws {
    let clock = TestClock()
    let test = TestCore(clock: clock.boot) { $0.admission.places = 64 }
    var clients: [FakeClient] = []
    for number in 0..<1000 {
      let client = try test.greetedClient(from: Int32(1000 + number))
      try client.send(NewContext())
      _ = try client.receive(ContextOpened.self)
      clients.append(client)
      // Those gave their places up long ago.
      if clients.count > 100 { clients.removeFirst() }
      clock.advance(seconds: 2)
    }
    // The others gave their places up, and their contexts with them.
    let places = test.core.limits.admission.places
    let left = test.enclave.state.wait { $0.contexts.count <= places ? $0.contexts.count : nil }
    #expect(left == places)
    clients = []
    test.enclave.state.wait { $0.contexts.isEmpty ? () : nil }
  }

  /// Has another process write a message into the client's end.
  private func write(_ message: borrowing SecretBytes, to client: FakeClient) throws {
    let pipe = try Pipe(nonBlocking: .writer)
    let bytes = [0, 0, 0, UInt8(message.count)] + message.array
    #expect(unsafe Glibc.write(pipe.writer, bytes, bytes.count) == bytes.count)
    var launch = ProgramLaunch(path: "/usr/bin/head", arguments: ["-c", "\(bytes.count)"])
    launch.standardStreams = [pipe.reader, client.stream.descriptor.number, nil]
    #expect(try launch.start().wait() == .exited(0))
  }
}
