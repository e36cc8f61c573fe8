import Protocol

/// The requests of one connection: one runs, others wait in the order they came. A value;
/// ``ClientConnection`` guards it.
struct RequestQueue: Sendable {
  /// What became of a request that came in.
  enum Admission: Equatable {
    case admitted
    /// More wait than a client may have waiting.
    case tooMany
    /// A request of this id has not been answered.
    case idInUse
  }

  /// What a `Cancel` met.
  enum Cancellation: Equatable {
    /// It had not begun, and never will.
    case removed
    /// It runs, and has been told.
    case interrupted
    /// It has been answered, or never was.
    case unknown
  }

  private struct Running: Sendable {
    let identifier: UInt32
    let inbox: RequestInbox
  }

  private var waiting: [QueuedRequest] = []
  private var running: Running?
  private(set) var isClosed = false
  /// Why the connection had to give its place up, where it had to.
  private(set) var farewell: Failure?
  private var isGreeted = false
  /// When the connection began, or its last request was answered; nanoseconds since boot.
  private var quietSince: UInt64

  /// The queue of a connection that begins at `now`.
  init(at now: UInt64) { quietSince = now }

  /// What the connection does with its place.
  var standing: AdmissionRules.Standing {
    guard running == nil, waiting.isEmpty else { return .busy }
    return isGreeted ? .idle(since: quietSince) : .silent(since: quietSince)
  }

  /// How many wait for their turn.
  var waitingCount: Int { waiting.count }

  /// The client has introduced itself.
  mutating func noteGreeting() { isGreeted = true }

  /// Lets a request wait for its turn.
  mutating func admit(_ request: QueuedRequest, limit: Int) -> Admission {
    let id = request.identifier
    guard running?.identifier != id, !waiting.contains(where: { $0.identifier == id }) else {
      return .idInUse
    }
    guard waiting.count < limit else { return .tooMany }
    waiting.append(request)
    return .admitted
  }

  /// The next request, which runs from here on and hears of the world through `inbox`.
  mutating func start(with inbox: RequestInbox) -> QueuedRequest? {
    guard !isClosed, running == nil, !waiting.isEmpty else { return nil }
    let request = waiting.removeFirst()
    running = Running(identifier: request.identifier, inbox: inbox)
    return request
  }

  /// The running request is about to be answered at `now`; its id is free. The time to say `Hello`
  /// in goes on.
  mutating func finish(at now: UInt64) {
    running = nil
    if isGreeted { quietSince = now }
  }

  /// Ends the request of this id.
  mutating func cancel(_ identifier: UInt32) -> Cancellation {
    if let index = waiting.firstIndex(where: { $0.identifier == identifier }) {
      waiting.remove(at: index)
      return .removed
    }
    guard let running, running.identifier == identifier else { return .unknown }
    running.inbox.interrupt(
      Failure(.appCancel, "the application cancelled the request"))
    return .interrupted
  }

  /// The inbox of the running request, if it has this id.
  func inbox(of identifier: UInt32) -> RequestInbox? {
    running?.identifier == identifier ? running?.inbox : nil
  }

  /// Closes unless a request is under way or waits.
  /// - Returns: whether it is closed; also where it was before.
  mutating func closeIfQuiet(_ reason: Failure) -> Bool {
    guard standing != .busy else { return false }
    guard !isClosed else { return true }
    close(reason)
    farewell = reason
    return true
  }

  /// Drops what waits and interrupts what runs; nothing is admitted to run any more.
  mutating func close(_ reason: Failure) {
    isClosed = true
    waiting = []
    running?.inbox.interrupt(reason)
  }
}
