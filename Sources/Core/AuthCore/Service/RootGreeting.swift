import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// What a client of root says before it is known which user it is served as: `Hello`, and perhaps
/// ``Protocol/ServeUser``. What comes after that is left in the socket for that user's core.
///
/// While it says nothing it costs no thread, as any other client.
final class RootGreeting: Sendable {
  /// How the conversation goes on.
  struct Outcome: Sendable {
    var user: UInt32 = 0
    /// How far the client has introduced itself.
    var greeting = Greeting.awaited
    /// The request for a user, which is to be answered.
    var request: UInt32?
  }

  /// Serves a client from there on.
  typealias Serve = @Sendable (consuming Descriptor, Outcome) -> Void

  private enum Next {
    /// The client may say something more for so many milliseconds.
    case wait(UInt64)
    case serve
    /// Nobody is there any more.
    case gone
  }

  private struct State: ~Copyable {
    var socket: Descriptor?
    var outcome = Outcome()
  }

  private let socket: Int32
  private let owner: TurnOrder.Owner
  private let connections: ConnectionServer
  private let serve: Serve
  private let state: Mutex<State>
  private let arrival: EventLoop.Name
  private let timer: EventLoop.Name

  /// How long it may take to say `Hello`, and how long it may still name a user after that, in
  /// milliseconds.
  private static let patience: (hello: UInt64, user: UInt64) = (5_000, 60_000)
  /// How long a message may take that has begun.
  private static let messageMilliseconds: Int32 = 5_000
  /// The length of a message, and its number.
  private static let peeked = 5

  /// Listens to a client; `serve` is called at the latest a minute after its last word.
  static func listen(
    to client: consuming Descriptor, of owner: TurnOrder.Owner, _ connections: ConnectionServer,
    serve: @escaping Serve
  ) {
    RootGreeting(client, owner, connections, serve).wait(patience.hello)
  }

  private init(
    _ client: consuming Descriptor, _ owner: TurnOrder.Owner, _ connections: ConnectionServer,
    _ serve: @escaping Serve
  ) {
    socket = client.number
    self.owner = owner
    self.connections = connections
    self.serve = serve
    state = Mutex(State(socket: consume client))
    arrival = connections.loop.newName()
    timer = connections.loop.newName()
  }

  private func wait(_ milliseconds: UInt64) {
    let loop = connections.loop
    loop.set(timer, at: Deadline.now + milliseconds * 1_000_000) { [self] in goOn() }
    if !loop.watch(socket, as: arrival, for: .readable, { [self] _ in goOn() }) { goOn() }
  }

  /// Something has come, or nothing in time.
  private func goOn() {
    connections.loop.forget(socket, as: arrival)
    connections.loop.cancel(timer)
    connections.turns.add(owner) { [self] _ in hear() }
  }

  private func hear() {
    let next = state.withLock { state -> Next in
      guard let socket = state.socket.take() else { return .gone }
      let next = Self.hear(socket, &state.outcome)
      state.socket = consume socket
      return next
    }
    switch next {
    case .wait(let milliseconds): wait(milliseconds)
    case .serve:
      let outcome = state.withLock { $0.outcome }
      if let client = state.withLock({ $0.socket.take() }) { serve(client, outcome) }
    case .gone: state.withLock { $0.socket = nil }
    }
  }

  private static func hear(_ socket: borrowing Descriptor, _ outcome: inout Outcome) -> Next {
    var bytes = [UInt8](repeating: 0, count: peeked)
    let count = unsafe recv(
      socket.number, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count == 0 { return .gone }
    // A message that arrives in pieces so short comes from no client that wants another user.
    guard count == bytes.count else { return .serve }
    do {
      let stream = MessageStream(
        try socket.duplicate(), limit: ApplicationRequest.longestMessage)
      switch (bytes[peeked - 1], outcome.greeting) {
      case (Hello.number, .awaited):
        let hello = try stream.receive(milliseconds: messageMilliseconds)
        let welcome = outcome.greeting.answer(
          try ClientEnvelope.decode(hello.bytes.bytes), isService: true)
        let request = try ClientEnvelope.header(hello.bytes.bytes).request
        try stream.send(ClientEnvelope.encode(welcome, request: request))
        return outcome.greeting == .done ? .wait(patience.user) : .serve
      case (ServeUser.number, .done):
        let serve = try stream.receive(milliseconds: messageMilliseconds)
        outcome.user = try ClientEnvelope.decode(serve.bytes.bytes, as: ServeUser.self).user
        outcome.request = try ClientEnvelope.header(serve.bytes.bytes).request
      default: break
      }
    } catch {
      // Its connection is out of step, and the core of root says so and ends it.
    }
    return .serve
  }
}
