import DBus
import Protocol

extension ServiceTrouble {
  /// What whoever knows nobody's place does without; nil where logind answers.
  init?(login place: SessionPlace) {
    guard case .unknown(let reason) = place else { return nil }
    self.init(
      subject: "logind",
      text: "Nobody says who sits at this machine, so no touch counts, and the passcode does: "
        + reason,
      remedy: "Install and start systemd-logind (or elogind), the system bus and libsystemd0, "
        + "then: sudo systemctl restart authcored",
      isProblem: true)
  }

  /// A policy that was not understood, or is not believed.
  init(refusedPolicy failure: Failure, _ consequence: String) {
    self.init(
      subject: "policy", text: "It is refused, and \(consequence): \(failure.message)",
      remedy: "Mend it, then: sudo systemctl reload authcored", isProblem: true)
  }

  /// A driver that the policy names.
  init(unusableDriver failure: Failure) {
    self.init(
      subject: "policy", text: "It allows a driver that cannot be used: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }

  /// A screen lock that the policy lists.
  init(unusableScreenLock failure: Failure) {
    self.init(
      subject: "policy", text: "It lists a screen lock that no program is: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }
}
