import Sandbox
package import Wire

/// An engine inside this process, on the one thread that engine.h promises it.
///
/// ``call(_:)`` comes from any thread; callers take turns.
package final class EngineThread: Sendable {
  /// Handles one request: bytes in, bytes out. Runs on the engine's thread alone.
  package typealias Body = (borrowing SecretBytes) throws(Failure) -> SecretBytes

  private struct Exchange: ~Copyable, Sendable {
    var isTaken = false
    var request: SecretBytes?
    var reply: SecretBytes?
    var failure: Failure?
    var startFailure: Failure?
    var isReady = false
    var isOver = false
    var hasEnded = false
    var broken: Failure?
  }

  private let exchange = Monitor(Exchange())

  /// Starts the thread, on which `load` makes the engine; returns at once. The thread's name is at most 15 bytes.
  package init(name: String, load: @escaping @Sendable () throws(Failure) -> Body) {
    let exchange = self.exchange
    SystemThread.start(name: name) { Self.run(exchange, load) }
  }

  /// Waits until the engine is made.
  /// - Throws: why it cannot be.
  package func waitUntilReady() throws(Failure) {
    let failure: Failure? = exchange.wait { state -> Failure?? in
      state.isReady ? .some(state.startFailure) : nil
    }
    if let failure { throw failure }
  }

  private static func run(_ exchange: Monitor<Exchange>, _ load: () throws(Failure) -> Body) {
    do throws(Failure) {
      let body = try load()
      exchange.withLock { $0.isReady = true }
      while let request = next(exchange) { answer(exchange, request, body) }
    } catch {
      exchange.withLock {
        $0.startFailure = error
        $0.isReady = true
      }
    }
    exchange.withLock { $0.hasEnded = true }
  }

  private enum Turn: ~Copyable, Sendable {
    case request(SecretBytes)
    case over
  }

  private static func next(_ exchange: Monitor<Exchange>) -> SecretBytes? {
    let turn: Turn = exchange.wait { state in
      if state.isOver { return .over }
      guard let request = state.request.take() else { return nil }
      return .request(request)
    }
    switch consume turn {
    case .request(let request): return request
    case .over: return nil
    }
  }

  private static func answer(
    _ exchange: Monitor<Exchange>, _ request: borrowing SecretBytes, _ body: Body
  ) {
    var reply: SecretBytes?
    var failure: Failure?
    do throws(Failure) { reply = try body(request) } catch { failure = error }
    exchange.withLock {
      $0.reply = reply.take()
      $0.failure = failure
      $0.broken = failure
    }
  }

  /// Hands the engine one request and waits for its reply.
  /// - Throws: `engineFailed` when the engine is broken or has been ended.
  package func call(_ request: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let refusal = exchange.wait { state -> Failure?? in
      if state.isOver { return .some(Core.ending) }
      // A refusal is a reply; an engine that fails otherwise must not be called again (engine.h).
      if let broken = state.broken { return .some(broken) }
      guard !state.isTaken else { return nil }
      state.isTaken = true
      return .some(nil)
    }
    if let refusal { throw refusal }
    var handed: SecretBytes? = consume request
    exchange.withLock { $0.request = handed.take() }
    let outcome: Result<SecretBytes, Failure> = exchange.wait { state in
      if let reply = state.reply.take() { return .success(reply) }
      if let failure = state.failure.take() { return .failure(failure) }
      return state.hasEnded ? .failure(Core.ending) : nil
    }
    exchange.withLock { $0.isTaken = false }
    return try outcome.get()
  }

  /// Ends the engine after the call under way and waits until it is destroyed.
  package func end() {
    exchange.withLock { $0.isOver = true }
    exchange.wait { $0.hasEnded ? () : nil }
  }
}
