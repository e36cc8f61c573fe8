import CoreClient
import Glibc
import Protocol

/// `authcore` without a command: sets up what is missing, then shows that it works (CLI.md,
/// "(none)").
///
/// Everything happens in one connection, so that a tape goes on from step to step.
struct GuidedSession {
  let invocation: Invocation
  let session: CoreSession
  /// Nobody's fingers: the built-in tape, whose first five touches are the owner's, the sixth a
  /// stranger's, and the others the owner's.
  let isDemonstration: Bool
  let report: GuidedReport

  init(_ invocation: Invocation) throws(Failure) {
    let driver = try invocation.chosenDriver()
    self.invocation = invocation
    isDemonstration = driver.prints == .synthetic
    // It shows itself in scripts, too, whatever terminal they run on and in its background.
    invocation.asksNobody = isDemonstration && isatty(STDIN_FILENO) != 1
    session = try CoreSession(invocation, driver: driver)
    report = GuidedReport(invocation.output)
  }

  /// From what is there to what works.
  func run() throws(Failure) {
    let status = try session.status()
    report.begin(status)
    guard status.sensor != nil else {
      throw Failure(
        .biometryNotAvailable, "No fingerprint reader is connected, or no driver fits it",
        hint: "Without a reader: authcore --driver replay. Else: authcore doctor")
    }
    var knowsPasscode = invocation.given != nil
    if !status.isPasscodeSet {
      try setPasscode()
      knowsPasscode = true
    } else if status.isLocked {
      try unlock()
    }
    if status.matchableFingers == 0 {
      try enroll(knowsPasscode)
      if isDemonstration { try refuseStranger(knowsPasscode) }
    }
    try acceptOwner(knowsPasscode)
    try openItem(knowsPasscode)
    report.end()
  }

  /// Measures `body` and reports what it returns.
  func step(
    _ name: String, _ body: () throws(Failure) -> GuidedReport.Outcome
  ) throws(Failure) {
    let start = ContinuousClock.now
    let outcome = try body()
    report.step(name, outcome, ContinuousClock.now - start)
  }

  /// How the requests of this session may prompt.
  func options(_ reason: String, _ knowsPasscode: Bool) -> PromptOptions {
    invocation.promptOptions(reason: reason, knowsPasscode: knowsPasscode)
  }
}
