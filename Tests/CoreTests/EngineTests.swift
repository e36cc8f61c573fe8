import Glibc
import LinuxSystem
import Protocol
import Synchronization
import Testing

@testable import AuthCore

@Suite("Engines in the core")
struct EngineTests {
  @Test("between two requests, and after a caller has left, the keychain reaches no enclave")
  func linkWithoutRequest() throws {
    let test = TestCore()
    let link = KeychainEnclaveLink()
    let hash = HashAttributes(values: []).encoded()
    func isRefused() -> Bool {
      let reply = link.forward(hash.bytes)
      return EngineAnswer.number(of: reply ?? SecretBytes(count: 0)) == Failure.number
        && !test.enclave.asked.contains(HashAttributes.number)
    }
    #expect(isRefused())
    let enclave = try test.core.enclaves.enclave()
    let context = ContextName(noContext, of: Requester(application: "uid:1", connection: 1))
    let first = KeychainEnclaveLink.Ticket(enclave, context: context)
    let second = KeychainEnclaveLink.Ticket(enclave, context: context)
    link.begin(first)
    link.end(first)
    #expect(isRefused())
    link.begin(second)
    link.end(first)
    _ = link.forward(hash.bytes)
    #expect(test.enclave.asked.contains(HashAttributes.number), "only its own caller ends it")
    test.core.end()
  }

  @Test(
    "events that come before a reply are delivered, and so are those that come while nobody calls")
  func eventsAroundCalls() throws {
    let host = FakeHost("enclave", code: .engineFailed) { host, _ in
      host.say(.event(TouchEvent(session: 7, outcome: .retry(reason: 1)).encoded().array))
      host.say(.reply(Done().encoded().array))
    }
    let enclave = EnclaveClient(host, limits: CoreLimits())
    let inbox = RequestInbox()
    enclave.listen(to: 7, inbox)
    for _ in 0..<100 { try enclave.tell(LockDevice()) }
    host.say(.event(TouchEvent(session: 7, outcome: .retry(reason: 1)).encoded().array))
    for _ in 0...100 {
      guard case .touch(let event) = try inbox.next() else { continue }
      #expect(event.session == 7)
    }
    enclave.end()
  }

  @Test("an engine is made, called and destroyed on one thread of its own")
  func oneThread() throws {
    let threads = Mutex<Set<UInt>>([])
    let engine = try EngineThread(name: "test", milliseconds: 600_000, whenLate: .waitForReturn) {
      () throws(Failure) in
      threads.withLock { _ = $0.insert(UInt(pthread_self())) }
      return { (request) throws(Failure) in
        threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        return request.duplicate()
      }
    }
    try engine.waitUntilReady()
    for byte in 0..<10 as Range<UInt8> { #expect(try engine.echo(byte) == [byte]) }
    engine.end()
    #expect(threads.withLock { $0.count } == 1)
    #expect { try engine.echo(1) } throws: { ($0 as? Failure)?.code == .systemCancel }
  }

  @Test("an engine that cannot be made says why; one that broke is made anew, not called again")
  func broken() throws {
    let unloadable = try EngineThread(
      name: "test", milliseconds: 600_000, whenLate: .waitForReturn
    ) { () throws(Failure) in throw Failure(.engineFailed, "no symbol") }
    #expect(throws: Failure(.engineFailed, "no symbol")) { try unloadable.waitUntilReady() }
    #expect(throws: Failure(.engineFailed, "no symbol")) { try unloadable.echo(1) }
    let loads = Atomic<Int>(0)
    let engine = try EngineThread(name: "test", milliseconds: 600_000, whenLate: .waitForReturn) {
      () throws(Failure) in
      let load = loads.wrappingAdd(1, ordering: .relaxed).newValue
      var calls = 0
      return { (request) throws(Failure) in
        calls += 1
        guard load == 3, calls < 3 else { throw Failure(.engineFailed, "broken \(load).\(calls)") }
        return request.duplicate()
      }
    }
    for round in 1...2 {
      #expect(throws: Failure(.engineFailed, "broken \(round).1")) { try engine.echo(1) }
    }
    #expect(try engine.echo(1) == [1])
    #expect(try engine.echo(2) == [2])
    #expect(throws: Failure(.engineFailed, "broken 3.3")) { try engine.echo(1) }
  }

  @Test("a request that meets the end of its engine is told so, and does not wait for its deadline")
  func endMeetsRequest() throws {
    let gate = Guarded((isIn: false, isOpen: false))
    let engine = try EngineThread(name: "test", milliseconds: 600_000, whenLate: .waitForReturn) {
      () throws(Failure) in
      { (request) throws(Failure) in
        gate.update { $0.isIn = true }
        gate.wait { $0.isOpen ? () : nil }
        return request.duplicate()
      }
    }
    let outcomes = Guarded([Bool]())
    for _ in 0..<3 {
      SystemThread.start(name: "caller") {
        let outcome = Result { try engine.echo(7) }
        let isRight =
          switch outcome {
          case .success(let bytes): bytes == [7]
          case .failure(let failure): (failure as? Failure)?.code == .systemCancel
          }
        outcomes.update { $0.append(isRight) }
      }
    }
    gate.wait { $0.isIn ? () : nil }
    SystemThread.start(name: "ender") { engine.end() }
    gate.update { $0.isOpen = true }
    let all = outcomes.wait { $0.count == 3 ? $0 : nil }
    #expect(all == [true, true, true])
  }

  @Test("an engine that does not get made is waited for no longer than a request")
  func neverMade() throws {
    let gate = Guarded(false)
    let engine = try EngineThread(name: "test", milliseconds: 20, whenLate: .waitForReturn) {
      () throws(Failure) in
      gate.wait { $0 ? () : nil }
      throw Failure(.engineFailed, "late")
    }
    #expect { try engine.waitUntilReady() } throws: {
      ($0 as? Failure)?.message.contains("does not start") == true
    }
    gate.update { $0 = true }
  }

  @Test(
    "any bytes an engine answers with are a reply or a failure",
    arguments: [[], [0], [0, 0, 0, 0, 99, 0], [1], [1, 1], [3], [255]] as [[UInt8]])
  func answers(bytes: [UInt8]) {
    let answer = SecretBytes(copying: bytes.span)
    let isDone = bytes == [1]
    do throws(Failure) {
      _ = try EngineAnswer.decode(answer, as: Done.self, from: "test")
      #expect(isDone)
    } catch {
      #expect(!isDone && error.code == .engineFailed)
    }
  }

  @Test("a policy that never comes to a decision is stopped")
  func endlessPolicy() throws {
    let test = TestCore([], { $0.evaluationSteps = 4 }) { _ in PolicyStep(.awaitPasscode).encoded()
    }
    let client = try test.greetedClient()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    for _ in 0..<4 {
      let prompt = try client.receive(Prompt.self)
      try client.answer(prompt, .passcode, "wrong", request: id)
    }
    #expect(try client.receiveFailure() == .engineFailed)
  }

  @Test("a policy that speaks nonsense fails the request")
  func nonsensePolicy() throws {
    let test = TestCore([], { _ in }) { _ in SecretBytes(copying: ([3, 9] as [UInt8]).span) }
    let client = try test.greetedClient()
    try client.send(CanEvaluate(policy: .owner))
    #expect(try client.receiveFailure() == .engineFailed)
  }
}

extension EngineThread {
  /// Sends one byte and gives what comes back.
  fileprivate func echo(_ byte: UInt8) throws(Failure) -> [UInt8] {
    try call(nil) { () throws(Failure) in
      SecretBytes(copying: [byte].span)
    } read: { (reply) throws(Failure) in
      reply.array
    }
  }
}
