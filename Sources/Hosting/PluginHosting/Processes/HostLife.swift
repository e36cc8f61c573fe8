import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The process of a host: ends it, reaps it, and keeps why it ended.
final class HostLife: Sendable {
  private struct Ending: Sendable {
    var end: ProcessEnd?
    var failure: Failure?
  }

  let subject: HostSubject
  let child: ChildProcess
  private let ending = Mutex(Ending())

  /// How long a host has to end by itself once its mailbox is closed.
  private static let graceMilliseconds: Int32 = 500
  /// Most threads of a host: its own two, and those of a plugin's libraries.
  static let mostThreads = 64

  /// Takes over a process.
  init(_ subject: HostSubject, _ child: consuming ChildProcess) {
    self.subject = subject
    self.child = child
    // The plugins of others: nothing wakes for the rest, which may live as long as the core.
    if case .driver = subject.kind { HostWatchdog.watch(self) }
  }

  /// Ends the host at once because of `failure`.
  /// - Returns: the first failure that was found, which tells why.
  func abandon(_ failure: Failure) -> Failure {
    child.kill()
    _ = reap()
    return remember(failure)
  }

  /// The host has closed its mailbox.
  /// - Parameter stage: where in its start the plugin was; nil: it was ready.
  /// - Returns: the first failure that was found, which tells why.
  func failureOfEnd(stage: HostStage.Stage?) -> Failure {
    remember(subject.failure(ended: reap(), stage))
  }

  private func remember(_ failure: Failure) -> Failure {
    ending.withLock { ending in
      let first = ending.failure ?? failure
      ending.failure = first
      return first
    }
  }

  /// Waits a moment for the host to end, else ends it; reaps it.
  @discardableResult
  func reap() -> ProcessEnd {
    ending.withLock { ending in
      if let end = ending.end { return end }
      var end = child.wait(milliseconds: Self.graceMilliseconds)
      if end == nil {
        child.kill()
        end = child.wait()
      }
      ending.end = end
      return end ?? .exited(0)
    }
  }

  /// Ends the host when it has more threads than any plugin needs. Whoever waits for it hears of
  /// its end then, and why.
  func endIfCrowded() {
    ending.withLock { ending in
      // Not reaped, so the number means this process.
      guard ending.end == nil, ending.failure == nil,
        let count = ProcessThreads.count(of: child.identifier), count > Self.mostThreads
      else { return }
      ending.failure = subject.failure(
        "ran \(count) threads at once, more than the \(Self.mostThreads) it may, and was ended")
      child.kill()
    }
  }
}
