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
    func add<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
      _ method: @escaping @Sendable (Call) -> (consuming Request) throws(Failure) -> Reply,
      as event: AuditRecord.Event? = nil
    ) {
      entries[Request.number] = entry(event) { (call, request) throws(Failure) in
        ClientEnvelope.encode(try method(call)(request), request: call.identifier)
      }
    }
    add(Call.status)
    add(Call.serviceTroubles)
    add(Call.canEvaluate)
    add(Call.evaluate, as: .authenticate)
    add(Call.unlock)
    add(Call.setPasscode, as: .passcodeSet)
    add(Call.changePasscode, as: .passcodeChange)
    add(Call.removePasscode, as: .passcodeRemove)
    add(Call.migrateRootKey, as: .rootKeyMove)
    add(Call.abandonLostDevice, as: .stateSetAside)
    add(Call.enrollFinger, as: .fingerEnroll)
    add(Call.testFinger, as: .fingerTest)
    add(Call.workOnReader)
    add(Call.newContext)
    add(Call.invalidateContext)
    add(Call.serveAsAgent)
    add(Call.takeStateBytes)
    add(Call.takeStateFile)
    add(Call.adoptState, as: .statePutIn)
    entries[EngineRequest.number] = entry(nil) { (call, request) throws(Failure) in
      try call.forward(request)
    }
    return entries
  }()

  /// Runs a request whose reply `body` encodes; an event is written down with its outcome.
  private static func entry<Request: WireMessage & ~Copyable>(
    _ event: AuditRecord.Event?,
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> SecretBytes
  ) -> Entry {
    { call, bytes in
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
    if request.number == ActFor.number { return actFor(request.identifier, &message) }
    if request.number != GetStatus.number, let objection = core.objection(toDoor: link) {
      return .failure(objection)
    }
    if request.number == UseDriver.number { return useDriver(request.identifier, &message) }
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

  /// Has a door act for the process whose descriptor it sends.
  private func actFor(_ identifier: UInt32, _ message: inout ReceivedMessage) -> RequestOutcome {
    let request: ActFor
    do throws(DecodeError) {
      request = try ClientEnvelope.decode(message.bytes.bytes)
    } catch {
      return .garbage(error)
    }
    do throws(Failure) {
      let acting = try core.begin(request, message.descriptors.takeFirst(), of: link)
      return .reply(ClientEnvelope.encode(acting, request: identifier))
    } catch {
      return .failure(error)
    }
  }

  /// Looks up the driver a client named and checks its options; opens nothing.
  private func useDriver(_ identifier: UInt32, _ message: inout ReceivedMessage) -> RequestOutcome {
    let request: UseDriver
    do throws(DecodeError) {
      request = try ClientEnvelope.decode(message.bytes.bytes)
    } catch {
      return .garbage(error)
    }
    var log: DriverLog?
    if message.descriptors.count > request.options.count(where: \.hasDescriptor),
      let file = message.descriptors.takeLast()
    {
      log = DriverLog(file)
    }
    let files = DescriptorList(taking: &message.descriptors)
    do throws(Failure) {
      sensors.choose(try DriverChoice(request, files, log: log, in: core))
      return .reply(ClientEnvelope.encode(Done(), request: identifier))
    } catch {
      return .failure(error)
    }
  }
}
