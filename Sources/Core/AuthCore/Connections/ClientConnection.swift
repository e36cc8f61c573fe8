import LinuxSystem
import Protocol
import Synchronization

/// One client. The loop's thread reads what it sends. Its requests run one at a time, in order,
/// each when it gets its turn.
///
/// A client cannot disturb others: garbage and floods are answered with a failure and the end of
/// the connection.
final class ClientConnection: Sendable {
  let core: Core
  let link: ClientLink
  let sensors: SensorSource
  let contexts: ClientContexts
  private let reader: ClientReader
  private let queue: Mutex<RequestQueue>
  /// Gives up on a message that never completes.
  private let timer: EventLoop.Name

  /// Messages that are taken before other connections are read.
  private static let messagesAtOnce = 8

  init(core: Core, link: ClientLink, after greeting: Greeting) {
    self.core = core
    self.link = link
    sensors = SensorSource(core: core)
    contexts = ClientContexts(
      of: Requester(application: link.application, connection: core.names.next()))
    reader = ClientReader(
      core.secrets, of: link.peer,
      mostDescriptors: core.isService
        ? link.door == nil ? 0 : 1 : MessageStream.maximumDescriptors,
      closedBy: core.connections.line(of: link.peer))
    queue = Mutex(RequestQueue(at: core.clock.now(), after: greeting))
    timer = core.connections.loop.newName()
  }

  /// What it does with its place.
  var place: AdmissionRules.Place {
    AdmissionRules.Place(process: link.peer.process, standing: queue.withLock { $0.standing })
  }

  /// Starts to read what the client sends.
  func start() {
    guard !link.startReceiving(for: self) else { return }
    close(Failure(.coreFailed, "the kernel cannot watch another connection"))
  }

  /// Ends the connection. Nothing more is read; the running request is interrupted and answered
  /// with `reason`.
  func close(_ reason: Failure) {
    queue.withLock { $0.close(reason) }
    stopReading()
  }

  /// Ends the connection, and tells the client why, unless a request is under way.
  /// - Returns: whether it ends.
  func giveWay(_ reason: Failure) -> Bool {
    guard queue.withLock({ $0.closeIfQuiet(reason) }) else { return false }
    stopReading()
    return true
  }

  private func stopReading() {
    link.stopReceiving()
    // In the loop: the caller may hold a lock.
    core.connections.loop.post { [self] in
      reader.end()
      core.connections.loop.cancel(timer)
      settle()
    }
  }

  // MARK: Reading

  /// Reads one message and deals with it.
  /// - Returns: false if nothing more can be read for the moment, or ever.
  private func takeMessage() -> Bool {
    // Whatever else it has sent is closed with its socket.
    guard !reader.line.isLong else {
      close(Failure(.systemCancel, "descriptors that came earlier are still being closed"))
      return false
    }
    switch reader.next(from: link.socket) {
    case .message(let message, let share, let speaker):
      core.connections.loop.cancel(timer)
      core.noteActivity()
      if message.isWhole ? route(message, share, of: speaker) : turnAway(message) { return true }
    case .nothing(let isInside):
      if isInside { limitTime() }
      return false
    case .end(let error):
      switch error {
      case .closed, .truncated, .system: break
      case .tooManyDescriptors where core.isService && link.door == nil:
        refuse(Core.notADoor, 0)
      case .timedOut, .tooLong, .tooManyDescriptors: refuse(0, "\(error)")
      }
    }
    close(Failure(.systemCancel, "the client is gone"))
    return false
  }

  /// Ends the connection if the message does not complete in time.
  private func limitTime() {
    let due = Deadline.now + UInt64(core.limits.messageMilliseconds) * 1_000_000
    core.connections.loop.begin(timer, at: due) { [weak self] in
      self?.refuse(0, "\(StreamError.timedOut)")
      self?.close(Failure(.systemCancel, "the client is gone"))
    }
  }

  /// Handles or queues one message.
  /// - Returns: false if the connection has to end.
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
      guard
        message.descriptors.count == 0
          || [UseDriver.number, ActFor.number].contains(header.number)
      else {
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

  /// Answers a request for which there was no locked memory. Only its first bytes were kept.
  /// - Returns: false if the connection has to end, because the message is one that has no answer.
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
    switch queue.withLock({ $0.admit(request, limit: limit) }) {
    case .admitted:
      // `Hello` takes no turn, because the client waits for its answer.
      if request.number == Hello.number, queue.withLock({ $0.takeTurn(atMost: 1) }) {
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
    guard queue.withLock({ $0.cancel(identifier) }) == .removed else { return }
    let failure = Failure(.appCancel, "the application cancelled the request")
    _ = link.send(ClientEnvelope.encode(failure, request: identifier))
  }

  private func deliver(
    _ answer: consuming PromptAnswer, _ share: SecretLedger.Share?, to identifier: UInt32
  ) -> Bool {
    guard let inbox = queue.withLock({ $0.inbox(of: identifier) }) else { return true }
    let prompt = answer.prompt
    let event = RequestEvent(answer, share)
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

  private func refuse(_ failure: Failure, _ identifier: UInt32) {
    _ = link.send(ClientEnvelope.encode(failure, request: identifier))
    link.disconnect()
  }

  // MARK: Running

  /// The user whose core this is, even if a root process such as `sudo` asks. Users with many such
  /// requests take no turns from others.
  private var owner: TurnOrder.Owner {
    TurnOrder.Owner(user: core.user, process: link.peer.process)
  }

  /// Queues the next request for its turn, unless one runs or the client has not taken the last
  /// reply.
  private func advance() {
    guard !link.hasUnsent, queue.withLock({ $0.takeTurn() }) else { return }
    core.connections.turns.add(owner) { [self] turn in runNext(turn) }
  }

  /// Runs the next request. `turn` is nil for one that waits for nothing.
  private func runNext(_ turn: RequestTurns.Turn?) {
    let inbox = RequestInbox()
    var hasTurn = true
    if let request = queue.withLock({ $0.start(with: inbox) }) {
      run(request, inbox, turn, &hasTurn)
    }
    let isClosed = queue.withLock { queue in
      if hasTurn { queue.endTurn() }
      return queue.isClosed
    }
    if isClosed {
      core.connections.loop.post { [self] in settle() }
    } else {
      advance()
    }
  }

  /// Runs a request that has the connection's turn, and sets `hasTurn` to whether it still does.
  private func run(
    _ request: QueuedRequest, _ inbox: RequestInbox, _ turn: RequestTurns.Turn?,
    _ hasTurn: inout Bool
  ) {
    guard var message = request.take() else { return }
    var greeting = queue.withLock { $0.greeting }
    let outcome = answer(request, &message, inbox, &greeting, turn)
    let (reached, now) = (greeting, core.clock.now())
    core.noteActivity()
    // Before the answer is sent: the client may use the id again once it arrives.
    func finish(givingTurn: Bool) {
      queue.withLock { $0.finish(at: now, reached, keepsTurn: !givingTurn) }
      hasTurn = !givingTurn
    }
    // The request holds its locked memory until the client has its answer. The next request may run
    // before this thread returns from sending.
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

  /// Gives back what the connection held after its last request. The loop's thread.
  private func settle() {
    guard queue.withLock({ $0.settle() }) else { return }
    if let reason = queue.withLock({ $0.farewell }) {
      link.sendAtOnce(ClientEnvelope.encode(reason, request: 0))
      link.disconnect()
    }
    guard contexts.mayBeOpen || sensors.isRunning else { return core.forget(self) }
    // Not in the loop: an enclave or a driver may not answer.
    core.connections.turns.add(owner) { [self] _ in
      contexts.end(core.enclaves)
      sensors.end()
      core.forget(self)
    }
  }
}

extension ClientConnection: LinkReader {
  func messagesArrived() {
    for _ in 0..<Self.messagesAtOnce {
      guard !queue.withLock({ $0.isClosed }), takeMessage() else { return }
    }
  }

  func allIsSent() { advance() }
}
