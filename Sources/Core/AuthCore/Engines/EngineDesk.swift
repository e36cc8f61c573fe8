import LinuxSystem
import Protocol

/// Passes one request at a time from callers to an engine's thread.
///
/// A caller may leave before the reply has come. The turn then stays with the engine until it
/// returns, and its reply is dropped.
final class EngineDesk: Sendable {
  /// Handles one request. Runs on the engine's thread only.
  typealias Body = (borrowing SecretBytes) throws(Failure) -> SecretBytes

  private struct State: ~Copyable, Sendable {
    var isReady = false
    var startFailure: Failure?
    var isTaken = false
    var request: SecretBytes?
    var reply: Result<Box, Failure>?
    /// Whether the caller has left.
    var isAbandoned = false
    /// Whether the engine exceeded its time and has not returned yet.
    var isHung = false
    var isOver = false
    var hasEnded = false

    /// The result of the request. An engine that has ended answers no more.
    mutating func takeReply() -> Result<Box, Failure>? {
      reply.take() ?? (hasEnded ? .failure(Core.ending) : nil)
    }
  }

  /// Makes a reply copyable, for `Result`.
  private final class Box: Sendable {
    private let bytes: Guarded<SecretBytes?>
    init(_ bytes: consuming sending SecretBytes) { self.bytes = Guarded(bytes) }
    func take() -> SecretBytes { bytes.update { $0.take() } ?? SecretBytes(count: 0) }
  }

  /// What a caller gets that wants the turn.
  enum Turn: Sendable {
    case mine
    /// The engine hangs in a request.
    case hung
    case refused(Failure)
  }

  enum Answer: ~Copyable, Sendable {
    case reply(SecretBytes)
    case failure(Failure)
    /// No reply came in time; the engine counts as hung.
    case late
    /// The caller was interrupted. The engine goes on, and its reply will be dropped.
    case left(Failure)
  }

  private let state = Guarded(State())
  /// Wakes the engine's thread.
  private let requested: WakePipe
  /// Wakes the caller whose turn it is.
  private let answered: WakePipe

  /// - Throws: `coreFailed` if the process has no descriptors left.
  init() throws(Failure) {
    requested = try WakePipe()
    answered = try WakePipe()
  }

  // MARK: Callers

  /// Waits until the engine is made, or cannot be.
  /// - Returns: why it cannot be made, or `.some(nil)` if it was made; nil if neither is known in
  ///   time.
  func waitUntilReady(nanoseconds: UInt64) -> Failure?? {
    state.wait(nanoseconds: nanoseconds) { $0.isReady ? .some($0.startFailure) : nil }
  }

  /// Waits for the turn.
  func takeTurn(unless interruption: @Sendable () -> Failure?) -> Turn {
    state.wait { state in
      if state.isOver { return .refused(Core.ending) }
      if let failure = state.startFailure { return .refused(failure) }
      if let failure = interruption() { return .refused(failure) }
      if state.isHung { return .hung }
      guard !state.isTaken else { return nil }
      state.isTaken = true
      return .mine
    }
  }

  func leave() { state.update { $0.isTaken = false } }

  /// Makes everyone who waits check again.
  func wake() {
    state.update { _ in }
    answered.wake()
  }

  /// Hands the engine one request and waits for the result. The caller has the turn, and keeps it
  /// if a reply or a failure came. An interrupted caller waits another `grace` milliseconds, so
  /// that what is nearly done is completed.
  func exchange(
    _ request: consuming SecretBytes, milliseconds: Int32, grace: Int32,
    unless interruption: @Sendable () -> Failure?
  ) -> Answer {
    var handed: SecretBytes? = consume request
    state.update { $0.request = handed.take() }
    requested.wake()
    let deadline = Deadline(milliseconds: milliseconds)
    let first: Result<Box, Failure>?? = answered.wait(until: deadline, on: state) { state in
      if let reply = state.takeReply() { return .some(reply) }
      return interruption() == nil ? nil : .some(nil)
    }
    if let reply = first ?? nil { return Self.answer(reply) }
    guard let reason = interruption() else { return abandon(.late) }
    let left = min(grace, max(0, deadline.remainingMilliseconds))
    let last = answered.wait(until: Deadline(milliseconds: left), on: state) { $0.takeReply() }
    if let last { return Self.answer(last) }
    return abandon(.left(reason))
  }

  private static func answer(_ reply: Result<Box, Failure>) -> Answer {
    switch reply {
    case .success(let box): .reply(box.take())
    case .failure(let failure): .failure(failure)
    }
  }

  /// Leaves the turn to the engine, unless the reply came at the last moment.
  private func abandon(_ answer: consuming Answer) -> Answer {
    let isHung: Bool
    switch answer {
    case .late: isHung = true
    default: isHung = false
    }
    let reply = state.update { state -> Result<Box, Failure>? in
      if let reply = state.takeReply() { return reply }
      state.isAbandoned = true
      state.isHung = isHung
      return nil
    }
    if let reply { return Self.answer(reply) }
    return answer
  }

  /// Asks the engine's thread to end after the current request.
  func requestEnd() {
    state.update { $0.isOver = true }
    requested.wake()
  }

  /// Waits until the engine is destroyed.
  /// - Returns: false if it is not in time.
  func waitForEnd(nanoseconds: UInt64) -> Bool {
    state.wait(nanoseconds: nanoseconds) { $0.hasEnded ? true : nil } ?? false
  }

  // MARK: The engine's thread

  /// Makes the engine and answers requests until the end. An engine that broke or came back late is
  /// destroyed, and made anew for the next request (engine.h: a broken one must not be called).
  func run(_ load: () throws(Failure) -> Body) {
    var body: Body?
    do throws(Failure) {
      body = try load()
      state.update { $0.isReady = true }
    } catch {
      state.update {
        $0.startFailure = error
        $0.isReady = true
        $0.hasEnded = true
      }
      return
    }
    while let request = next() {
      let reply: Result<Box, Failure>
      do throws(Failure) {
        if body == nil { body = try load() }
        guard let engine = body else { preconditionFailure("an engine that was just made") }
        reply = .success(Box(try engine(request)))
      } catch {
        body = nil
        reply = .failure(error)
      }
      if put(reply) == .tooLate { body = nil }
    }
    body = nil
    state.update { $0.hasEnded = true }
    answered.wake()
  }

  private enum Delivery { case taken, dropped, tooLate }

  private func put(_ reply: Result<Box, Failure>) -> Delivery {
    let delivery = state.update { state -> Delivery in
      guard state.isAbandoned else {
        state.reply = reply
        return .taken
      }
      let wasHung = state.isHung
      state.isAbandoned = false
      state.isHung = false
      state.isTaken = false
      return wasHung ? .tooLate : .dropped
    }
    answered.wake()
    return delivery
  }

  private enum Next: ~Copyable, Sendable {
    case request(SecretBytes)
    case over
  }

  private func next() -> SecretBytes? {
    let next: Next = requested.wait(on: state) { state in
      if state.isOver { return .over }
      guard let request = state.request.take() else { return nil }
      return .request(request)
    }
    switch consume next {
    case .request(let request): return request
    case .over: return nil
    }
  }
}
