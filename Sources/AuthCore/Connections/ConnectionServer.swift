import LinuxSystem
package import Wire

/// What serves the connections of one process, of however many cores: one thread that reads from
/// and writes to all of them, and a few that run requests (docs/decisions/0042).
package final class ConnectionServer: Sendable {
  let loop: EventLoop
  let turns: RequestTurns
  /// What all clients have not taken.
  let unsent: UnsentLedger

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

  /// The same with other limits.
  init(
    _ limits: TurnOrder.Limits, unsent: UnsentBudget = UnsentBudget()
  ) throws(Failure) {
    self.unsent = UnsentLedger(unsent)
    let loop = try EventLoop()
    self.loop = loop
    turns = RequestTurns(limits, loop: loop)
    SystemThread.start(name: "clients") { loop.run() }
  }

  deinit {
    turns.end()
    loop.end()
  }
}
