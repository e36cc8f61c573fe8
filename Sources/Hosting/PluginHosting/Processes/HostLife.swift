import Glibc
import LinuxSystem
import Protocol
import Sandbox
import Synchronization

/// A host's process: ends it, reaps it, and keeps why it ended.
final class HostLife: Sendable {
  private struct Ending: Sendable {
    var end: ProcessEnd?
    var failure: Failure?
  }

  let subject: HostSubject
  let child: ChildProcess
  private let ending = Mutex(Ending())

  /// How long a host may take to end once its mailbox is closed.
  private static let graceMilliseconds: Int32 = 500
  /// Most threads of a host: its own two, and those of a plugin's libraries.
  static let mostThreads = 64

  init(_ subject: HostSubject, _ child: consuming ChildProcess) {
    self.subject = subject
    self.child = child
    // Only drivers, because hosts of other plugins should cost no wake-ups.
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
  /// - Parameter stage: of the plugin's start; nil if it was ready.
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

  /// Waits a moment for the host to end, kills it if it does not, and reaps it.
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

  /// Kills the host if it has more threads than any plugin needs. Those who wait for it hear why.
  func endIfCrowded() {
    ending.withLock { ending in
      // Not reaped yet, so the number means this process.
      guard ending.end == nil, ending.failure == nil,
        let count = ProcessThreads.count(of: child.identifier), count > Self.mostThreads
      else { return }
      ending.failure = subject.failure(
        "ran \(count) threads at once, more than the \(Self.mostThreads) it may, and was ended")
      child.kill()
    }
  }
}

/// Checks every driver's host of this process once a second.
///
/// From outside, because a plugin shares its process with whatever would look from inside;
/// regularly, because the kernel limits the threads of a user and not of a process.
enum HostWatchdog {
  private struct Watched: Sendable {
    weak var life: HostLife?
  }

  private static let intervalNanoseconds: UInt64 = 1_000_000_000

  private static let hosts: Guarded<[Watched]> = {
    let hosts = Guarded<[Watched]>([])
    SystemThread.start(name: "watchdog") {
      while true {
        // Sleeps while there is no host.
        let living = hosts.wait { hosts -> [HostLife]? in
          hosts.removeAll { $0.life == nil }
          return hosts.isEmpty ? nil : hosts.compactMap(\.life)
        }
        for life in living { life.endIfCrowded() }
        SystemThread.sleep(nanoseconds: intervalNanoseconds)
      }
    }
    return hosts
  }()

  /// Watches a host for as long as it lives.
  static func watch(_ life: HostLife) { hosts.update { $0.append(Watched(life: life)) } }
}

/// The plugin that a host was started for, and failures that name it.
struct HostSubject: Sendable {
  enum Kind: Sendable {
    case driver
    case transport
    case engine(EngineKind)
  }

  let kind: Kind
  let path: String

  var code: FailureCode {
    switch kind {
    case .driver, .transport: .driverFailed
    case .engine: .engineFailed
    }
  }

  var name: String {
    switch kind {
    case .driver: "The driver \(path)"
    case .transport: "The transport \(path)"
    case .engine(let engine): "The \(engine.name) engine \(path)"
    }
  }

  var entrySymbol: String {
    switch kind {
    case .driver: "ac_sensor_entry"
    case .transport: "ac_transport_entry"
    case .engine: "ac_engine_entry"
    }
  }

  private var hint: String {
    switch kind {
    case .driver: "the driver is at fault: try another version of it, or another driver"
    case .transport: "the transport is at fault: install authcore again"
    case .engine: "the engine is at fault: install it again; the next command starts it afresh"
    }
  }

  func failure(_ predicate: String) -> Failure { Failure(code, "\(name) \(predicate)", hint: hint) }

  private func place(_ stage: HostStage.Stage?) -> String {
    switch stage {
    case nil: ""
    case .loading: " while it was loaded (in a constructor)"
    case .entry: " in \(entrySymbol)"
    case .creation: " in create"
    }
  }

  func failure(trappedAt call: UInt32, _ stage: HostStage.Stage?) -> Failure {
    let name = SystemCall.name(of: Int32(truncatingIfNeeded: call))
    return failure("made the system call \(name)\(place(stage)), which its sandbox forbids")
  }

  func failure(ended end: ProcessEnd, _ stage: HostStage.Stage?) -> Failure {
    switch end {
    case .exited(HostSandbox.trappedStatus):
      failure("made a system call\(place(stage)) that its sandbox forbids")
    case .exited(0) where stage == nil: failure("ended by itself")
    case .exited(let status): failure("ended its process with status \(status)\(place(stage))")
    case .signaled: failure("crashed\(place(stage)): its process \(end)")
    }
  }

  func failure(silentForMilliseconds count: Int32, _ stage: HostStage.Stage?) -> Failure {
    failure("did not return within \(count) ms\(place(stage)) and was ended")
  }

  func failure(garbage error: some Error) -> Failure {
    failure("sent something that is no message of a host (\(error)) and was ended")
  }
}
