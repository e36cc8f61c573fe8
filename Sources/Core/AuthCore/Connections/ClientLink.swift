import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// Deals with what comes from a client. Called by the loop, which must not wait.
protocol LinkReader: AnyObject, Sendable {
  /// Bytes have arrived, or the connection has ended.
  func messagesArrived()
  /// The client has taken everything that was sent to it.
  func allIsSent()
}

/// The socket of one client. Any thread may send, and none waits for the client. What the client
/// does not read is kept up to a bound and for a while; then the connection ends.
final class ClientLink: Sendable {
  private struct State: ~Copyable {
    var unsent = UnsentBytes()
    /// What the loop watches for.
    var wanted: SocketReadiness = []
    var isDeaf = false
    /// Whether both directions end once everything is sent.
    var endsWhenSent = false
    var isOver = false
  }

  private struct Receiving: Sendable {
    weak var reader: (any LinkReader)?
    var isWanted = false
  }

  let peer: PeerCredentials
  /// The application whose items are meant (K2): the program that the client ran when it was
  /// accepted, as named by ``ApplicationNaming``. It does not change later.
  let application: String
  /// Whether that program shows prompts for others.
  let isAgentProgram: Bool
  /// Which door the client is; nil if it is none.
  let door: Door?
  private let acting = Mutex<DoorCaller?>(nil)
  /// Checks that the client is still that process and program; nil if nothing checks.
  let program: PeerProgram?
  private let descriptor: Descriptor
  private let connections: ConnectionServer
  private let name: EventLoop.Name
  /// Gives up on a client that takes nothing.
  private let timer: EventLoop.Name
  private let limits: CoreLimits
  private let unsentOfClient: UserLedger.Account
  private let state = Mutex(State())
  /// Apart from `state`: the loop must not wait for a thread that sends.
  private let receiving = Mutex(Receiving())
  /// Whether ``State/unsent`` holds anything.
  private let isUnsent = Atomic(false)

  /// Takes over a connected socket, which becomes non-blocking at this end.
  init(
    _ socket: consuming Descriptor, peer: PeerCredentials, names: any ApplicationNaming,
    by connections: ConnectionServer, limits: CoreLimits
  ) {
    self.peer = peer
    self.connections = connections
    unsentOfClient = UserLedger.Account(connections.unsent, user: peer.user)
    self.limits = limits
    name = connections.loop.newName()
    timer = connections.loop.newName()
    let client = names.client(connectedTo: socket.number, peer)
    (application, isAgentProgram, door) =
      (client.application, client.isAgentProgram, client.door)
    // Before the client is welcomed, so before it names anybody.
    if door != nil { DescriptorPassing.allow(on: socket) }
    program = client.program
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    descriptor = socket
  }

  /// The socket, to receive from.
  var socket: Int32 { descriptor.number }

  // The client sees the end, though the socket may have to wait to be closed.
  deinit { shutdown(socket, Int32(SHUT_RDWR)) }

  private var loop: EventLoop { connections.loop }

  // MARK: The door

  /// The process that the door acts for; nil if the client is no door, or has not said.
  var caller: DoorCaller? { acting.withLock { $0 } }

  /// Makes the door act for a process.
  /// - Returns: false if it acts for one already.
  func act(for caller: DoorCaller) -> Bool {
    acting.withLock { acting in
      guard acting == nil else { return false }
      acting = caller
      return true
    }
  }

  // MARK: Receiving

  var objectionToWelcome: Failure? {
    var unread: Int32 = 0
    // The next read notices the end of the socket.
    guard unsafe ioctl(socket, UInt(FIONREAD), &unread) == 0 else { return nil }
    return program?.objection(toUnread: Int(unread))
  }

  /// Calls `reader` when something arrives, as long as that object lives.
  /// - Returns: false if the kernel cannot watch the socket.
  func startReceiving(for reader: any LinkReader) -> Bool {
    state.withLock { state in
      // The connection may have been closed before.
      guard !state.isDeaf else { return true }
      receiving.withLock { $0 = Receiving(reader: reader, isWanted: true) }
      return want(state.wanted.union(.readable), &state)
    }
  }

  /// Receives no more; sending goes on.
  func stopReceiving() {
    shutdown(socket, Int32(SHUT_RD))
    state.withLock { state in
      state.isDeaf = true
      receiving.withLock { $0.isWanted = false }
      _ = want(state.wanted.subtracting(.readable), &state)
    }
  }

  // MARK: Sending

  /// Whether the client has not taken everything that was sent.
  var hasUnsent: Bool { isUnsent.load(ordering: .acquiring) }

  /// Sends one message, or keeps what the client does not take of it.
  /// - Parameters:
  ///   - message: is copied if it is kept.
  ///   - owner: is held as long as the message is kept.
  ///   - prepare: is called first, under the lock.
  /// - Returns: false if the connection is over.
  func send(
    _ message: borrowing SecretBytes, holding owner: (any Sendable)? = nil,
    after prepare: () -> Void = {}
  ) -> Bool {
    state.withLock { state in
      prepare()
      guard !state.isOver, state.unsent.count <= limits.unsentBytes else {
        end(&state)
        return false
      }
      let wasEmpty = state.unsent.isEmpty
      do throws(StreamError) {
        try state.unsent.send(message, on: socket, holding: owner)
      } catch {
        end(&state)
        return false
      }
      guard unsentOfClient.note(state.unsent.count) else {
        end(&state)
        return false
      }
      guard wasEmpty, !state.unsent.isEmpty else { return true }
      isUnsent.store(true, ordering: .releasing)
      limitTime()
      return want(state.wanted.union(.writable), &state)
    }
  }

  /// Sends one short message, unless the client still has to read what came before.
  func sendAtOnce(_ message: borrowing SecretBytes) {
    var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    // A Unix socket is writable while at least three quarters of its buffer are free
    // (unix_writable, net/unix/af_unix.c).
    guard !hasUnsent, unsafe poll(&polled, 1, 0) == 1 else { return }
    _ = send(message)
  }

  /// Ends both directions once everything sent is taken. The client reads that, then the end.
  func disconnect() {
    state.withLock { state in
      state.endsWhenSent = true
      if state.unsent.isEmpty { end(&state) }
    }
  }

  // MARK: The loop

  private func ready(_ readiness: SocketReadiness) {
    if readiness.contains(.writable) { sendRest() }
    guard readiness.contains(.readable) else { return }
    let (isReading, reader) = receiving.withLock { ($0.isWanted, $0.reader) }
    guard isReading else { return }
    // Without a reader it would be reported again and again.
    guard let reader else { return stopReceiving() }
    reader.messagesArrived()
  }

  private func sendRest() {
    let isAllSent = state.withLock { state in
      guard !state.unsent.isEmpty else { return false }
      do throws(StreamError) {
        if try state.unsent.sendRest(on: socket) { limitTime() }
        _ = unsentOfClient.note(state.unsent.count)
      } catch {
        end(&state)
        return false
      }
      guard state.unsent.isEmpty else { return false }
      isUnsent.store(false, ordering: .releasing)
      loop.cancel(timer)
      _ = want(state.wanted.subtracting(.writable), &state)
      if state.endsWhenSent { end(&state) }
      return true
    }
    if isAllSent { receiving.withLock(\.reader)?.allIsSent() }
  }

  private func limitTime() {
    let due = Deadline.now + UInt64(limits.sendMilliseconds) * 1_000_000
    loop.set(timer, at: due) { [weak self] in self?.state.withLock { self?.end(&$0) } }
  }

  /// Ends both directions at once.
  private func end(_ state: inout State) {
    guard !state.isOver else { return }
    state.isOver = true
    loop.cancel(timer)
    state.unsent.drop()
    isUnsent.store(false, ordering: .releasing)
    _ = unsentOfClient.note(0)
    shutdown(socket, Int32(SHUT_RDWR))
    _ = want(state.wanted.subtracting(.writable), &state)
  }

  /// - Returns: false if the kernel cannot watch the socket.
  private func want(_ wanted: SocketReadiness, _ state: inout State) -> Bool {
    guard wanted != state.wanted else { return true }
    state.wanted = wanted
    if wanted.isEmpty {
      // The end of both directions would be reported again and again.
      loop.forget(socket, as: name)
      return true
    }
    // The loop retains the link, because what is unsent outlives the connection.
    return loop.watch(socket, as: name, for: wanted) { [self] in ready($0) }
  }
}
