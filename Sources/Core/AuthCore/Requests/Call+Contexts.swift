import Protocol

extension Call {
  /// Opens a context that the client names in later requests.
  func newContext(_ request: NewContext) throws(Failure) -> ContextOpened {
    try checkReuse(request.reuseSeconds)
    guard self.request.hasKnownWriter else {
      throw Failure(
        .unsupported, "the core cannot see the process that asks for an evidence context",
        hint: "it must run in the process namespace of the core")
    }
    let context = name(of: core.names.next())
    contexts.insert(context.number)
    do throws(Failure) {
      try tell(
        OpenContext(context: context, reuseSeconds: request.reuseSeconds, outlivesRequest: true))
    } catch {
      // Also where opening it is interrupted: the enclave may come to that later.
      contexts.remove(context.number)
      close(context)
      throw error
    }
    return ContextOpened(context: context.number)
  }

  /// Ends a context of this connection.
  func invalidateContext(_ request: InvalidateContext) throws(Failure) -> Done {
    guard contexts.contains(request.context) else { return Done() }
    try tell(CloseContext(context: name(of: request.context)))
    contexts.remove(request.context)
    return Done()
  }

  /// - Throws: `usage` for a longer reuse than there is.
  func checkReuse(_ seconds: UInt32) throws(Failure) {
    guard seconds <= longestReuse else {
      throw Failure(
        .usage, "a touch can be reused for \(longestReuse) seconds at most, not \(seconds)")
    }
  }

  /// A context as the enclave knows it: by its number and by who asks.
  func name(of number: UInt64) -> ContextName { ContextName(number, of: contexts.requester) }

  /// What an item or a policy is asked with before anything is proved for it.
  var noEvidence: ContextName { name(of: noContext) }

  /// What the context that a request names holds.
  /// - Throws: `invalidContext` where this connection opened no such context, or it is over.
  func evidence(inNamed number: UInt64) throws(Failure) -> ContextEvidence {
    guard contexts.contains(number) else {
      throw Failure(
        .invalidContext, "this connection has no evidence context \(number)",
        hint: "it was invalidated, or another process wrote into the connection: open a new one")
    }
    return try ask(GetContextEvidence(context: name(of: number)))
  }

  /// Takes an application password that the person was asked for to the enclave, as the client
  /// could have done itself.
  func give(_ password: consuming SecretBytes, to context: ContextName) throws(Failure) {
    let message = GiveAppPassword(use: .opening, password: password)
    try openOwed()
    let reply = try enclave.call(
      ApplicationRequest.encoded(context: context, message: message.encoded()), for: inbox)
    let _: Done = try EngineAnswer.decode(reply, from: "enclave")
  }

  /// Nobody permits anything by a request that fails, by cancelling for example: what was proved
  /// for it is not there for the next one. Says so also where the request is interrupted.
  func forgetEvidence(in context: ContextName) {
    guard contexts.contains(context.number) else { return }
    do throws(Failure) {
      try enclave.tell(ForgetEvidence(context: context))
    } catch {
      // An enclave that has ended has no contexts.
    }
  }

  /// Has `body` work in the context that a request names, or in one for its duration.
  func withContext<R: ~Copyable>(
    _ number: UInt64 = noContext, reuseSeconds: UInt32 = 0,
    _ body: (ContextName) throws(Failure) -> R
  ) throws(Failure) -> R {
    guard number == noContext else { return try body(name(of: number)) }
    let context = name(of: core.names.next())
    owe(OpenContext(context: context, reuseSeconds: reuseSeconds))
    defer {
      // Also where opening it is interrupted: the enclave may come to that later.
      if takeOwed() == nil { close(context) }
    }
    return try body(context)
  }

  private func close(_ context: ContextName) {
    do throws(Failure) {
      try tell(CloseContext(context: context))
    } catch {
      // Interrupted before the enclave could listen: it is closed with the connection.
      contexts.noteLeftOpen()
    }
  }
}
