import LinuxSystem
import Protocol
import Synchronization

extension Call {
  /// Writes down what happened on behalf of this request's client, and how the owner's presence was
  /// proved meanwhile.
  func note(_ event: AuditRecord.Event, outcome: String = "done") {
    guard core.isAudited else { return }
    core.audit(
      AuditRecord(
        event: event, outcome: outcome, evidence: proof.withLock { $0 }?.auditName, user: core.user,
        application: link.application, process: link.peer.process))
  }

  /// The outcome of what the enclave counts.
  private static var counted: String { "counted" }

  /// Writes down what a touch or a passcode came to.
  func note(_ event: MachineEvent) {
    switch event {
    case .outcome(.missed(_, _, _, let isLockedOut)),
      .stopped(.some(.missed(_, _, _, let isLockedOut))):
      note(.miss, outcome: Self.counted)
      if isLockedOut { note(.lockout, outcome: Self.counted) }
    case .verified(isRight: false): note(.wrongPasscode, outcome: Self.counted)
    default: break
    }
  }
}

extension ProvedBy {
  /// The value of `AUTHCORE_EVIDENCE`; nil: nothing had to be proved.
  fileprivate var auditName: String? {
    switch self {
    case .biometry: "biometry"
    case .passcode: "passcode"
    case .nothing: nil
    }
  }
}
