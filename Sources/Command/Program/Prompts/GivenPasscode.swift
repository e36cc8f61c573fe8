import CoreClient
import Protocol

/// A passcode that need not be asked for: that of `--passcode-fd` or `--passcode-file`, read when
/// it is first needed and then kept for the command's other requests; or one that this command has
/// just set. An application password that was given is the same.
final class GivenPasscode: GivenAnswers.Secret {
  /// Where it comes from; nil when it was here from the beginning.
  let source: SecretSource?
  private let interrupts: Interrupts
  private var passcode: SecretBytes?

  init(_ source: SecretSource, _ interrupts: Interrupts) {
    (self.source, self.interrupts) = (source, interrupts)
  }

  /// One that is known.
  init(_ passcode: consuming SecretBytes, _ interrupts: Interrupts) {
    source = nil
    self.interrupts = interrupts
    self.passcode = consume passcode
  }

  /// A copy of the passcode.
  func read() throws(Failure) -> SecretBytes {
    if passcode == nil {
      passcode = try source?.read(limit: longestPasscode, interrupts: interrupts)
    }
    return passcode?.duplicate() ?? SecretBytes(count: 0)
  }
}
