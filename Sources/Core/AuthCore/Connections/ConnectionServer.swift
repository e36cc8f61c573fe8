import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// What serves the connections of one process, of however many cores: one thread that reads from
/// and writes to all of them, and a few that run requests (docs/decisions/0042).
package final class ConnectionServer: Sendable {
  let loop: EventLoop
  let turns: RequestTurns
  /// What all clients have not taken.
  let unsent: UserLedger
  /// Whether clients may have sent descriptors with what lies in their sockets, and are other users
  /// than this process: closing their sockets may take as long as they like.
  private let closesApart: Bool
  /// Users whose descriptors are being closed.
  private let closing = Mutex<Set<UInt32>>([])

  /// Descriptors of a core on demand with every place taken; those of the service are set by its
  /// unit.
  private static let descriptors: UInt = 4096

  /// Starts the thread, which ends with this object, and lets the process have as many clients as
  /// there are places.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package convenience init() throws(Failure) {
    OpenDescriptors.allow(Self.descriptors)
    try self.init(TurnOrder.Limits())
  }

  /// The same for the service of the machine.
  /// - Parameter closesApart: whether the kernel lets clients send descriptors.
  /// - Returns: what serves them, running.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  static func ofService(closesApart: Bool) throws(Failure) -> ConnectionServer {
    try ConnectionServer(
      TurnOrder.Limits(), unsent: ServiceBudget.unsent, closesApart: closesApart)
  }

  /// The same with other limits.
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

  /// Closes a client's socket. Descriptors that lie in it unread are closed with it (unix(7)), and
  /// that may block (`SO_LINGER`, a file system of the client's own): it has a turn of its user's, as a
  /// request does, and holds up nobody else.
  /// - Parameters:
  ///   - socket: is closed; the caller owned it.
  ///   - owner: whose turn it takes.
  ///   - holding: is let go of when it is closed.
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
  /// read from clients of this user (``isClosing(for:)``): one message brings 253 at most.
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

  /// Whether descriptors that clients of this user sent are being closed.
  func isClosing(for user: UInt32) -> Bool { closing.withLock { $0.contains(user) } }

  deinit {
    turns.end()
    loop.end()
  }
}
