import ClientProtocol
import LinuxSystem
import Wire

/// One client: a thread that reads its messages and a thread that runs its requests, one at a time.
///
/// Whatever the client sends or leaves out, nobody else is disturbed: garbage and floods are
/// answered with a failure and the end of the connection.
final class ClientConnection: Sendable {
  let core: Core
  let link: ClientLink
  let sensors: SensorSource
  private let contexts: ClientContexts
  /// How far the client had introduced itself before.
  private let greeting: Greeting
  private let queue: Guarded<RequestQueue>
  /// Wakes the thread that runs requests.
  private let arrived: WakePipe

  /// A connection whose threads have not started.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  init(core: Core, link: ClientLink, after greeting: Greeting) throws(Failure) {
    arrived = try WakePipe()
    self.core = core
    self.link = link
    sensors = SensorSource(core: core)
    contexts = ClientContexts(
      of: Requester(application: link.application, connection: core.names.next()))
    self.greeting = greeting
    queue = Guarded(RequestQueue(at: core.clock.now()))
    if greeting.isOver { queue.update { $0.noteGreeting() } }
  }

  /// What it does with its place.
  var place: AdmissionRules.Place {
    AdmissionRules.Place(
      process: link.peer.process, standing: queue.read { $0.standing })
  }

  /// Starts both threads; they end with the connection.
  func start() {
    SystemThread.start(name: "client-read") { [self] in read() }
    SystemThread.start(name: "client-work") { [self] in work() }
  }

  /// Ends the connection: nothing more is read, the request under way is interrupted for `reason`
  /// and answered with it.
  func close(_ reason: Failure) {
    queue.update { $0.close(reason) }
    arrived.wake()
    link.stopReceiving()
  }

  /// Ends the connection for `reason`, unless a request is under way.
  /// - Returns: whether it ends; its threads say so to the client and go.
  func giveWay(_ reason: Failure) -> Bool {
    guard queue.update({ $0.closeIfQuiet(reason) }) else { return false }
    arrived.wake()
    link.stopReceiving()
    return true
  }

  // MARK: Reading

  private func read() {
    var change = SpeakerChange()
    while true {
      var share: SecretLedger.Share?
      guard let message = receive(&share) else { break }
      core.noteActivity()
      let speaker = change.speaker(of: message.writer)
      guard message.isWhole ? route(message, share, of: speaker) : turnAway(message) else { break }
    }
    close(Failure(.systemCancel, "the client is gone"))
  }

  /// The next message, with the locked memory it holds; nil: the connection has to end.
  private func receive(_ share: inout SecretLedger.Share?) -> ReceivedMessage? {
    do throws(StreamError) {
      var room: SecretLedger.Share?
      let message = try link.receive { count in
        room = core.secrets.room(forRequest: count, of: link.peer.process)
        return room != nil
      }
      share = room
      return message
    } catch {
      switch error {
      case .closed, .truncated, .system: break
      case .timedOut, .tooLong: refuse(0, "\(error)")
      }
      return nil
    }
  }

  /// Handles or queues one message.
  /// - Returns: false when the connection has to end.
  private func route(
    _ message: consuming ReceivedMessage, _ share: SecretLedger.Share?, of speaker: UInt64
  ) -> Bool {
    var identifier: UInt32 = 0
    do {
      let header = try ClientEnvelope.header(message.bytes.bytes)
      identifier = header.request
      let (count, limit) = (message.bytes.count, ClientEnvelope.longestRequest(of: header.number))
      guard count <= limit else { throw DecodeError.tooLong(count: count, limit: limit) }
      switch header.number {
      case Cancel.number:
        let _: Cancel = try ClientEnvelope.decode(message.bytes.bytes)
        cancel(identifier)
        return true
      case PromptAnswer.number:
        return deliver(try ClientEnvelope.decode(message.bytes.bytes), share, to: identifier)
      default:
        return admit(
          QueuedRequest(
            number: header.number, identifier: identifier, speaker: speaker, message, share))
      }
    } catch {
      refuse(identifier, "\(error)")
      return false
    }
  }

  /// Answers a request for which there was no locked memory; only its beginning was kept.
  /// - Returns: false when the connection has to end: what answers a prompt has no answer itself.
  private func turnAway(_ beginning: borrowing ReceivedMessage) -> Bool {
    do throws(DecodeError) {
      let header = try ClientEnvelope.header(beginning.bytes.bytes)
      guard header.number != PromptAnswer.number, header.number != Cancel.number else {
        refuse(SecretLedger.full, header.request)
        return false
      }
      return link.send(ClientEnvelope.encode(SecretLedger.full, request: header.request))
    } catch {
      refuse(0, "\(error)")
      return false
    }
  }

  private func admit(_ request: QueuedRequest) -> Bool {
    let limit = core.limits.waitingRequests
    switch queue.update({ $0.admit(request, limit: limit) }) {
    case .admitted:
      arrived.wake()
      return true
    case .tooMany:
      refuse(
        Failure(.busy, "more than \(limit) requests of one connection wait"), request.identifier)
    case .idInUse:
      refuse(request.identifier, "a request of the same id has not been answered")
    }
    return false
  }

  private func cancel(_ identifier: UInt32) {
    guard queue.update({ $0.cancel(identifier) }) == .removed else { return }
    let failure = Failure(.appCancel, "the application cancelled the request")
    _ = link.send(ClientEnvelope.encode(failure, request: identifier))
  }

  private func deliver(
    _ answer: consuming PromptAnswer, _ share: SecretLedger.Share?, to identifier: UInt32
  ) -> Bool {
    guard let inbox = queue.read({ $0.inbox(of: identifier) }) else { return true }
    let (prompt, kind) = (answer.prompt, answer.kind)
    let event: RequestEvent =
      switch kind {
      case .shown: .shown
      case .cancel: .cancelPressed
      case .fallback: .fallbackChosen
      case .passcode, .harmlessPasscode:
        .passcodeGiven(
          SharedSecret(
            answer.passcode.duplicate(), asTyped: answer.asTyped.duplicate(),
            mayErase: kind == .passcode, share))
      case .noPasscode: .noPasscode
      }
    if inbox.post(event, toOwnPrompt: prompt, atMost: core.limits.pendingAnswers) { return true }
    refuse(Failure(.busy, "a prompt was answered too often, or one that nobody sent"), identifier)
    return false
  }

  private func refuse(_ identifier: UInt32, _ reason: String) {
    refuse(
      Failure(
        .usage, "the core does not understand its client: \(reason)",
        hint: "the client may be of another version than the core"), identifier)
  }

  /// Says why, and ends the connection.
  private func refuse(_ failure: Failure, _ identifier: UInt32) {
    _ = link.send(ClientEnvelope.encode(failure, request: identifier))
    link.disconnect()
  }

  // MARK: Running

  private enum Work {
    case run(QueuedRequest, RequestInbox)
    case over
  }

  private func work() {
    var greeting = self.greeting
    while case .run(let request, let inbox) = next() {
      guard var message = request.take() else { continue }
      let outcome = run(request, &message, inbox, &greeting)
      let (isGreeted, now) = (greeting.isOver, core.clock.now())
      // Before the answer: its arrival makes the id free for the client.
      queue.update { queue in
        if isGreeted { queue.noteGreeting() }
        queue.finish(at: now)
      }
      core.noteActivity()
      switch consume outcome {
      case .reply(let reply): _ = link.send(reply)
      case .failure(let failure):
        _ = link.send(ClientEnvelope.encode(failure, request: request.identifier))
      case .garbage(let error): refuse(request.identifier, "\(error)")
      }
      // Until here: what it took of the locked memory was in use.
      withExtendedLifetime(request) {}
      if greeting == .quitting { core.requestEnd() }
    }
    if let reason = queue.read({ $0.farewell }) {
      link.sendAtOnce(ClientEnvelope.encode(reason, request: 0))
      link.disconnect()
    }
    contexts.end(core.enclaves)
    sensors.end()
    core.forget(self)
  }

  private func next() -> Work {
    arrived.wait(on: queue) { queue in
      if queue.isClosed { return .over }
      let inbox = RequestInbox()
      return queue.start(with: inbox).map { .run($0, inbox) }
    }
  }

  private func run(
    _ request: QueuedRequest, _ message: inout ReceivedMessage, _ inbox: RequestInbox,
    _ greeting: inout Greeting
  ) -> RequestOutcome {
    if let outcome = greeting.handle(request, message.bytes, of: self) { return outcome }
    if request.number == UseDriver.number {
      return useDriver(request.identifier, &message)
    }
    if request.number == GiveStateFile.number {
      return takeStateFile(request.identifier, &message)
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
      let call = Call(
        core: core, link: link, sensors: sensors, contexts: contexts, inbox: inbox,
        request: request, enclave: enclave)
      return entry(call, message.bytes)
    } catch {
      return .failure(error)
    }
  }
}
