import CoreClient
import Glibc
import Protocol

extension GuidedSession {
  /// Sets the first passcode: the one that was given, one that is typed, or one that is made up
  /// where nobody can be asked and nothing real depends on it.
  func setPasscode() throws(Failure) {
    let passcode: SecretBytes
    var remark = ""
    if let given = invocation.given {
      passcode = try invocation.asNewPasscode(given.read())
    } else if let terminal = invocation.terminal {
      invocation.output.note("The passcode comes first: it stands in where a finger will not do.")
      passcode = try invocation.asNewPasscode(
        terminal.askNewSecret(
          "New passcode: ", again: "The same again: ", invocation.output, invocation.interrupts))
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
      return .init("the passcode is set" + remark)
    }
  }

  /// Six digits from the kernel.
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

  /// Unlocks a device that was set up before.
  func unlock() throws(Failure) {
    try step("unlock") { () throws(Failure) in
      let reply: Evaluated = try session.request(
        UnlockDevice(
          options: invocation.promptOptions(usesPasscodeAtOnce: true)))
      return .init("unlocked by \(reply.evidence.name)")
    }
  }

  /// Enrolls the first finger; of the built-in tape the five touches that are for it.
  func enroll(_ knowsPasscode: Bool) throws(Failure) {
    try step("enroll") { () throws(Failure) in
      let reply: EnrolledFinger = try session.request(
        EnrollFinger(
          name: isDemonstration ? "right-index" : "", touches: isDemonstration ? 5 : 0,
          options: options("Enroll a finger: touch the reader several times", knowsPasscode)))
      return .init(
        "\(reply.finger.name.printable) is enrolled from \(reply.touches) touches"
          + EnrollmentBar.coverage(reply.coverage))
    }
  }
}
