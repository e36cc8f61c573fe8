import LinuxSystem
import Protocol

/// Serves the connections of one process, for any number of cores, with one thread that reads from
/// and writes to all of them, and a few that run requests (docs/decisions/0042).
final class ConnectionServer: Sendable {
  let loop: EventLoop
  let turns: RequestTurns
  /// The bytes that clients have not taken.
  let unsent: UserLedger
  private let closer = DescriptorCloser()
  /// Whether clients are of several users. If not, each process waits for its own descriptors only.
  private let servesUsers: Bool

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
    try ConnectionServer(TurnOrder.Limits(), unsent: ServiceBudget.unsent, servesUsers: true)
  }

  init(
    _ limits: TurnOrder.Limits, unsent: UserBudget = ServiceBudget.unsent,
    servesUsers: Bool = false
  ) throws(Failure) {
    self.unsent = UserLedger(unsent)
    self.servesUsers = servesUsers
    let loop = try EventLoop()
    self.loop = loop
    turns = RequestTurns(limits, loop: loop)
    SystemThread.start(name: "clients") { loop.run() }
  }

  // MARK: Closing

  /// Closes what a client sends.
  func line(of peer: PeerCredentials) -> ClosingLine { ClosingLine(closer, of: owner(peer)) }

  /// Closes a client's socket.
  /// - Parameters:
  ///   - peer: the client.
  ///   - place: is given back when the socket is closed.
  /// - Returns: the line that it waits in.
  func line(ofSocket peer: PeerCredentials, holding place: (any Sendable)? = nil) -> ClosingLine {
    ClosingLine(closer, ofSocket: owner(peer), holding: place)
  }

  private func owner(_ peer: PeerCredentials) -> DescriptorCloser.Owner {
    servesUsers ? .user(peer.user) : .process(peer.process)
  }

  deinit {
    turns.end()
    loop.end()
  }
}
