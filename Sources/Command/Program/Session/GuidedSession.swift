import CoreClient
import Glibc
import PluginHosting
import Protocol

/// `authcore` without a command: sets up what is missing, then shows that it works.
/// One connection serves all steps, so that a tape goes on.
struct GuidedSession {
  private let invocation: Invocation
  private let session: CoreSession
  /// Whether prints are synthetic.
  private let isDemonstration: Bool
  /// Whether they come from the built-in tape: five touches by the owner, one by a stranger, then
  /// the owner's again.
  private let isTape: Bool
  private let report: GuidedReport

  init(_ invocation: Invocation) throws(Failure) {
    let driver = try invocation.chosenDriver()
    self.invocation = invocation
    isDemonstration = driver.prints == .synthetic
    isTape = isDemonstration && driver?.driver.description.name == "replay"
    // The demonstration asks nobody if a script runs it.
    invocation.asksNobody = isDemonstration && isatty(STDIN_FILENO) != 1
    session = try CoreSession(invocation, driver: driver)
    report = GuidedReport(invocation.output)
  }

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
      if isTape { try refuseStranger(knowsPasscode) }
    }
    try acceptOwner(knowsPasscode)
    // A finger on a chip may open only what the passcode opens too.
    let isImage = status.sensor?.compares == .image
    try openItem(guardedBy: isImage ? "biometry-current" : "presence", knowsPasscode)
    report.end()
  }

  /// Measures `body` and reports its result.
  private func step(_ name: String, _ body: () throws(Failure) -> String) throws(Failure) {
    let start = ContinuousClock.now
    let outcome = try body()
    report.step(name, outcome, ContinuousClock.now - start)
  }

  private func options(_ reason: String, _ knowsPasscode: Bool) -> PromptOptions {
    invocation.promptOptions(reason: reason, knowsPasscode: knowsPasscode)
  }

  /// Sets the first passcode: one that is given or typed, or for the demonstration one that is made
  /// up.
  private func setPasscode() throws(Failure) {
    let passcode: SecretBytes
    var remark = ""
    if let given = invocation.given {
      passcode = try invocation.asNewPasscode(given.read())
    } else if let terminal = invocation.terminal {
      invocation.output.note("Set a passcode first. It is used when a finger is not enough.")
      passcode = try invocation.asNewPasscode(
        terminal.askNewSecret("New passcode: ", invocation.output, invocation.interrupts))
    } else if isDemonstration {
      passcode = Self.madeUpPasscode()
      report.tell(madeUp: passcode)
      remark = " (made up: there is no terminal to ask on)"
    } else {
      throw Failure(
        .notInteractive, "There is no terminal to ask for a passcode on",
        hint: "Give one with --passcode-file FILE or --passcode-fd N.")
    }
    session.use(GivenPasscode(passcode.duplicate(), invocation.interrupts))
    let message = SetPasscode(passcode: passcode)
    try step("passcode") { () throws(Failure) in
      let _: Done = try session.request(message)
      return "the passcode is set" + remark
    }
  }

  private static func madeUpPasscode() -> SecretBytes {
    var passcode = SecretBytes(count: 6)
    var random = SystemRandomNumberGenerator()
    unsafe passcode.withUnsafeMutableBytes { digits in
      for index in digits.indices {
        unsafe digits[index] = UInt8.random(in: 0x30...0x39, using: &random)
      }
    }
    return passcode
  }

  private func unlock() throws(Failure) {
    try step("unlock") { () throws(Failure) in
      let reply: Evaluated = try session.request(
        UnlockDevice(options: invocation.promptOptions(usesPasscodeAtOnce: true)))
      return "unlocked by \(reply.evidence.name)"
    }
  }

  /// Enrolls the first finger. Five touches of the built-in tape are for it.
  private func enroll(_ knowsPasscode: Bool) throws(Failure) {
    try step("enroll") { () throws(Failure) in
      let consent = try session.consent(
        opensItems: false, acceptsAll: isDemonstration, invocation)
      let reply: EnrolledFinger = try session.request(
        EnrollFinger(
          name: isDemonstration ? "right-index" : "", touches: isTape ? 5 : 0, consent: consent,
          options: options("Enroll a finger: touch the reader several times", knowsPasscode)))
      return "\(reply.finger.name.printable) is enrolled from \(reply.touches) touches"
        + EnrollmentBar.coverage(reply.coverage)
    }
  }

  /// The sixth touch of the built-in tape is a stranger's.
  private func refuseStranger(_ knowsPasscode: Bool) throws(Failure) {
    try step("stranger") { () throws(Failure) in
      let reply = try session.test(options("A stranger's finger", knowsPasscode))
      guard !reply.isMatch else {
        throw Failure(
          .engineFailed, "The enclave took a stranger's finger for the owner's",
          hint: "This must not happen: do not use this enclave.")
      }
      return "a stranger's finger is refused (\(reply.comparison))"
    }
  }

  private func acceptOwner(_ knowsPasscode: Bool) throws(Failure) {
    try step("owner") { () throws(Failure) in
      let reply: Evaluated = try session.request(
        Evaluate(
          policy: .owner, reuseSeconds: 0, options: options("Show that it is you", knowsPasscode)))
      let proof = reply.finger.map { "finger is accepted (\($0.printable))" }
      return "the owner's " + (proof ?? "passcode is accepted")
    }
  }

  private static var service: String { "authcore guided session" }

  /// Adds an item, opens it, and removes it.
  private func openItem(guardedBy control: String, _ knowsPasscode: Bool) throws(Failure) {
    var query = ItemQuery()
    query.service = Self.service
    try removeItem(query)
    let secret = SecretBytes(copying: Array("a secret that a finger releases".utf8).span)
    let message = AddItem(attributes: try Self.attributes(control), secret: secret.duplicate())
    try step("add") { () throws(Failure) in
      let _: ItemAdded = try session.ask(message)
      return "an item is added that opens with \(control) alone"
    }
    try step("open") { () throws(Failure) in
      let reply: GotItem = try session.ask(
        GetItem(query: query), options("Open the item", knowsPasscode))
      guard reply.secret.isEqual(to: secret.bytes) else {
        throw Failure(.engineFailed, "The item that was opened holds another secret")
      }
      return "the item is opened" + (control == "presence" ? "" : " by touch")
    }
    try removeItem(query)
  }

  private func removeItem(_ query: ItemQuery) throws(Failure) {
    _ = try ifFound { () throws(Failure) -> ItemsChanged in
      try session.ask(RemoveItems(query: query, allowsSeveral: true))
    }
  }

  private static func attributes(_ control: String) throws(Failure) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = service
    attributes.accessControl = try ItemText.accessControl(control, isStrict: false)
    return attributes
  }
}
