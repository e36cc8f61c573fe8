import LinuxSystem
import Protocol
import Synchronization

/// An engine in this process, on the one thread that engine.h promises it, behind a deadline.
///
/// ``call(_:make:read:)`` comes from any thread; callers take turns. A thread that hangs in an
/// engine cannot be ended, so it is abandoned; ``Lateness`` says what follows.
final class EngineThread: Sendable {
  /// What follows an engine that hangs.
  enum Lateness: Sendable {
    /// Another one is made on a new thread: for an engine without state.
    case startAnother
    /// Nothing until it returns, then it is made anew: two would write to one database.
    case waitForReturn
  }

  /// Handles one request. Runs on the engine's thread only.
  typealias Body = (borrowing SecretBytes) throws(Failure) -> SecretBytes
  typealias Load = @Sendable () throws(Failure) -> Body

  private struct State: Sendable {
    var desk: EngineDesk
    /// How many hang, each with a thread that does not return.
    var givenUp = 0
  }

  /// How long an interrupted request may take to end, in milliseconds.
  private static let grace: Int32 = 500
  /// Threads that may hang; after that no other engine is made.
  private static let mostGivenUp = 3
  /// How long an engine may take to be destroyed, in nanoseconds.
  private static let endNanoseconds: UInt64 = 5_000_000_000

  private let name: String
  private let milliseconds: Int32
  private let lateness: Lateness
  private let load: Load
  private let state: Mutex<State>

  /// Starts the thread, on which `load` makes the engine, and returns at once.
  /// - Parameters:
  ///   - name: the engine's, at most 8 bytes.
  ///   - milliseconds: how long one request may take, including what it asks of the enclave.
  ///   - lateness: what follows one that takes longer.
  ///   - load: makes the engine; called again after one that broke.
  /// - Throws: `coreFailed` if the process has no descriptors left.
  init(
    name: String, milliseconds: Int32, whenLate lateness: Lateness, load: @escaping Load
  ) throws(Failure) {
    self.name = name
    self.milliseconds = milliseconds
    self.lateness = lateness
    self.load = load
    let desk = try EngineDesk()
    state = Mutex(State(desk: desk))
    Self.start(desk, name, load)
  }

  deinit { state.withLock { $0.desk }.requestEnd() }

  private static func start(_ desk: EngineDesk, _ name: String, _ load: @escaping Load) {
    SystemThread.start(name: "engine-\(name)") { desk.run(load) }
  }

  private var desk: EngineDesk { state.withLock { $0.desk } }

  /// Waits until the engine is made.
  /// - Throws: why it cannot be, or that it takes too long.
  func waitUntilReady() throws(Failure) {
    guard let outcome = desk.waitUntilReady(nanoseconds: UInt64(milliseconds) * 1_000_000) else {
      throw Failure(
        .engineFailed, "the \(name) engine does not start",
        hint: "another program may hold its files; authcore doctor says more")
    }
    if let failure = outcome { throw failure }
  }

  /// Has the engine handle one request.
  /// - Parameters:
  ///   - inbox: tells when the caller is interrupted; the call returns soon then.
  ///   - make: makes the request when the caller's turn has come.
  ///   - read: reads the reply, within the turn.
  /// - Returns: what `read` returns.
  /// - Throws: `engineFailed` if the engine breaks or does not answer, why the caller is
  ///   interrupted, and what `make` and `read` throw.
  func call<R: ~Copyable>(
    _ inbox: RequestInbox?, make: () throws(Failure) -> SecretBytes,
    read: (borrowing SecretBytes) throws(Failure) -> R
  ) throws(Failure) -> R {
    let interruption: @Sendable () -> Failure? = { inbox?.interruption }
    let desk = try takeTurn(inbox, interruption)
    defer { inbox?.onInterruption(nil) }
    let request: SecretBytes
    do throws(Failure) {
      request = try make()
    } catch {
      desk.leave()
      throw error
    }
    let answer = desk.exchange(
      request, milliseconds: milliseconds, grace: Self.grace, unless: interruption)
    switch consume answer {
    case .reply(let reply):
      defer { desk.leave() }
      return try read(reply)
    case .failure(let failure):
      desk.leave()
      throw failure
    case .left(let reason): throw reason
    case .late:
      replace(desk)
      throw doesNotAnswer
    }
  }

  private func takeTurn(
    _ inbox: RequestInbox?, _ interruption: @Sendable () -> Failure?
  ) throws(Failure) -> EngineDesk {
    while true {
      let desk = desk
      inbox?.onInterruption { desk.wake() }
      switch desk.takeTurn(unless: interruption) {
      case .mine: return desk
      case .refused(let failure):
        inbox?.onInterruption(nil)
        throw failure
      case .hung:
        inbox?.onInterruption(nil)
        // Another caller that found it hung may have replaced it.
        guard lateness == .startAnother, self.desk !== desk || replace(desk) else {
          throw doesNotAnswer
        }
      }
    }
  }

  /// Replaces an engine that hangs.
  /// - Returns: whether there is another one.
  @discardableResult
  private func replace(_ hung: EngineDesk) -> Bool {
    guard lateness == .startAnother else { return false }
    return state.withLock { state in
      guard state.desk === hung else { return true }
      guard state.givenUp < Self.mostGivenUp else { return false }
      do throws(Failure) {
        let desk = try EngineDesk()
        Self.start(desk, name, load)
        hung.requestEnd()
        state.desk = desk
        state.givenUp += 1
        return true
      } catch {
        return false
      }
    }
  }

  private var doesNotAnswer: Failure {
    Failure(
      .engineFailed, "the \(name) engine does not answer",
      hint: lateness == .startAnother
        ? "run the command again: another one is started"
        : "end it together with the core, the next command starts both: \(Failure.endingTheCore)")
  }

  /// Ends the engine after the current call, and waits until it is destroyed or hangs.
  func end() {
    let desk = desk
    desk.requestEnd()
    _ = desk.waitForEnd(nanoseconds: Self.endNanoseconds)
  }
}
