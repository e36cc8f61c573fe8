import LinuxSystem
import Protocol
import Synchronization

/// The process and the program that a connection was accepted from. A process that dies, forks, is
/// replaced or passes its socket on leaves nothing of its name to whoever writes there then.
final class PeerProgram: Sendable {
  /// Looks at a process anew; nil where it is gone, or nobody tells.
  typealias Look = @Sendable (borrowing RunningProcess) -> ObservedProcess?

  private let process: RunningProcess
  private let observed: ObservedProcess
  /// Looks again whether it runs the same program; nil: its name is a label, which other programs of
  /// the user can have, too.
  private let look: Look?
  /// Whether the writer of every further message has to be known.
  private let mustBeKnown: Atomic<Bool>

  /// - Parameters:
  ///   - process: the one that connected.
  ///   - observed: what that was.
  ///   - mayBeginUnknown: whether nobody knows who wrote what was sent before it was accepted.
  ///   - look: how it is looked at again; nil: it need not be.
  init(
    _ process: consuming RunningProcess, _ observed: ObservedProcess,
    mayBeginUnknown: Bool = false, look: Look?
  ) {
    mustBeKnown = Atomic(!mayBeginUnknown)
    self.process = process
    self.observed = observed
    self.look = look
  }

  /// Whether no other program of the same user gets its name.
  var nameProtects: Bool { look != nil }

  /// Why a message is not taken for one of that process's; nil: it is one. Waits for nothing.
  func objection(to writer: MessageWriter?) -> Failure? {
    if writer == nil, !mustBeKnown.load(ordering: .relaxed) { return nil }
    mustBeKnown.store(true, ordering: .relaxed)
    guard let writer, writer.process == process.identifier, !process.hasEnded else {
      return Self.refusal("another process writes into this connection than the one that opened it")
    }
    return nil
  }

  /// Why a client is not welcomed of which `count` bytes have arrived beyond its `Hello`; nil: it is.
  ///
  /// It was looked at after it had connected. What its process writes from then on is that program's;
  /// what was written before may be another one's, which has begun this program since, or which had
  /// its number first (before Linux 6.5, which does not say more of who connected).
  func objection(toUnread count: Int) -> Failure? {
    guard look != nil, count > 0 else { return nil }
    return Failure(
      .errSecMissingEntitlement,
      "requests came before Welcome: nobody knows which program wrote them",
      hint: "wait for Welcome, as each process and program has a connection of its own")
  }

  /// Why a request is not carried out in that program's name; nil: the process runs it still. May ask
  /// another process.
  func objectionToProgram() -> Failure? {
    guard let look else { return nil }
    guard let now = look(process), now.executable == observed.executable,
      now.startTime == observed.startTime
    else {
      return Self.refusal("the process runs another program than when it opened this connection")
    }
    return nil
  }

  private static func refusal(_ message: String) -> Failure {
    Failure(
      .errSecMissingEntitlement, message,
      hint: "each process and program opens a connection of its own")
  }
}
