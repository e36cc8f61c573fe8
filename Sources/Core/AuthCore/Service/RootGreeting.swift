import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// Reads what a client of root says before it is known which user it is served as: `Hello`, and
/// perhaps ``Protocol/ServeUser``. The rest is left in the socket for that user's core.
///
/// While the client says nothing it costs no thread.
final class RootGreeting: Sendable {
  struct Outcome: Sendable {
    var user: UInt32 = 0
    var greeting = Greeting.awaited
    /// The id of the request for a user, which must be answered.
    var request: UInt32?
  }

  /// Serves the client after that.
  typealias Serve = @Sendable (consuming Descriptor, Outcome) -> Void

  private enum Next {
    /// The client may say more within so many milliseconds.
    case wait(UInt64)
    case serve
    /// The client has left.
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

  /// How long it may take to say `Hello`, and then to name a user, in milliseconds.
  private static let timeouts: (hello: UInt64, user: UInt64) = (5_000, 60_000)
  /// How long a message may take once it has begun.
  private static let messageMilliseconds: Int32 = 5_000
  /// The bytes of a message's length and number.
  private static let peeked = 5

  /// Listens to a client. Calls `serve` at most a minute after its last message.
  static func listen(
    to client: consuming Descriptor, of owner: TurnOrder.Owner, _ connections: ConnectionServer,
    serve: @escaping Serve
  ) {
    RootGreeting(client, owner, connections, serve).wait(timeouts.hello)
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

  /// Something has come, or the time has passed.
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
    let count = unsafe recv(socket.number, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count == 0 { return .gone }
    // A client that wants another user sends whole messages.
    guard count == bytes.count else { return .serve }
    do {
      let stream = MessageStream(try socket.duplicate(), limit: ApplicationRequest.longestMessage)
      switch (bytes[peeked - 1], outcome.greeting) {
      case (Hello.number, .awaited):
        let hello = try stream.receive(milliseconds: messageMilliseconds)
        let welcome = outcome.greeting.answer(
          try ClientEnvelope.decode(hello.bytes.bytes), isService: true)
        let request = try ClientEnvelope.header(hello.bytes.bytes).request
        try stream.send(ClientEnvelope.encode(welcome, request: request))
        return outcome.greeting == .done ? .wait(timeouts.user) : .serve
      case (ServeUser.number, .done):
        let serve = try stream.receive(milliseconds: messageMilliseconds)
        outcome.user = try ClientEnvelope.decode(serve.bytes.bytes, as: ServeUser.self).user
        outcome.request = try ClientEnvelope.header(serve.bytes.bytes).request
      default: break
      }
    } catch {
      // The stream is out of step. Root's core says so and ends the connection.
    }
    return .serve
  }
}
