import LinuxSystem
import Protocol
import Synchronization

/// One client: what it sends is read by the loop's thread, and its requests run one at a time, in the
/// order they came, each when it has its turn.
///
/// Whatever the client sends or leaves out, nobody else is disturbed: garbage and floods are
/// answered with a failure and the end of the connection.
final class ClientConnection: Sendable {
  private struct Life: Sendable {
    var queue: RequestQueue
    /// How far the client has introduced itself.
    var greeting: Greeting
    /// A request runs, or one of this connection waits for its turn.
    var hasTurn = false
    /// What the connection held is being given back.
    var isSettled = false

    /// Takes the turn for the next request that waits, if not more than `waiting` do.
    /// - Returns: whether there is one and none runs.
    mutating func takeTurn(atMost waiting: Int = .max) -> Bool {
      guard !hasTurn, !queue.isClosed, 1...waiting ~= queue.waitingCount else { return false }
      hasTurn = true
      return true
    }
  }

  let core: Core
  let link: ClientLink
  let sensors: SensorSource
  private let contexts: ClientContexts
  private let reader: ClientReader
  private let life: Mutex<Life>
  /// Ends the patience with a message that does not end.
  private let timer: EventLoop.Name

  /// Messages that are taken before others have their turn at the loop.
  private static let messagesAtOnce = 8

  /// A connection from which nothing is read yet.
  init(core: Core, link: ClientLink, after greeting: Greeting) {
    self.core = core
    self.link = link
    sensors = SensorSource(core: core)
    contexts = ClientContexts(
      of: Requester(application: link.application, connection: core.names.next()))
    reader = ClientReader(
      core.secrets, of: link.peer,
      mostDescriptors: core.isService ? 0 : MessageStream.maximumDescriptors)
    var queue = RequestQueue(at: core.clock.now())
    if greeting.isOver { queue.noteGreeting() }
    life = Mutex(Life(queue: queue, greeting: greeting))
    timer = core.connections.loop.newName()
  }

  /// What it does with its place.
  var place: AdmissionRules.Place {
    AdmissionRules.Place(
      process: link.peer.process, standing: life.withLock { $0.queue.standing })
  }

  /// Reads what the client sends from here on.
  func start() {
    guard !link.startReceiving(for: self) else { return }
    close(Failure(.coreFailed, "the kernel cannot watch another connection"))
  }

  /// Ends the connection: nothing more is read, the request under way is interrupted for `reason`
  /// and answered with it.
  func close(_ reason: Failure) {
    life.withLock { $0.queue.close(reason) }
    stopReading()
  }

  /// Ends the connection for `reason`, unless a request is under way.
  /// - Returns: whether it ends; the client is told so.
  func giveWay(_ reason: Failure) -> Bool {
    guard life.withLock({ $0.queue.closeIfQuiet(reason) }) else { return false }
    stopReading()
    return true
  }

  private func stopReading() {
    link.stopReceiving()
    // By the loop: whoever closes connections may hold a lock.
    core.connections.loop.post { [self] in
      core.connections.close(sent: reader.end(), of: owner)
      core.connections.loop.cancel(timer)
      settle()
    }
  }

  // MARK: Reading

  /// Deals with one message.
  /// - Returns: false when nothing more is to be read for the moment, or ever.
  private func takeMessage() -> Bool {
    // What more it has sent is closed with its socket.
    guard !core.connections.isClosing(for: owner.user) else {
      close(Failure(.systemCancel, "descriptors that this user's programs sent are being closed"))
      return false
    }
    switch reader.next(from: link.socket) {
    case .message(let message, let share, let speaker):
      core.connections.loop.cancel(timer)
      core.noteActivity()
      if message.isWhole ? route(message, share, of: speaker) : turnAway(message) { return true }
    case .nothing(let isInside):
      if isInside { beginPatience() }
      return false
    case .end(let error):
      switch error {
      case .closed, .truncated, .system: break
      case .timedOut, .tooLong, .tooManyDescriptors: refuse(0, "\(error)")
      }
    }
    close(Failure(.systemCancel, "the client is gone"))
    return false
  }

  /// A message ends in time, or the connection does.
  private func beginPatience() {
    let due = Deadline.now + UInt64(core.limits.messageMilliseconds) * 1_000_000
    core.connections.loop.begin(timer, at: due) { [weak self] in
      self?.refuse(0, "\(StreamError.timedOut)")
      self?.close(Failure(.systemCancel, "the client is gone"))
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
      if let objection = link.program?.objection(to: message.writer) {
        refuse(objection, identifier)
        return false
      }
      let (count, limit) = (message.bytes.count, ClientEnvelope.longestRequest(of: header.number))
      guard count <= limit else { throw DecodeError.tooLong(count: count, limit: limit) }
      guard message.descriptors.count == 0 || header.number == UseDriver.number else {
        refuse(identifier, "message \(header.number) brings a descriptor")
        return false
      }
      switch header.number {
      case Cancel.number:
        let _: Cancel = try ClientEnvelope.decode(message.bytes.bytes)
        cancel(identifier)
        return true
      case PromptAnswer.number:
        return deliver(try ClientEnvelope.decode(message.bytes), share, to: identifier)
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
    switch life.withLock({ $0.queue.admit(request, limit: limit) }) {
    case .admitted:
      // `Hello` waits for nobody, and the client for its answer.
      if request.number == Hello.number, life.withLock({ $0.takeTurn(atMost: 1) }) {
        runNext(nil)
      } else {
        advance()
      }
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
    guard life.withLock({ $0.queue.cancel(identifier) }) == .removed else { return }
    let failure = Failure(.appCancel, "the application cancelled the request")
    _ = link.send(ClientEnvelope.encode(failure, request: identifier))
  }

  private func deliver(
    _ answer: consuming PromptAnswer, _ share: SecretLedger.Share?, to identifier: UInt32
  ) -> Bool {
    guard let inbox = life.withLock({ $0.queue.inbox(of: identifier) }) else { return true }
    let (prompt, kind) = (answer.prompt, answer.kind)
    let event: RequestEvent =
      switch kind {
      case .shown: .shown
      case .cancel: .cancelPressed
      case .fallback: .fallbackChosen
      case .passcode, .harmlessPasscode:
        .passcodeGiven(
          SharedSecret(
            answer.passcode.shared(), asTyped: answer.asTyped.shared(),
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

  /// Of a program of root's that asks for a user the user: who has many of those wait, by `sudo` for
  /// example, takes no other user's turns.
  private var owner: TurnOrder.Owner {
    TurnOrder.Owner(user: core.user, process: link.peer.process)
  }

  /// Has the next request wait for its turn, unless one runs, or the client has not taken what the
  /// last one sent.
  private func advance() {
    guard !link.hasUnsent, life.withLock({ $0.takeTurn() }) else { return }
    core.connections.turns.add(owner) { [self] turn in runNext(turn) }
  }

  /// Runs the next request; without a turn only what waits for nothing.
  private func runNext(_ turn: RequestTurns.Turn?) {
    let inbox = RequestInbox()
    var hasTurn = true
    if let request = life.withLock({ $0.queue.start(with: inbox) }) {
      run(request, inbox, turn, &hasTurn)
    }
    let isClosed = life.withLock { life in
      if hasTurn { life.hasTurn = false }
      return life.queue.isClosed
    }
    if isClosed {
      core.connections.loop.post { [self] in settle() }
    } else {
      advance()
    }
  }

  /// Runs a request that has the connection's turn; afterwards `hasTurn` says whether it still does.
  private func run(
    _ request: QueuedRequest, _ inbox: RequestInbox, _ turn: RequestTurns.Turn?,
    _ hasTurn: inout Bool
  ) {
    guard var message = request.take() else { return }
    var greeting = life.withLock { $0.greeting }
    let outcome = run(request, &message, inbox, &greeting, turn)
    let (reached, now) = (greeting, core.clock.now())
    core.noteActivity()
    // Before the answer: its arrival makes the id free for the client.
    func finish(givingTurn: Bool) {
      life.withLock { life in
        life.greeting = reached
        if reached.isOver { life.queue.noteGreeting() }
        life.queue.finish(at: now)
        if givingTurn { life.hasTurn = false }
      }
      hasTurn = !givingTurn
    }
    // What the request took of the locked memory is in use until the client has its answer. The
    // request that this brings may run before this thread comes back from sending it.
    switch consume outcome {
    case .reply(let reply):
      _ = link.send(reply, holding: request) { finish(givingTurn: true) }
    case .failure(let failure):
      let reply = ClientEnvelope.encode(failure, request: request.identifier)
      _ = link.send(reply) { finish(givingTurn: true) }
    case .refusal(let objection):
      finish(givingTurn: false)
      refuse(objection, request.identifier)
      close(Failure(.systemCancel, "the client is gone"))
    case .garbage(let error):
      finish(givingTurn: false)
      refuse(request.identifier, "\(error)")
      close(Failure(.systemCancel, "the client is gone"))
    }
    withExtendedLifetime(request) {}
    if reached == .quitting { core.requestEnd() }
  }

  // MARK: The end

  /// Gives back what the connection held, when its last request has ended. The loop's thread.
  private func settle() {
    let isDue = life.withLock { life in
      guard life.queue.isClosed, !life.hasTurn, !life.isSettled else { return false }
      life.isSettled = true
      return true
    }
    guard isDue else { return }
    if let reason = life.withLock({ $0.queue.farewell }) {
      link.sendAtOnce(ClientEnvelope.encode(reason, request: 0))
      link.disconnect()
    }
    guard contexts.mayBeOpen || sensors.isRunning else { return core.forget(self) }
    // An enclave or a driver that does not answer must not hold up the loop.
    core.connections.turns.add(owner) { [self] _ in
      contexts.end(core.enclaves)
      sensors.end()
      core.forget(self)
    }
  }

  private func run(
    _ request: QueuedRequest, _ message: inout ReceivedMessage, _ inbox: RequestInbox,
    _ greeting: inout Greeting, _ turn: RequestTurns.Turn?
  ) -> RequestOutcome {
    if let outcome = greeting.handle(request, message.bytes, of: self) { return outcome }
    // Here and not when it arrived: the answer may take a moment, and the loop must not wait for it.
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
      let call = Call(
        core: core, link: link, sensors: sensors, contexts: contexts, inbox: inbox,
        request: request, enclave: enclave, turn: turn)
      return entry(call, message.bytes)
    } catch {
      return .failure(error)
    }
  }
}

extension ClientConnection: LinkReader {
  func messagesArrived() {
    for _ in 0..<Self.messagesAtOnce {
      guard !life.withLock({ $0.queue.isClosed }), takeMessage() else { return }
    }
  }

  func allIsSent() { advance() }
}
