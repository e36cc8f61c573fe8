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

  /// What caller and engine share.
  private struct Desk: Sendable {
    let exchange = Monitor(Exchange())
    /// Rung for the engine's thread.
    let requested: Bell
    /// Rung for the caller whose turn it is.
    let answered: Bell

    init() throws(Failure) {
      requested = try Bell()
      answered = try Bell()
    }
  }

  private let desk: Desk

  private var exchange: Monitor<Exchange> { desk.exchange }

  /// Starts the thread, on which `load` makes the engine; returns at once. The thread's name is at most 15 bytes.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package init(
    name: String, load: @escaping @Sendable () throws(Failure) -> Body
  ) throws(Failure) {
    let desk = try Desk()
    self.desk = desk
    SystemThread.start(name: name) { Self.run(desk, load) }
  }

  /// Waits until the engine is made.
  /// - Throws: why it cannot be.
  package func waitUntilReady() throws(Failure) {
    let failure: Failure? = exchange.wait { state -> Failure?? in
      state.isReady ? .some(state.startFailure) : nil
    }
    if let failure { throw failure }
  }

  private static func run(_ desk: Desk, _ load: () throws(Failure) -> Body) {
    let exchange = desk.exchange
    do throws(Failure) {
      let body = try load()
      exchange.withLock { $0.isReady = true }
      while let request = next(desk) {
        answer(exchange, request, body)
        desk.answered.ring()
      }
    } catch {
      exchange.withLock {
        $0.startFailure = error
        $0.isReady = true
      }
    }
    exchange.withLock { $0.hasEnded = true }
    desk.answered.ring()
  }

  private enum Turn: ~Copyable, Sendable {
    case request(SecretBytes)
    case over
  }

  private static func next(_ desk: Desk) -> SecretBytes? {
    let turn: Turn = desk.requested.wait(on: desk.exchange) { state in
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
    desk.requested.ring()
    let outcome: Result<SecretBytes, Failure> = desk.answered.wait(on: exchange) { state in
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
    desk.requested.ring()
    exchange.wait { $0.hasEnded ? () : nil }
  }
}
