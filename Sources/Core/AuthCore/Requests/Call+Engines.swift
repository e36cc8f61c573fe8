import Protocol

extension Call {
  private struct ForwardedMessage {
    let engine: AddressedEngine
    let message: SharedSecret
    /// The number of its answer.
    let reply: UInt8
  }

  private enum EngineOutcome: ~Copyable {
    /// The answer, as it goes to the client.
    case reply(SecretBytes)
    case needed(EvidenceNeeded)
  }

  /// Passes a message unread to its engine. If the engine wants evidence, has the person prove it
  /// and asks again, all in one context: the one that the client names, or a new one. Most messages
  /// want no evidence, so the context is only made with the first answer that does.
  /// - Throws: `usage` if the engine has no such message, and what the engine fails with.
  func forward(_ request: consuming EngineRequest) throws(Failure) -> SecretBytes {
    let event =
      request.message.count > 0
      ? AuditRecord.Event(request.engine, request.message.bytes[0]) : nil
    guard let event else { return try pass(on: request) }
    let subject = event == .keyUse && link.door != nil ? Self.key(in: request.message) : nil
    do throws(Failure) {
      let reply = try pass(on: request)
      note(event, subject: subject)
      return reply
    } catch {
      note(event, outcome: error.code.rawValue, subject: subject)
      throw error
    }
  }

  /// The key that a ``UseKey`` names, which the core reads only for a door's journal.
  private static func key(in message: borrowing SecretBytes) -> String? {
    do throws(DecodeError) {
      let query = try UseKey.decode(message.bytes).query
      return query.name ?? query.identifier
    } catch {
      return nil
    }
  }

  private func pass(on request: consuming EngineRequest) throws(Failure) -> SecretBytes {
    let (engine, named, options) = (request.engine, request.context, request.options)
    let isForbidden = request.interaction == .forbidden
    guard request.message.count > 0,
      let reply = EngineMessages.replies[engine]?[request.message.bytes[0]]
    else {
      throw Failure(
        .usage, "the \(engine) takes no such message from applications",
        hint: "docs/protocol.md lists those it takes")
    }
    let subject = PromptSubject(engine, request.message.bytes[0])
    let unlocks = request.unlocks
    let message = ForwardedMessage(
      engine: engine, message: SharedSecret(request.message.shared()), reply: reply)
    // A named context must be valid, even if the message wants no evidence.
    if named != noContext { _ = try evidence(inNamed: named) }
    // Before anything is searched, so that a prompt does not reveal what exists.
    if unlocks, try isDeviceLocked() {
      guard !isForbidden else {
        throw Failure(
          .errSecInteractionNotAllowed, "the device is locked, and the owner may not be asked",
          hint: "let the request ask, or unlock the device: authcore unlock")
      }
      let reply = try withContext(named) { (context) throws(Failure) -> SecretBytes? in
        guard try unlockOnDemand(in: context, options, subject) else { return nil }
        // This proof unlocked the device; the next request in the context needs its own.
        defer { forgetEvidence(in: context) }
        return try answer(message, in: context, subject, options, isForbidden: isForbidden)
      }
      if let reply { return reply }
    }
    return try answer(message, in: name(of: named), subject, options, isForbidden: isForbidden)
  }

  /// Has an engine answer. If it wants evidence, the person proves it in this context, or in a new
  /// one if none is named.
  private func answer(
    _ message: ForwardedMessage, in context: ContextName, _ subject: PromptSubject,
    _ options: PromptOptions, isForbidden: Bool
  ) throws(Failure) -> SecretBytes {
    let first = try outcome(of: message, context: context)
    let needed: EvidenceNeeded
    switch consume first {
    case .reply(let reply): return reply
    case .needed(let evidence): needed = evidence
    }
    guard !isForbidden else {
      throw Failure(
        .errSecInteractionNotAllowed, "the owner has to prove something, and may not be asked",
        hint: "let the request ask, or prove it before in the context it names")
    }
    var subject = subject
    subject.item = needed.item
    subject.identity = needed.identity
    guard context.number == noContext else {
      return try prove(needed, for: message, in: context, subject, options)
    }
    return try withContext { (context) throws(Failure) in
      try prove(needed, for: message, in: context, subject, options)
    }
  }

  private func prove(
    _ evidence: EvidenceNeeded, for message: ForwardedMessage, in context: ContextName,
    _ subject: PromptSubject, _ options: PromptOptions
  ) throws(Failure) -> SecretBytes {
    var needed = evidence
    var refused: UInt32 = 0
    for _ in 0..<core.limits.evidenceRounds {
      var moment = moment(.access(needed.accessControl, held: needed.held), options)
      moment.progress.refusedAppPasswords = refused
      let conclusion = try evaluate(moment, about: subject, context: context, options: options)
      try enclave.openOwed()
      let next: EngineOutcome
      do throws(Failure) {
        next = try outcome(of: message, context: context)
      } catch  where error.code == .errSecAuthFailed && conclusion.gaveAppPassword {
        // The enclave has dropped the wrong password and now says what is missing. The policy
        // decides when to stop.
        refused += 1
        next = try outcome(of: message, context: context)
      }
      switch consume next {
      case .reply(let reply): return reply
      case .needed(let more): needed = more
      }
    }
    throw Failure(
      .errSecAuthFailed, "the item asks for more than can be proved",
      hint: "its access control may ask for a set of fingers that is no longer enrolled")
  }

  /// Asks an engine once. The keychain's answer is put into the client's envelope within its turn,
  /// so that copies of a secret exist for one request at a time.
  private func outcome(
    of forwarded: ForwardedMessage, context: ContextName
  ) throws(Failure) -> EngineOutcome {
    let message = forwarded.message
    switch forwarded.engine {
    case .keychain:
      return try core.keychain.ask(for: self, context: context) { () throws(Failure) in
        ApplicationRequest.encoded(context: context, message: message.shared())
      } read: { (bytes) throws(Failure) in
        try outcome(bytes, forwarded)
      }
    case .enclave:
      return try outcome(try enclave.forward(message.shared(), in: context), forwarded)
    }
  }

  /// Checks an answer: it must be the expected reply, a failure, or a demand for evidence.
  private func outcome(
    _ answer: borrowing SecretBytes, _ forwarded: ForwardedMessage
  ) throws(Failure) -> EngineOutcome {
    let engine = "\(forwarded.engine)"
    switch EngineAnswer.number(of: answer) {
    case nil: throw EngineAnswer.unreadable(engine, reason: "nothing")
    case Failure.number: throw EngineAnswer.refusal(answer, from: engine)
    case EvidenceNeeded.number: return .needed(try EngineAnswer.decode(answer, from: engine))
    case let number where number != forwarded.reply:
      throw EngineAnswer.unreadable(engine, reason: "an answer to another question")
    default:
      // The client's message is a few bytes longer.
      try holdMemory(forReply: answer.count)
      return .reply(ClientEnvelope.wrap(answer, request: identifier))
    }
  }
}
