import Glibc
package import LinuxSystem
package import Protocol

/// One connection to a core, greeted and ready for requests.
///
/// Sendable, but used by one thread at a time: a ``ConnectionPool`` lends it.
package final class CoreConnection: PromptConversation, @unchecked Sendable {
  package let welcome: Welcome
  private let stream: MessageStream
  private let process: RunningProcess?
  private var lastRequest: UInt32 = 0
  /// Whether a request may have started the client's driver.
  var hasStartedDriver = false
  /// When to give up on a cancelled request, by the monotonic clock.
  private var giveUpAt: ContinuousClock.Instant?

  /// How long the core has to answer a greeting.
  private static let greetingDeadline: Int32 = 10_000
  /// How long the core has to end a request that was cancelled.
  private static let cancelDeadline = Duration.seconds(3)

  /// Greets the core behind a connected socket: `process` if it is known, or the service of the
  /// machine.
  /// - Throws: `coreFailed`. Another version is not a failure here; see ``isSameVersion``.
  package init(
    greeting socket: consuming Descriptor, of process: consuming RunningProcess? = nil,
    isService: Bool = false
  ) throws(Failure) {
    self.process = process
    stream = MessageStream(socket, limit: ClientEnvelope.longestReply)
    let hello = Hello(
      protocolVersion: ClientEnvelope.version, softwareVersion: ClientEnvelope.softwareVersion)
    let message: ReceivedMessage
    do throws(StreamError) {
      try stream.send(ClientEnvelope.encode(hello, request: 0))
      message = try stream.receive(milliseconds: Self.greetingDeadline)
    } catch {
      throw Self.refusal(stream) ?? Self.lost(error, isService: isService)
    }
    if message.bytes.count > 0, message.bytes.bytes[0] == Failure.number {
      throw try Self.decode(message.bytes, isService) as Failure
    }
    welcome = try Self.decode(message.bytes, isService)
  }

  package var isSameVersion: Bool {
    speaksSameProtocol && welcome.softwareVersion == ClientEnvelope.softwareVersion
  }

  var speaksSameProtocol: Bool { welcome.protocolVersion == ClientEnvelope.version }

  /// Whether the core has hung up: it has ended, or needed room for another connection.
  package var isClosed: Bool {
    var polled = pollfd(fd: stream.descriptor.number, events: Self.hangUp, revents: 0)
    return unsafe poll(&polled, 1, 0) != 0
  }

  /// POLLRDHUP of poll(2), which Glibc's module has no name for.
  private static let hangUp: Int16 = 0x2000

  /// Sends a request and waits for its reply. `agent` answers the prompts in between; without one
  /// every prompt gets ``Protocol/PromptAnswer/Kind/noPasscode``. At most four descriptors travel,
  /// as duplicates.
  /// - Returns: the reply.
  /// - Throws: what the core answered instead, or `coreFailed` when the connection is lost.
  package func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self, descriptors: [Int32] = [],
    agent: (any PromptAgent)? = nil
  ) throws(Failure) -> Reply {
    lastRequest += 1
    giveUpAt = nil
    do throws(StreamError) {
      try stream.send(
        ClientEnvelope.encode(message, request: lastRequest), descriptors: descriptors)
    } catch .system(_, errno: EPERM) {
      throw Failure(
        .errSecMissingEntitlement, "the service takes no descriptor from this program",
        hint: "only a door that is installed beside the service's authcored acts for others")
    } catch {
      throw Self.refusal(stream) ?? lost(error)
    }
    defer { agent?.requestEnded() }
    while true {
      // Without an agent, receiving waits for everything there is.
      if let agent { try awaitMessage(agent) }
      let message: ReceivedMessage
      do throws(StreamError) {
        message = try stream.receive()
      } catch {
        throw lost(error)
      }
      if let reply: Reply = try handle(message.bytes, agent) { return reply }
    }
  }

  /// Sends a message for an engine, which the core passes on unread. If the engine demands a proof,
  /// the core prompts as `options` say, and the proof stays in the context of this number, unless
  /// that is ``Protocol/noContext``. If the request `unlocks`, the core first has the owner unlock
  /// a locked device.
  /// - Returns: the engine's reply.
  /// - Throws: the failure of core or engine, or `coreFailed` if the connection is lost.
  package func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ options: PromptOptions = .none, in context: UInt64 = noContext,
    _ interaction: OwnerInteraction = .allowed, unlocks: Bool = false,
    for reply: Reply.Type = Reply.self, agent: (any PromptAgent)? = nil
  ) throws(Failure) -> Reply {
    let envelope = EngineRequest(
      engine: Request.engine, context: context, options: options, interaction: interaction,
      unlocks: unlocks, message: message.encoded())
    return try request(envelope, agent: agent)
  }

  /// Makes this connection the agent of its user; no other requests are possible afterwards.
  /// - Throws: `coreFailed` if the connection is lost. A refusal of the core is reported by the
  ///   returned agent.
  package func becomeAgent() throws(Failure) -> AgentConnection {
    lastRequest += 1
    do throws(StreamError) {
      try stream.send(ClientEnvelope.encode(BecomeAgent(), request: lastRequest))
      let listening = MessageStream(
        try stream.descriptor.duplicate(), limit: ClientEnvelope.longestReply)
      return AgentConnection(listening, request: lastRequest)
    } catch {
      throw lost(error)
    }
  }

  /// Sends a request and ignores its answer. A lost connection is reported by the next request.
  func sendUnanswered(_ message: borrowing some WireMessage & ~Copyable) {
    lastRequest += 1
    do throws(StreamError) {
      try stream.send(ClientEnvelope.encode(message, request: lastRequest))
    } catch {
    }
  }

  /// Waits until the core has ended: its process is gone or, if that cannot be seen, the connection
  /// is closed.
  /// - Returns: whether it ended in time.
  package func awaitEnd(milliseconds: Int32) -> Bool {
    if process != nil { return process?.awaitEnd(milliseconds: milliseconds) ?? true }
    do throws(StreamError) {
      while true { _ = try stream.receive(milliseconds: milliseconds) }
    } catch {
      return error != .timedOut
    }
  }

  package func answer(_ answer: borrowing PromptAnswer) throws(Failure) {
    do throws(StreamError) {
      try stream.send(ClientEnvelope.encode(answer, request: lastRequest))
    } catch {
      throw lost(error)
    }
  }

  package func cancelRequest() throws(Failure) {
    guard giveUpAt == nil else { return }
    giveUpAt = .now + Self.cancelDeadline
    do throws(StreamError) {
      try stream.send(ClientEnvelope.encode(Cancel(), request: lastRequest))
    } catch {
      throw lost(error)
    }
  }

  /// Waits until the socket can be read, and serves the agent's descriptors meanwhile.
  private func awaitMessage(_ agent: any PromptAgent) throws(Failure) {
    while true {
      var polled = ([stream.descriptor.number] + agent.watchedDescriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let moment = [giveUpAt, agent.wakesAt].compactMap(\.self).min()
      let ready = unsafe poll(&polled, nfds_t(polled.count), Self.milliseconds(until: moment))
      if ready < 0 {
        guard errno == EINTR else { throw lost(.system(call: "poll", errno: errno)) }
        continue
      }
      if let giveUpAt, ready == 0, giveUpAt <= .now {
        throw .requestCancelled
      }
      if let wakesAt = agent.wakesAt, wakesAt <= .now { agent.timePassed() }
      for entry in polled.dropFirst() where entry.revents != 0 {
        try agent.descriptorIsReady(entry.fd, in: self)
      }
      if polled[0].revents != 0 { return }
    }
  }

  /// A time-out for poll(2), rounded up.
  private static func milliseconds(until moment: ContinuousClock.Instant?) -> Int32 {
    guard let moment else { return -1 }
    let left = moment - ContinuousClock.now
    return Int32(max(0, (left / .milliseconds(1)).rounded(.up)))
  }

  /// - Returns: the reply, or nil after another message.
  private func handle<Reply: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, _ agent: (any PromptAgent)?
  ) throws(Failure) -> Reply? {
    let header: (number: UInt8, request: UInt32)
    do throws(DecodeError) {
      header = try ClientEnvelope.header(bytes.bytes)
    } catch {
      throw Self.notUnderstood(error, welcome.isService)
    }
    if header.request == 0, header.number == Failure.number {
      // This is not about a request but says why the core ends the connection.
      throw try decode(bytes) as Failure
    }
    guard header.request == lastRequest else { return nil }
    switch header.number {
    case Progress.number:
      let progress: Progress = try decode(bytes)
      agent?.tell(progress.event)
      return nil
    case Prompt.number:
      let prompt: Prompt = try decode(bytes)
      if let agent {
        AskedRecord.note(prompt)
        try agent.show(prompt, in: self)
      } else {
        try answer(PromptAnswer(prompt: prompt.prompt, kind: .noPasscode))
      }
      return nil
    case Failure.number:
      throw try decode(bytes) as Failure
    default:
      return try decode(bytes)
    }
  }

  private func decode<Message: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes
  ) throws(Failure) -> Message {
    try Self.decode(bytes, welcome.isService)
  }

  private static func decode<Message: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, _ isService: Bool
  ) throws(Failure) -> Message {
    do throws(DecodeError) {
      return try ClientEnvelope.decode(bytes)
    } catch {
      throw notUnderstood(error, isService)
    }
  }

  private static func notUnderstood(_ error: DecodeError, _ isService: Bool) -> Failure {
    Failure(
      .coreFailed, "The core sent an invalid message: \(error)",
      hint: isService ? "Run: sudo systemctl restart authcored" : "Run: authcore quit")
  }

  /// The failure that the core sent before it ended a connection on which sending fails, or nil if
  /// there is none.
  private static func refusal(_ stream: borrowing MessageStream) -> Failure? {
    do {
      while true {
        let message = try stream.receive(milliseconds: 0)
        guard try ClientEnvelope.header(message.bytes.bytes).number == Failure.number else {
          continue
        }
        return try ClientEnvelope.decode(message.bytes.bytes)
      }
    } catch {
      return nil
    }
  }

  private func lost(_ error: StreamError) -> Failure {
    Self.lost(error, isService: welcome.isService)
  }

  private static func lost(_ error: StreamError, isService: Bool) -> Failure {
    guard !isService else {
      return Failure(
        .coreFailed, "The connection to the service was lost: \(error)",
        hint: """
          Run the command again. Where that does not help, journalctl -u authcored says why it \
          ended; then: sudo systemctl restart authcored.socket
          """)
    }
    return Failure(
      .coreFailed, "The connection to the core was lost: \(error)",
      hint:
        """
        Run the command again: a new core is started. Before the first unlock it needs the \
        passcode.
        """
    )
  }
}
