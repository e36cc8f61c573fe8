import LinuxSystem
import Protocol

/// The result of a request.
enum RequestOutcome: ~Copyable {
  /// The encoded reply.
  case reply(SecretBytes)
  case failure(Failure)
  /// A failure, after which the connection ends.
  case refusal(Failure)
  /// The bytes are not the message that they should be.
  case garbage(DecodeError)
}

/// The requests that a greeted client may make, by message number. Anything else is garbage.
enum RequestTable {
  typealias Entry = @Sendable (Call, borrowing SecretBytes) -> RequestOutcome

  static let entries: [UInt8: Entry] = {
    var entries: [UInt8: Entry] = [:]
    add(GetStatus.self, nil, &entries) { (call, _) throws(Failure) in try call.status() }
    add(GetServiceTroubles.self, nil, &entries) { (call, _) throws(Failure) in
      call.core.serviceTroubles()
    }
    add(CanEvaluate.self, nil, &entries) { (call, request) throws(Failure) in
      try call.canEvaluate(request)
    }
    add(Evaluate.self, .authenticate, &entries) { (call, request) throws(Failure) in
      try call.evaluate(request)
    }
    add(UnlockDevice.self, nil, &entries) { (call, request) throws(Failure) in
      try call.unlock(request)
    }
    add(SetPasscode.self, .passcodeSet, &entries) { (call, request) throws(Failure) in
      try call.setPasscode(request)
    }
    add(ChangePasscode.self, .passcodeChange, &entries) { (call, request) throws(Failure) in
      try call.changePasscode(request)
    }
    add(RemovePasscode.self, .passcodeRemove, &entries) { (call, request) throws(Failure) in
      try call.removePasscode(request)
    }
    add(MigrateRootKey.self, .rootKeyMove, &entries) { (call, request) throws(Failure) in
      try call.migrateRootKey(request)
    }
    add(AbandonLostDevice.self, .stateSetAside, &entries) { (call, _) throws(Failure) in
      try call.abandonLostDevice()
    }
    add(EnrollFinger.self, .fingerEnroll, &entries) { (call, request) throws(Failure) in
      try call.enrollFinger(request)
    }
    add(TestFinger.self, .fingerTest, &entries) { (call, request) throws(Failure) in
      try call.testFinger(request)
    }
    add(NewContext.self, nil, &entries) { (call, request) throws(Failure) in
      try call.newContext(request)
    }
    add(InvalidateContext.self, nil, &entries) { (call, request) throws(Failure) in
      try call.invalidateContext(request)
    }
    add(BecomeAgent.self, nil, &entries) { (call, _) throws(Failure) -> Done in
      try call.serveAsAgent()
    }
    add(GiveStateBytes.self, nil, &entries) { (call, request) throws(Failure) in
      try call.takeStateBytes(request)
    }
    add(GiveStateFile.self, nil, &entries) { (call, request) throws(Failure) in
      try call.takeStateFile(request)
    }
    add(AdoptState.self, .statePutIn, &entries) { (call, _) throws(Failure) in
      try call.adoptState()
    }
    forward(EngineRequest.self, nil, &entries) { (call, request) throws(Failure) in
      try call.forward(request)
    }
    return entries
  }()

  private static func add<
    Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable
  >(
    _ type: Request.Type, _ event: AuditRecord.Event?, _ entries: inout [UInt8: Entry],
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> Reply
  ) {
    forward(type, event, &entries) { (call, request) throws(Failure) in
      ClientEnvelope.encode(try body(call, request), request: call.identifier)
    }
  }

  /// Adds a request that encodes its own reply. An event is written down with its outcome.
  private static func forward<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ event: AuditRecord.Event?, _ entries: inout [UInt8: Entry],
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> SecretBytes
  ) {
    entries[Request.number] = { call, bytes in
      let request: Request
      do throws(DecodeError) {
        request = try ClientEnvelope.decode(bytes)
      } catch {
        return .garbage(error)
      }
      do throws(Failure) {
        let reply = try body(call, request)
        if let event { call.note(event) }
        return .reply(reply)
      } catch {
        if let event { call.note(event, outcome: error.code.rawValue) }
        return .failure(error)
      }
    }
  }
}

extension ClientConnection {
  /// Runs a request, if its client may make it.
  func answer(
    _ request: QueuedRequest, _ message: inout ReceivedMessage, _ inbox: RequestInbox,
    _ greeting: inout Greeting, _ turn: RequestTurns.Turn?
  ) -> RequestOutcome {
    if let outcome = greeting.handle(request, message.bytes, of: self) { return outcome }
    // Not when it arrived: this may take a moment, and the loop must not wait.
    if let objection = link.program?.objectionToProgram() { return .refusal(objection) }
    if request.number == UseDriver.number {
      return useDriver(request.identifier, &message)
    }
    guard let entry = RequestTable.entries[request.number] else {
      return .garbage(.unknownMessage(number: request.number))
    }
    do throws(Failure) {
      contexts.prepare(for: request.speaker, core.enclaves)
      let enclave = try core.enclaves.enclave()
      enclave.watch(inbox)
      defer {
        enclave.stopWatching(inbox)
        sensors.release()
        core.touchTurn.end(inbox)
      }
      let call = Call(self, request, inbox, enclave, turn)
      return entry(call, message.bytes)
    } catch {
      return .failure(error)
    }
  }

  /// Looks up the driver a client named and checks its options; opens nothing.
  private func useDriver(
    _ identifier: UInt32, _ message: inout ReceivedMessage
  ) -> RequestOutcome {
    let request: UseDriver
    do throws(DecodeError) {
      request = try ClientEnvelope.decode(message.bytes.bytes)
    } catch {
      return .garbage(error)
    }
    let files = DescriptorList(taking: &message.descriptors)
    do throws(Failure) {
      sensors.choose(try DriverChoice(request, files, in: core))
      return .reply(ClientEnvelope.encode(Done(), request: identifier))
    } catch {
      return .failure(error)
    }
  }
}
