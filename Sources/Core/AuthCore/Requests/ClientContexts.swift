import LinuxSystem
import Protocol
import Synchronization

/// The evidence contexts that a client opened to outlive its requests. The enclave keeps them. This
/// knows their numbers, and ends all of them with the connection, or when another process speaks
/// through it.
///
/// Any thread: the connection's requests run one after the other.
final class ClientContexts: Sendable {
  private struct State {
    var numbers: Set<UInt64> = []
    /// Whether contexts may be open that the client was not given.
    var areOthersLeft = false
    var speaker: UInt64 = 0
  }

  let requester: Requester
  private let state = Mutex(State())

  init(of requester: Requester) { self.requester = requester }

  var mayBeOpen: Bool { state.withLock { !$0.numbers.isEmpty || $0.areOthersLeft } }

  /// Whether the client opened this one, which may have ended since.
  func contains(_ number: UInt64) -> Bool { state.withLock { $0.numbers.contains(number) } }

  func insert(_ number: UInt64) { state.withLock { _ = $0.numbers.insert(number) } }
  func remove(_ number: UInt64) { state.withLock { _ = $0.numbers.remove(number) } }

  /// The enclave could not be told to close one.
  func noteLeftOpen() { state.withLock { $0.areOthersLeft = true } }

  /// Before a request of this speaker runs: ends the contexts that another speaker opened.
  func prepare(for speaker: UInt64, _ enclaves: EnclaveSupervisor) {
    let isChanged = state.withLock { state in
      defer { state.speaker = speaker }
      return state.speaker != speaker
    }
    if isChanged { end(enclaves) }
  }

  func end(_ enclaves: EnclaveSupervisor) {
    let wereAny = state.withLock { state in
      defer { (state.numbers, state.areOthersLeft) = ([], false) }
      return !state.numbers.isEmpty || state.areOthersLeft
    }
    guard wereAny, let enclave = enclaves.running else { return }
    do throws(Failure) {
      try enclave.tell(CloseContexts(of: requester))
    } catch {
      // An enclave that has ended has no contexts.
    }
  }
}

extension Call {
  func newContext(_: NewContext) throws(Failure) -> ContextOpened {
    guard hasKnownWriter else {
      throw Failure(
        .unsupported, "the core cannot see the process that asks for an evidence context",
        hint: "it must run in the process namespace of the core")
    }
    let context = name(of: core.names.next())
    contexts.insert(context.number)
    do throws(Failure) {
      try enclave.tell(
        OpenContext(context: context, outlivesRequest: true, isDoor: link.door != nil))
    } catch {
      // Even if interrupted: the enclave may open it later.
      contexts.remove(context.number)
      close(context)
      throw error
    }
    return ContextOpened(context: context.number)
  }

  func invalidateContext(_ request: InvalidateContext) throws(Failure) -> Done {
    guard contexts.contains(request.context) else { return Done() }
    try enclave.tell(CloseContext(context: name(of: request.context)))
    contexts.remove(request.context)
    return Done()
  }

  /// The name of a context at the enclave: its number and the requester.
  func name(of number: UInt64) -> ContextName { ContextName(number, of: contexts.requester) }

  /// The context of a request for which nothing was proved.
  var noEvidence: ContextName { name(of: noContext) }

  /// The evidence in the context that a request names. An unlock by touch at most `reuseSeconds`
  /// ago is in the answer.
  /// - Throws: `invalidContext` if this connection opened no such context, or it has ended.
  func evidence(
    inNamed number: UInt64, reuseSeconds: UInt32 = 0
  ) throws(Failure) -> ContextEvidence {
    guard contexts.contains(number) else {
      throw Failure(
        .invalidContext, "this connection has no evidence context \(number)",
        hint: "it was invalidated, or another process wrote into the connection: open a new one")
    }
    return try enclave.ask(
      GetContextEvidence(context: name(of: number), reuseSeconds: reuseSeconds))
  }

  /// Gives the enclave an application password that the person typed.
  func give(_ password: consuming SecretBytes, to context: ContextName) throws(Failure) {
    let message = GiveAppPassword(use: .opening, password: password)
    let reply = try enclave.forward(message.encoded(), in: context)
    let _: Done = try EngineAnswer.decode(reply, from: "enclave")
  }

  /// Drops what was proved for a request that failed, for example because the person cancelled, so
  /// that the next one cannot use it. Also done if the request is interrupted.
  func forgetEvidence(in context: ContextName) {
    guard contexts.contains(context.number) else { return }
    do throws(Failure) {
      try enclave.client.tell(ForgetEvidence(context: context))
    } catch {
      // An enclave that has ended has no contexts.
    }
  }

  /// Runs `body` in the context that a request names, or in a new one that ends with it.
  func withContext<R: ~Copyable>(
    _ number: UInt64 = noContext, _ body: (ContextName) throws(Failure) -> R
  ) throws(Failure) -> R {
    guard number == noContext else { return try body(name(of: number)) }
    let context = name(of: core.names.next())
    enclave.owe(OpenContext(context: context, isDoor: link.door != nil))
    defer {
      // Even if interrupted: the enclave may open it later.
      if enclave.takeOwed() == nil { close(context) }
    }
    return try body(context)
  }

  private func close(_ context: ContextName) {
    do throws(Failure) {
      try enclave.tell(CloseContext(context: context))
    } catch {
      // Interrupted before the enclave was told. The context is closed with the connection.
      contexts.noteLeftOpen()
    }
  }
}
