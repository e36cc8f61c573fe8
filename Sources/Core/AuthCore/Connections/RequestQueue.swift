import LinuxSystem
import Protocol
import Synchronization

/// The requests of one connection: one runs, others wait in order. A value, guarded by
/// ``ClientConnection``.
struct RequestQueue: Sendable {
  enum Admission: Equatable {
    case admitted
    case tooMany
    /// A request with this id has not been answered.
    case idInUse
  }

  /// What a `Cancel` found.
  enum Cancellation: Equatable {
    /// The request had not begun, and will not.
    case removed
    /// The request runs and was interrupted.
    case interrupted
    /// The request was answered, or never existed.
    case unknown
  }

  private struct Running: Sendable {
    let identifier: UInt32
    let inbox: RequestInbox
  }

  private var waiting: [QueuedRequest] = []
  private var running: Running?
  private(set) var isClosed = false
  /// Why the connection had to give up its place, if it had to.
  private(set) var farewell: Failure?
  private(set) var greeting: Greeting
  /// When the connection began or its last request was answered; nanoseconds since boot.
  private var quietSince: UInt64
  /// Whether a request runs, or one of this connection waits for its turn.
  private var hasTurn = false
  /// Whether the connection gives back what it held.
  private var isSettled = false

  /// The queue of a connection that begins at `now`.
  init(at now: UInt64, after greeting: Greeting = .awaited) {
    quietSince = now
    self.greeting = greeting
  }

  /// What the connection does with its place.
  var standing: AdmissionRules.Standing {
    guard running == nil, waiting.isEmpty else { return .busy }
    return greeting.isOver ? .idle(since: quietSince) : .silent(since: quietSince)
  }

  /// Takes the turn for the next request that waits, if at most `most` wait.
  /// - Returns: whether there is one and none runs.
  mutating func takeTurn(atMost most: Int = .max) -> Bool {
    guard !hasTurn, !isClosed, 1...most ~= waiting.count else { return false }
    hasTurn = true
    return true
  }

  mutating func endTurn() { hasTurn = false }

  mutating func admit(_ request: QueuedRequest, limit: Int) -> Admission {
    let id = request.identifier
    guard running?.identifier != id, !waiting.contains(where: { $0.identifier == id }) else {
      return .idInUse
    }
    guard waiting.count < limit else { return .tooMany }
    waiting.append(request)
    return .admitted
  }

  /// Starts the next request, whose events arrive in `inbox`.
  mutating func start(with inbox: RequestInbox) -> QueuedRequest? {
    guard !isClosed, running == nil, !waiting.isEmpty else { return nil }
    let request = waiting.removeFirst()
    running = Running(identifier: request.identifier, inbox: inbox)
    return request
  }

  /// The running request is about to be answered at `now`, and its id is free. The time to say
  /// `Hello` in goes on.
  /// - Parameters:
  ///   - now: nanoseconds since boot.
  ///   - greeting: how far the client has introduced itself by this request.
  ///   - keepsTurn: whether no other request runs yet.
  mutating func finish(at now: UInt64, _ greeting: Greeting, keepsTurn: Bool) {
    running = nil
    self.greeting = greeting
    if greeting.isOver { quietSince = now }
    if !keepsTurn { hasTurn = false }
  }

  /// Ends the request with this id.
  mutating func cancel(_ identifier: UInt32) -> Cancellation {
    if let index = waiting.firstIndex(where: { $0.identifier == identifier }) {
      waiting.remove(at: index)
      return .removed
    }
    guard let running, running.identifier == identifier else { return .unknown }
    running.inbox.interrupt(Failure(.appCancel, "the application cancelled the request"))
    return .interrupted
  }

  func inbox(of identifier: UInt32) -> RequestInbox? {
    running?.identifier == identifier ? running?.inbox : nil
  }

  /// Closes unless a request runs or waits.
  /// - Returns: whether it is closed now, or was before.
  mutating func closeIfQuiet(_ reason: Failure) -> Bool {
    guard standing != .busy else { return false }
    guard !isClosed else { return true }
    close(reason)
    farewell = reason
    return true
  }

  /// Whether the connection is to give back what it held: once, after its last request.
  mutating func settle() -> Bool {
    guard isClosed, !hasTurn, !isSettled else { return false }
    isSettled = true
    return true
  }

  /// Drops what waits and interrupts what runs. Nothing more will run.
  mutating func close(_ reason: Failure) {
    isClosed = true
    waiting = []
    running?.inbox.interrupt(reason)
  }
}

final class QueuedRequest: Sendable {
  let number: UInt8
  let identifier: UInt32
  /// The process that sent it, as ``SpeakerChange`` numbers them.
  let speaker: UInt64
  /// Whether the kernel named that process.
  let hasKnownWriter: Bool
  private let message: Mutex<ReceivedMessage?>
  /// The locked memory that it holds until it is answered.
  private let shares: Mutex<[SecretLedger.Share]>

  init(
    number: UInt8, identifier: UInt32, speaker: UInt64,
    _ message: consuming sending ReceivedMessage, _ share: SecretLedger.Share?
  ) {
    self.number = number
    self.identifier = identifier
    self.speaker = speaker
    hasKnownWriter = message.writer != nil
    self.message = Mutex(message)
    shares = Mutex(share.map { [$0] } ?? [])
  }

  func hold(_ share: SecretLedger.Share) { shares.withLock { $0.append(share) } }

  /// The message, or nil if it was taken.
  func take() -> ReceivedMessage? { message.withLock { $0.take() } }
}
