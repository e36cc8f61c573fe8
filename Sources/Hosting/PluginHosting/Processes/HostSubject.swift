import LinuxSystem
import Protocol
import Sandbox

/// Which plugin a host was started for, and how to speak of it.
struct HostSubject: Sendable {
  enum Kind: Sendable {
    case driver
    case transport
    case engine(EngineKind)
  }

  let kind: Kind
  /// The plugin's canonical path.
  let path: String

  var code: FailureCode {
    switch kind {
    case .driver, .transport: .driverFailed
    case .engine: .engineFailed
    }
  }

  /// "The driver /usr/lib/…/x.so"
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

  func failure(_ predicate: String) -> Failure {
    Failure(code, "\(name) \(predicate)", hint: hint)
  }

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
