import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// Serves the connections of one process, for any number of cores, with one thread that reads from
/// and writes to all of them, and a few that run requests (docs/decisions/0042).
final class ConnectionServer: Sendable {
  let loop: EventLoop
  let turns: RequestTurns
  /// The bytes that clients have not taken.
  let unsent: UserLedger
  /// Whether a client's socket may hold descriptors that it sent, and clients are other users than
  /// this process. Then closing a socket may block for as long as a client likes.
  private let closesApart: Bool
  private let closing = Mutex<Set<UInt32>>([])

  /// Descriptors of a core on demand that has every place taken. The service's unit sets its own.
  private static let descriptors: UInt = 4096

  /// Starts the thread, which ends with this object, and raises the limit of descriptors so that
  /// every place can be taken.
  /// - Throws: `coreFailed` if the process has no descriptors left.
  convenience init() throws(Failure) {
    OpenDescriptors.allow(Self.descriptors)
    try self.init(TurnOrder.Limits())
  }

  /// For the service of the machine.
  /// - Returns: the running server.
  /// - Throws: `coreFailed` if the process has no descriptors left.
  static func ofService() throws(Failure) -> ConnectionServer {
    try ConnectionServer(TurnOrder.Limits(), unsent: ServiceBudget.unsent, closesApart: true)
  }

  init(
    _ limits: TurnOrder.Limits, unsent: UserBudget = ServiceBudget.unsent,
    closesApart: Bool = false
  ) throws(Failure) {
    self.unsent = UserLedger(unsent)
    self.closesApart = closesApart
    let loop = try EventLoop()
    self.loop = loop
    turns = RequestTurns(limits, loop: loop)
    SystemThread.start(name: "clients") { loop.run() }
  }

  // MARK: Closing

  /// Closes a client's socket. Unread descriptors in it are closed with it (unix(7)), which may
  /// block (`SO_LINGER`, a file system of the client's own). So it takes a turn of its user, as a
  /// request does.
  /// - Parameters:
  ///   - socket: is owned by the caller before.
  ///   - owner: whose turn it takes.
  ///   - holding: is released after the socket is closed.
  func close(_ socket: Int32, of owner: TurnOrder.Owner, holding: (any Sendable)? = nil) {
    guard closesApart else {
      Glibc.close(socket)
      return
    }
    turns.add(owner) { _ in
      Glibc.close(socket)
      withExtendedLifetime(holding) {}
    }
  }

  /// Closes descriptors that a client sent and should not have. Until that is done nothing more is
  /// read from this user's clients (``isClosing(for:)``): one message brings up to 253.
  func close(sent descriptors: [Int32], of owner: TurnOrder.Owner) {
    guard !descriptors.isEmpty else { return }
    guard closesApart else {
      for descriptor in descriptors { Glibc.close(descriptor) }
      return
    }
    closing.withLock { _ = $0.insert(owner.user) }
    turns.add(owner) { [self] _ in
      for descriptor in descriptors { Glibc.close(descriptor) }
      closing.withLock { _ = $0.remove(owner.user) }
    }
  }

  func isClosing(for user: UInt32) -> Bool { closing.withLock { $0.contains(user) } }

  deinit {
    turns.end()
    loop.end()
  }
}
